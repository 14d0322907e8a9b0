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
-- Name: harvests; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.harvests (
    harvestno integer NOT NULL,
    groveref integer,
    harvestday date,
    weightkg numeric(10,3),
    gradea double precision,
    tags text[]
);


--
-- Data for Name: harvests; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.harvests VALUES (1, 1, '2020-08-01', '900.125', '0.41', '{hand,early}');
INSERT INTO public.harvests VALUES (2, 2, '2020-09-06', '1513.125', '0.58', '{machine,late}');
INSERT INTO public.harvests VALUES (3, 3, '2020-10-11', '2126.125', '0.75', '{hand,late}');
INSERT INTO public.harvests VALUES (4, 4, '2020-08-16', '2739.125', NULL, '{machine,early}');
INSERT INTO public.harvests VALUES (5, 5, '2020-09-21', '3352.125', '0.59', '{hand,late}');
INSERT INTO public.harvests VALUES (6, 6, '2020-10-26', '3965.125', '0.76', '{machine,late}');
INSERT INTO public.harvests VALUES (7, 1, '2020-08-04', '4578.125', '0.43', '{hand,early}');
INSERT INTO public.harvests VALUES (8, 2, '2020-09-09', '1091.125', '0.6', '{machine,late}');
INSERT INTO public.harvests VALUES (9, 3, '2020-10-14', '1704.125', '0.77', '{hand,late}');
INSERT INTO public.harvests VALUES (10, 4, '2020-08-19', '2317.125', '0.43999999999999995', '{machine,early}');
INSERT INTO public.harvests VALUES (11, 5, '2021-09-24', '2930.125', '0.61', '{hand,late}');
INSERT INTO public.harvests VALUES (12, 6, '2021-10-02', '3543.125', NULL, '{machine,late}');
INSERT INTO public.harvests VALUES (13, 1, '2021-08-07', '4156.125', '0.44999999999999996', '{hand,early}');
INSERT INTO public.harvests VALUES (14, 2, '2021-09-12', '4769.125', '0.62', '{machine,late}');
INSERT INTO public.harvests VALUES (15, 3, '2021-10-17', '1282.125', '0.79', '{hand,late}');
INSERT INTO public.harvests VALUES (16, 4, '2021-08-22', '1895.125', '0.45999999999999996', '{machine,early}');
INSERT INTO public.harvests VALUES (17, 5, '2021-09-27', '2508.125', '0.63', '{hand,late}');
INSERT INTO public.harvests VALUES (18, 6, '2021-10-05', '3121.125', '0.8', '{machine,late}');
INSERT INTO public.harvests VALUES (19, 1, '2021-08-10', '3734.125', '0.47', '{hand,early}');
INSERT INTO public.harvests VALUES (20, 2, '2021-09-15', '4347.125', NULL, '{machine,late}');
INSERT INTO public.harvests VALUES (21, 3, '2022-10-20', '4960.125', '0.81', '{hand,late}');
INSERT INTO public.harvests VALUES (22, 4, '2022-08-25', '1473.125', '0.48', '{machine,early}');
INSERT INTO public.harvests VALUES (23, 5, '2022-09-03', '2086.125', '0.6499999999999999', '{hand,late}');
INSERT INTO public.harvests VALUES (24, 6, '2022-10-08', '2699.125', '0.82', '{machine,late}');
INSERT INTO public.harvests VALUES (25, 1, '2022-08-13', '3312.125', '0.49', '{hand,early}');
INSERT INTO public.harvests VALUES (26, 2, '2022-09-18', '3925.125', '0.6599999999999999', '{machine,late}');
INSERT INTO public.harvests VALUES (27, 3, '2022-10-23', '4538.125', '0.83', '{hand,late}');
INSERT INTO public.harvests VALUES (28, 4, '2022-08-01', '1051.125', NULL, '{machine,early}');
INSERT INTO public.harvests VALUES (29, 5, '2022-09-06', '1664.125', '0.6699999999999999', '{hand,late}');
INSERT INTO public.harvests VALUES (30, 6, '2022-10-11', '2277.125', '0.84', '{machine,late}');


--
-- Name: harvests harvests_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.harvests
    ADD CONSTRAINT harvests_pkey PRIMARY KEY (harvestno);


--
-- Name: harvests harvests_groveref_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.harvests
    ADD CONSTRAINT harvests_groveref_fkey FOREIGN KEY (groveref) REFERENCES public.groves(groveno);


--
-- PostgreSQL database dump complete
--
