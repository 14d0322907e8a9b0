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
-- Name: groves; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.groves (
    groveno integer NOT NULL,
    variety character varying(30),
    areaha numeric(6,2),
    plantedyear integer,
    irrigated boolean
);


--
-- Data for Name: groves; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.groves VALUES (1, 'Bramley', '1.25', 1998, 't');
INSERT INTO public.groves VALUES (2, 'Conference', '2.05', 2001, 't');
INSERT INTO public.groves VALUES (3, 'Victoria', '2.85', 2004, 't');
INSERT INTO public.groves VALUES (4, 'Bramley', '3.65', 2007, 't');
INSERT INTO public.groves VALUES (5, 'Morello', '4.45', 2010, 'f');
INSERT INTO public.groves VALUES (6, 'Conference', '5.25', 2013, 't');


--
-- Name: groves groves_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.groves
    ADD CONSTRAINT groves_pkey PRIMARY KEY (groveno);


--
-- PostgreSQL database dump complete
--
