CREATE TABLE tea (name TEXT PRIMARY KEY, cup_price REAL, pot_price REAL, shelf INTEGER, row_on_shelf INTEGER);
INSERT INTO tea VALUES ('Assam', 2.5, 6.0, 1, 1), ('Keemun', 3.0, 7.5, 2, 2), ('Sencha', 2.8, 6.5, 3, 3);
CREATE TABLE pot (name TEXT PRIMARY KEY, height_cm REAL, volume_ml INTEGER);
INSERT INTO pot VALUES ('Brown Betty', 14.0, 900), ('Kyusu', 9.5, 350);
