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
-- Name: portcalls; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.portcalls (
    callkey character(8) NOT NULL,
    shipref character(6) NOT NULL,
    berthref character(4),
    arrived timestamp without time zone,
    departed timestamp without time zone,
    cargoton numeric(9,2),
    delayhrs numeric(5,2),
    callstate character varying(20)
);


--
-- Data for Name: portcalls; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.portcalls (callkey, shipref, berthref, arrived, departed, cargoton, delayhrs, callstate) FROM stdin;
PC1000  	SH100 	B1  	2023-01-01 06:30:00	2023-01-01 11:30:00	1200.50	0.00	Cancelled
PC1001  	SH103 	B3  	2023-01-04 07:30:00	2023-01-04 23:30:00	2177.50	3.70	Done
PC1002  	SH106 	B5  	2023-01-07 08:30:00	2023-01-08 11:30:00	3154.50	\N	Done
PC1003  	SH109 	B2  	2023-01-10 09:30:00	2023-01-11 23:30:00	4131.50	11.10	Waiting
PC1004  	SH102 	B4  	2023-01-13 10:30:00	2023-01-15 11:30:00	5108.50	14.80	Done
PC1005  	SH105 	B1  	2023-01-16 11:30:00	\N	6085.50	18.50	Done
PC1006  	SH108 	B3  	2023-01-19 12:30:00	2023-01-19 22:30:00	7062.50	3.20	Done
PC1007  	SH101 	B5  	2023-01-22 13:30:00	2023-01-23 10:30:00	8039.50	\N	Waiting
PC1008  	SH104 	B2  	2023-01-25 14:30:00	2023-01-26 22:30:00	9016.50	10.60	Done
PC1009  	SH107 	B4  	2023-01-28 06:30:00	2023-02-02 01:30:00	9993.50	14.30	Done
PC1010  	SH100 	B1  	2023-02-03 07:30:00	2023-02-05 13:30:00	10970.50	18.00	Done
PC1011  	SH103 	B3  	2023-02-06 08:30:00	2023-02-09 01:30:00	11947.50	2.70	Waiting
PC1012  	SH106 	B5  	2023-02-09 09:30:00	2023-02-10 00:30:00	12924.50	\N	Done
PC1013  	SH109 	B2  	2023-02-12 10:30:00	2023-02-13 12:30:00	13901.50	10.10	Done
PC1014  	SH102 	B4  	2023-02-15 11:30:00	2023-02-17 00:30:00	14878.50	13.80	Cancelled
PC1015  	SH105 	B1  	2023-02-18 12:30:00	2023-02-20 12:30:00	15855.50	17.50	Waiting
PC1016  	SH108 	B3  	2023-02-21 13:30:00	2023-02-24 00:30:00	16832.50	2.20	Done
PC1017  	SH101 	B5  	2023-02-24 14:30:00	2023-02-24 23:30:00	17809.50	\N	Done
PC1018  	SH104 	B2  	2023-02-27 06:30:00	\N	18786.50	9.60	Done
PC1019  	SH107 	B4  	2023-03-02 07:30:00	2023-03-03 14:30:00	19763.50	13.30	Waiting
PC1020  	SH100 	B1  	2023-03-05 08:30:00	2023-03-07 02:30:00	20740.50	17.00	Done
PC1021  	SH103 	B3  	2023-03-08 09:30:00	2023-03-10 14:30:00	21717.50	1.70	Cancelled
PC1022  	SH106 	B5  	2023-03-11 10:30:00	2023-03-14 02:30:00	22694.50	\N	Done
PC1023  	SH109 	B2  	2023-03-14 11:30:00	2023-03-15 01:30:00	23671.50	9.10	Waiting
PC1024  	SH102 	B4  	2023-03-17 12:30:00	2023-03-18 13:30:00	24648.50	12.80	Done
PC1025  	SH105 	B1  	2023-03-20 13:30:00	2023-03-22 01:30:00	25625.50	16.50	Done
PC1026  	SH108 	B3  	2023-03-23 14:30:00	2023-03-25 13:30:00	26602.50	1.20	Done
PC1027  	SH101 	B5  	2023-03-26 06:30:00	2023-03-28 16:30:00	27579.50	\N	Waiting
PC1028  	SH104 	B2  	2023-04-01 07:30:00	2023-04-01 15:30:00	1556.50	8.60	Cancelled
PC1029  	SH107 	B4  	2023-04-04 08:30:00	2023-04-05 03:30:00	2533.50	12.30	Done
PC1030  	SH100 	B1  	2023-04-07 09:30:00	2023-04-08 15:30:00	3510.50	16.00	Done
PC1031  	SH103 	B3  	2023-04-10 10:30:00	\N	4487.50	0.70	Waiting
PC1032  	SH106 	B5  	2023-04-13 11:30:00	2023-04-15 15:30:00	5464.50	\N	Done
PC1033  	SH109 	B2  	2023-04-16 12:30:00	2023-04-19 03:30:00	6441.50	8.10	Done
PC1034  	SH102 	B4  	2023-04-19 13:30:00	2023-04-20 02:30:00	7418.50	11.80	Done
PC1035  	SH105 	B1  	2023-04-22 14:30:00	2023-04-23 14:30:00	8395.50	15.50	Waiting
PC1036  	SH108 	B3  	2023-04-25 06:30:00	2023-04-26 17:30:00	9372.50	0.20	Done
PC1037  	SH101 	B5  	2023-04-28 07:30:00	2023-05-02 05:30:00	10349.50	\N	Done
PC1038  	SH104 	B2  	2023-05-03 08:30:00	2023-05-05 17:30:00	11326.50	7.60	Done
PC1039  	SH107 	B4  	2023-05-06 09:30:00	2023-05-06 16:30:00	12303.50	11.30	Waiting
PC1040  	SH100 	B1  	2023-05-09 10:30:00	2023-05-10 04:30:00	13280.50	15.00	Done
PC1041  	SH103 	B3  	2023-05-12 11:30:00	2023-05-13 16:30:00	14257.50	18.70	Done
\.


--
-- Name: portcalls portcalls_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.portcalls
    ADD CONSTRAINT portcalls_pkey PRIMARY KEY (callkey);


--
-- Name: portcalls portcalls_shipref_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.portcalls
    ADD CONSTRAINT portcalls_shipref_fkey FOREIGN KEY (shipref) REFERENCES public.ships(shipkey);


--
-- Name: portcalls portcalls_berthref_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.portcalls
    ADD CONSTRAINT portcalls_berthref_fkey FOREIGN KEY (berthref) REFERENCES public.berths(berthkey);


--
-- PostgreSQL database dump complete
--
