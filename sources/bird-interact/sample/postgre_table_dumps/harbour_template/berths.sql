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
-- Name: berths; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.berths (
    berthkey character(4) NOT NULL,
    quayname character varying(40),
    maxdraft numeric(4,1),
    depthm numeric(4,1)
);


--
-- Data for Name: berths; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.berths (berthkey, quayname, maxdraft, depthm) FROM stdin;
B1  	North Quay	7.0	7.5
B2  	North Quay	8.4	9.4
B3  	South Quay	9.8	11.3
B4  	South Quay	11.2	13.2
B5  	Timber Wharf	12.6	15.1
\.


--
-- Name: berths berths_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.berths
    ADD CONSTRAINT berths_pkey PRIMARY KEY (berthkey);


--
-- PostgreSQL database dump complete
--
