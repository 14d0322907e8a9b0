--
-- PostgreSQL database dump
--

SET statement_timeout = 0;
SET lock_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;


--
-- Name: ships; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ships (
    shipkey character(6) NOT NULL,
    shipname character varying(40),
    flagstate character varying(30),
    grosston integer,
    builtyear integer,
    engines jsonb
);


--
-- Data for Name: ships; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.ships (shipkey, shipname, flagstate, grosston, builtyear, engines) FROM stdin;
SH100 	Albatross	Norway	4000	1984	{"main":{"kind":"gas","power_kw":2100},"auxiliary":{"count":1}}
SH101 	Bernicla	Malta	11919	1991	{"main":{"kind":"diesel","power_kw":2740},"auxiliary":{"count":2}}
SH102 	Cormorant	Panama	19838	1998	{"main":{"kind":"diesel","power_kw":3380},"auxiliary":{"count":3}}
SH103 	Dunlin	Norway	27757	2005	{"main":{"kind":"gas","power_kw":4020},"auxiliary":{"count":1}}
SH104 	Egret	\N	35676	2012	{"main":{"kind":"diesel","power_kw":4660},"auxiliary":{"count":2}}
SH105 	Fulmar	Liberia	5595	2019	{"main":{"kind":"diesel","power_kw":5300},"auxiliary":{"count":3}}
SH106 	Gannet	Panama	13514	1988	{"main":{"kind":"gas","power_kw":5940},"auxiliary":{"count":1}}
SH107 	Heron	Malta	21433	1995	\N
SH108 	Ibis	Denmark	29352	2002	{"main":{"kind":"diesel","power_kw":7220},"auxiliary":{"count":3}}
SH109 	Jackdaw	Norway	37271	2009	{"main":{"kind":"gas","power_kw":7860},"auxiliary":{"count":1}}
\.


--
-- Name: ships ships_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ships
    ADD CONSTRAINT ships_pkey PRIMARY KEY (shipkey);


--
-- PostgreSQL database dump complete
--
