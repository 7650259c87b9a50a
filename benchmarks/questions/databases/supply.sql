-- Invented data: no firm, person or figure here is real.
PRAGMA foreign_keys = ON;

CREATE TABLE countries (
  country_code TEXT PRIMARY KEY,
  country TEXT NOT NULL,
  region TEXT NOT NULL
);

CREATE TABLE status_codes (
  status_code TEXT PRIMARY KEY,
  meaning TEXT NOT NULL
);

CREATE TABLE suppliers (
  supplier_id INTEGER PRIMARY KEY,
  supplier_name TEXT NOT NULL,
  country_code TEXT NOT NULL REFERENCES countries(country_code),
  supplier_type TEXT NOT NULL,
  iso_9001 TEXT,
  iso_14001 TEXT,
  conflict_minerals_declared TEXT,
  partner_since INTEGER,
  employees INTEGER,
  supplier_class TEXT
);

CREATE TABLE grades (
  grade_code TEXT PRIMARY KEY,
  grade TEXT NOT NULL,
  family TEXT NOT NULL,
  standard TEXT
);

CREATE TABLE items (
  item_id INTEGER PRIMARY KEY,
  item TEXT NOT NULL,
  grade_code TEXT NOT NULL REFERENCES grades(grade_code),
  form TEXT NOT NULL,
  density_g_cm3 REAL
);

CREATE TABLE batches (
  batch_no TEXT PRIMARY KEY,
  supplier_id INTEGER NOT NULL REFERENCES suppliers(supplier_id),
  item_id INTEGER NOT NULL REFERENCES items(item_id),
  ordered_on DATE NOT NULL,
  quantity_kg INTEGER NOT NULL,
  price_eur_per_kg REAL NOT NULL,
  status_code TEXT NOT NULL REFERENCES status_codes(status_code),
  recycled_content_pct REAL,
  mill_certificate TEXT
);

CREATE TABLE deliveries (
  delivery_id INTEGER PRIMARY KEY,
  batch_no TEXT NOT NULL REFERENCES batches(batch_no),
  plant TEXT NOT NULL,
  due_on DATE NOT NULL,
  arrived_on DATE,
  delivered_kg INTEGER NOT NULL,
  freight_eur REAL,
  transport TEXT
);

CREATE TABLE audits (
  audit_id INTEGER PRIMARY KEY,
  supplier_id INTEGER NOT NULL REFERENCES suppliers(supplier_id),
  audited_on DATE NOT NULL,
  auditor TEXT NOT NULL,
  score INTEGER,
  outcome TEXT
);

BEGIN;
INSERT INTO countries VALUES ('DE', 'Germany', 'Europe');
INSERT INTO countries VALUES ('SE', 'Sweden', 'Europe');
INSERT INTO countries VALUES ('IT', 'Italy', 'Europe');
INSERT INTO countries VALUES ('TR', 'Turkey', 'Asia');
INSERT INTO countries VALUES ('IN', 'India', 'Asia');
INSERT INTO countries VALUES ('KR', 'South Korea', 'Asia');
INSERT INTO countries VALUES ('US', 'United States', 'North America');
INSERT INTO countries VALUES ('CA', 'Canada', 'North America');
INSERT INTO countries VALUES ('BR', 'Brazil', 'South America');
INSERT INTO countries VALUES ('PL', 'Poland', 'Europe');
INSERT INTO status_codes VALUES ('RL', 'released');
INSERT INTO status_codes VALUES ('QR', 'in quarantine');
INSERT INTO status_codes VALUES ('RJ', 'rejected');
INSERT INTO status_codes VALUES ('PR', 'partly released');
INSERT INTO suppliers VALUES (101, 'Harlow & Brandt Stahl', 'DE', 'mill', 'no', NULL, 'yes', 2002, NULL, 'strategic');
INSERT INTO suppliers VALUES (102, 'Norrvik Metall', 'SE', 'mill', 'yes', NULL, 'yes', 1999, NULL, 'preferred');
INSERT INTO suppliers VALUES (103, 'Ferrodina SpA', 'IT', 'mill', 'no', 'yes', 'no', 2013, 1073, 'on probation');
INSERT INTO suppliers VALUES (104, 'Anadur Celik', 'TR', 'mill', 'yes', 'yes', 'no', 2008, 1604, 'strategic');
INSERT INTO suppliers VALUES (105, 'Vindhya Alloys', 'IN', 'mill', 'no', 'no', 'no', 1996, 3739, 'preferred');
INSERT INTO suppliers VALUES (106, 'Hanseo Special Steel', 'KR', 'mill', 'yes', 'no', 'yes', 2015, 2835, 'preferred');
INSERT INTO suppliers VALUES (107, 'Blue Mesa Metals', 'US', 'trader', 'yes', NULL, 'yes', 1997, NULL, 'on probation');
INSERT INTO suppliers VALUES (108, 'Laurentide Nickel', 'CA', 'mill', 'yes', 'yes', 'yes', 1998, 2458, 'preferred');
INSERT INTO suppliers VALUES (109, 'Serra Azul Ligas', 'BR', 'mill', 'yes', 'no', 'yes', 2017, NULL, 'on probation');
INSERT INTO suppliers VALUES (110, 'Huta Wartana', 'PL', 'mill', 'yes', NULL, 'yes', 2020, 1692, 'on probation');
INSERT INTO suppliers VALUES (111, 'Kestrel Titanium', 'US', 'mill', 'yes', 'yes', 'yes', 2009, NULL, 'strategic');
INSERT INTO suppliers VALUES (112, 'Odenfeld Guss', 'DE', 'foundry', 'no', 'no', 'no', 2007, 1006, 'strategic');
INSERT INTO suppliers VALUES (113, 'Lagunaro Alluminio', 'IT', 'mill', 'yes', 'yes', 'yes', 2006, 2654, 'on probation');
INSERT INTO suppliers VALUES (114, 'Tamarind Castings', 'IN', 'foundry', 'yes', 'yes', 'yes', 2005, 2950, 'preferred');
INSERT INTO suppliers VALUES (115, 'Pikesville Tube', 'US', 'mill', 'yes', 'yes', 'yes', 2011, 1159, 'preferred');
INSERT INTO suppliers VALUES (116, 'Granholm Recycling', 'SE', 'recycler', 'no', NULL, 'yes', 2019, 2528, 'strategic');
INSERT INTO suppliers VALUES (117, 'Elbtal Kupfer', 'DE', 'mill', 'yes', 'yes', 'no', 2018, 3976, 'on probation');
INSERT INTO suppliers VALUES (118, 'Daesung Wire', 'KR', 'mill', 'no', NULL, NULL, 2022, 2657, 'preferred');
INSERT INTO suppliers VALUES (119, 'Sobieska Profile', 'PL', 'mill', 'yes', 'no', 'yes', 2014, 1904, 'on probation');
INSERT INTO suppliers VALUES (120, 'Copperline Trading', 'US', 'trader', 'yes', 'no', 'yes', 2021, 4111, 'preferred');
INSERT INTO suppliers VALUES (121, 'Mirabel Aluminium', 'CA', 'mill', 'yes', 'no', NULL, 2010, 3207, 'on probation');
INSERT INTO suppliers VALUES (122, 'Izmara Forge', 'TR', 'foundry', 'no', 'no', NULL, 1999, NULL, 'preferred');
INSERT INTO suppliers VALUES (123, 'Ruhrwerk Umformtechnik', 'DE', 'mill', 'yes', 'no', NULL, 1998, 279, 'preferred');
INSERT INTO suppliers VALUES (124, 'Vale Verde Metais', 'BR', 'recycler', 'no', 'yes', NULL, 2021, 1507, 'on probation');
INSERT INTO suppliers VALUES (125, 'Saffron Ferro', 'IN', 'trader', 'yes', 'yes', NULL, 2016, 2940, 'strategic');
INSERT INTO suppliers VALUES (126, 'Stillwater Powders', 'US', 'mill', 'yes', NULL, 'yes', 2020, 2461, 'preferred');
INSERT INTO suppliers VALUES (127, 'Brixen Acciai', 'IT', 'trader', 'yes', 'no', 'yes', 2009, 2565, 'preferred');
INSERT INTO suppliers VALUES (128, 'Kupari Refining', 'SE', 'recycler', 'yes', 'no', 'yes', 2021, 906, 'strategic');
INSERT INTO suppliers VALUES (129, 'Namhae Titanium', 'KR', 'mill', 'yes', 'no', 'yes', 2006, NULL, 'on probation');
INSERT INTO suppliers VALUES (130, 'Orlanda Scrap', 'PL', 'recycler', 'yes', NULL, NULL, 2020, 177, 'preferred');
INSERT INTO grades VALUES ('S1', 'S355J2', 'carbon steel', 'EN 10025-2');
INSERT INTO grades VALUES ('S2', '42CrMo4', 'alloy steel', 'EN ISO 683-2');
INSERT INTO grades VALUES ('X1', '1.4404', 'stainless steel', 'EN 10088-3');
INSERT INTO grades VALUES ('X2', '1.4462', 'duplex stainless steel', 'EN 10088-3');
INSERT INTO grades VALUES ('A1', 'EN AW-6082', 'aluminium', 'EN 573-3');
INSERT INTO grades VALUES ('A2', 'EN AW-7075', 'aluminium', 'EN 573-3');
INSERT INTO grades VALUES ('T1', 'Ti-6Al-4V', 'titanium', 'ASTM B348');
INSERT INTO grades VALUES ('N1', 'Alloy 625', 'nickel alloy', 'ASTM B446');
INSERT INTO grades VALUES ('C1', 'CuZn39Pb3', 'brass', 'EN 12164');
INSERT INTO grades VALUES ('C2', 'Cu-ETP', 'copper', NULL);
INSERT INTO items VALUES (1, 'structural plate', 'S1', 'plate', 7.85);
INSERT INTO items VALUES (2, 'gear shaft bar', 'S2', 'bar', 7.85);
INSERT INTO items VALUES (3, 'pump housing bar', 'X1', 'bar', 7.98);
INSERT INTO items VALUES (4, 'desalination tube', 'X2', 'tube', 7.8);
INSERT INTO items VALUES (5, 'frame extrusion', 'A1', 'extrusion', 2.7);
INSERT INTO items VALUES (6, 'wing bracket plate', 'A2', 'plate', 2.81);
INSERT INTO items VALUES (7, 'implant rod', 'T1', 'bar', 4.43);
INSERT INTO items VALUES (8, 'exhaust bolt bar', 'N1', 'bar', 8.44);
INSERT INTO items VALUES (9, 'valve fitting bar', 'C1', 'bar', 8.47);
INSERT INTO items VALUES (10, 'busbar', 'C2', 'strip', 8.94);
INSERT INTO items VALUES (11, 'fence wire', 'S1', 'wire', 7.85);
INSERT INTO items VALUES (12, 'impeller powder', 'N1', 'powder', 8.44);
INSERT INTO batches VALUES ('LB-3001', 102, 8, '2022-01-12', 491, 50.76, 'RJ', NULL, 'no');
INSERT INTO batches VALUES ('LB-3004', 128, 9, '2022-01-21', 6570, 7.01, 'RJ', 37.1, 'yes');
INSERT INTO batches VALUES ('LB-3007', 107, 3, '2022-02-07', 4220, 4.21, 'RL', 85.0, 'yes');
INSERT INTO batches VALUES ('LB-3010', 104, 1, '2022-02-16', 6200, 1.15, 'RJ', 0.0, 'no');
INSERT INTO batches VALUES ('LB-3013', 116, 11, '2022-02-26', 7580, 1.19, 'RL', NULL, 'no');
INSERT INTO batches VALUES ('LB-3016', 124, 3, '2022-03-06', 3880, 4.94, 'RL', 49.0, 'yes');
INSERT INTO batches VALUES ('LB-3019', 109, 6, '2022-03-20', 5800, 8.99, 'RL', 66.2, 'yes');
INSERT INTO batches VALUES ('LB-3022', 120, 11, '2022-04-01', 2000, 1.49, 'RL', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3025', 107, 5, '2022-04-10', 1280, 4.78, 'PR', 0.0, 'no');
INSERT INTO batches VALUES ('LB-3028', 128, 3, '2022-04-24', 400, 4.99, 'QR', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3031', 122, 11, '2022-05-04', 1970, 1.4, 'RL', 28.0, 'yes');
INSERT INTO batches VALUES ('LB-3034', 110, 1, '2022-05-15', 660, 0.9, 'RL', NULL, 'yes');
INSERT INTO batches VALUES ('LB-3037', 110, 11, '2022-05-29', 2980, 1.27, 'RL', 36.7, 'no');
INSERT INTO batches VALUES ('LB-3040', 115, 10, '2022-06-08', 8500, 10.09, 'RL', 70.5, 'yes');
INSERT INTO batches VALUES ('LB-3043', 112, 9, '2022-06-14', 4220, 6.15, 'PR', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3046', 113, 3, '2022-06-28', 7030, 4.06, 'RL', 16.0, 'no');
INSERT INTO batches VALUES ('LB-3049', 109, 3, '2022-07-07', 8040, 4.65, 'QR', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3052', 128, 7, '2022-07-20', 342, 40.05, 'RJ', 51.7, 'yes');
INSERT INTO batches VALUES ('LB-3055', 120, 9, '2022-08-03', 8100, 7.82, 'RL', 52.9, 'yes');
INSERT INTO batches VALUES ('LB-3058', 130, 6, '2022-08-14', 6450, 7.12, 'RL', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3061', 113, 4, '2022-08-20', 7880, 6.01, 'PR', NULL, 'yes');
INSERT INTO batches VALUES ('LB-3064', 103, 2, '2022-09-01', 4980, 1.79, 'RL', 51.4, 'yes');
INSERT INTO batches VALUES ('LB-3067', 122, 8, '2022-09-14', 370, 39.04, 'RL', 91.6, 'yes');
INSERT INTO batches VALUES ('LB-3070', 107, 5, '2022-09-27', 1100, 4.07, 'RL', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3073', 117, 1, '2022-10-08', 8370, 1.3, 'RL', 35.2, 'yes');
INSERT INTO batches VALUES ('LB-3076', 121, 8, '2022-10-15', 669, 43.62, 'RL', 37.0, 'yes');
INSERT INTO batches VALUES ('LB-3079', 128, 1, '2022-10-25', 7840, 1.12, 'RJ', NULL, 'yes');
INSERT INTO batches VALUES ('LB-3082', 129, 10, '2022-11-05', 8580, 9.73, 'RL', 36.8, 'yes');
INSERT INTO batches VALUES ('LB-3085', 120, 1, '2022-11-17', 3630, 1.16, 'RL', 77.1, 'yes');
INSERT INTO batches VALUES ('LB-3088', 121, 12, '2022-12-02', 645, 80.6, 'RJ', 92.4, 'yes');
INSERT INTO batches VALUES ('LB-3091', 122, 3, '2022-12-10', 2410, 4.29, 'RJ', NULL, 'yes');
INSERT INTO batches VALUES ('LB-3094', 120, 4, '2022-12-26', 2920, 6.83, 'PR', NULL, 'yes');
INSERT INTO batches VALUES ('LB-3097', 116, 7, '2023-01-06', 189, 37.79, 'RL', NULL, 'yes');
INSERT INTO batches VALUES ('LB-3100', 118, 4, '2023-01-14', 6220, 6.26, 'RJ', 0.0, 'no');
INSERT INTO batches VALUES ('LB-3103', 108, 7, '2023-01-26', 26, 41.18, 'RL', NULL, 'yes');
INSERT INTO batches VALUES ('LB-3106', 110, 1, '2023-02-03', 3510, 1.01, 'QR', NULL, 'no');
INSERT INTO batches VALUES ('LB-3109', 117, 6, '2023-02-13', 670, 7.02, 'RL', 48.0, 'yes');
INSERT INTO batches VALUES ('LB-3112', 124, 6, '2023-02-26', 270, 7.14, 'RL', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3115', 127, 12, '2023-03-07', 797, 80.1, 'RL', 0.0, 'no');
INSERT INTO batches VALUES ('LB-3118', 106, 8, '2023-03-20', 457, 40.74, 'RJ', 0.0, 'no');
INSERT INTO batches VALUES ('LB-3121', 120, 3, '2023-04-03', 2940, 5.37, 'RL', 81.5, 'yes');
INSERT INTO batches VALUES ('LB-3124', 108, 1, '2023-04-12', 7790, 1.03, 'RL', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3127', 120, 10, '2023-04-22', 7000, 8.19, 'RL', 59.7, 'yes');
INSERT INTO batches VALUES ('LB-3130', 102, 8, '2023-05-08', 425, 33.89, 'RJ', 15.5, 'no');
INSERT INTO batches VALUES ('LB-3133', 116, 4, '2023-05-18', 6040, 7.41, 'RJ', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3136', 126, 2, '2023-05-29', 7860, 1.71, 'RL', 42.7, 'no');
INSERT INTO batches VALUES ('LB-3139', 102, 1, '2023-06-06', 2060, 1.3, 'RL', 42.9, 'yes');
INSERT INTO batches VALUES ('LB-3142', 110, 12, '2023-06-15', 614, 83.73, 'RL', NULL, 'yes');
INSERT INTO batches VALUES ('LB-3145', 119, 8, '2023-06-28', 841, 46.81, 'RJ', NULL, 'yes');
INSERT INTO batches VALUES ('LB-3148', 110, 6, '2023-07-07', 4690, 9.54, 'RL', 10.3, 'yes');
INSERT INTO batches VALUES ('LB-3151', 127, 10, '2023-07-24', 7710, 8.75, 'RL', 18.1, 'yes');
INSERT INTO batches VALUES ('LB-3154', 125, 12, '2023-08-05', 876, 83.72, 'RL', 12.2, 'yes');
INSERT INTO batches VALUES ('LB-3157', 115, 7, '2023-08-10', 32, 44.05, 'RL', NULL, 'yes');
INSERT INTO batches VALUES ('LB-3160', 103, 7, '2023-08-26', 185, 31.61, 'PR', 17.8, 'yes');
INSERT INTO batches VALUES ('LB-3163', 121, 11, '2023-09-07', 6780, 1.2, 'RL', NULL, 'yes');
INSERT INTO batches VALUES ('LB-3166', 106, 12, '2023-09-14', 581, 78.28, 'RL', 25.1, 'yes');
INSERT INTO batches VALUES ('LB-3169', 128, 11, '2023-09-27', 1260, 1.24, 'QR', 53.4, 'no');
INSERT INTO batches VALUES ('LB-3172', 127, 8, '2023-10-10', 464, 35.52, 'RL', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3175', 118, 3, '2023-10-20', 1990, 4.85, 'RL', NULL, 'yes');
INSERT INTO batches VALUES ('LB-3178', 101, 12, '2023-11-01', 267, 72.97, 'RL', 0.0, 'no');
INSERT INTO batches VALUES ('LB-3181', 113, 4, '2023-11-12', 5720, 7.91, 'QR', 0.0, 'no');
INSERT INTO batches VALUES ('LB-3184', 130, 10, '2023-11-22', 4070, 10.46, 'RL', 0.0, 'no');
INSERT INTO batches VALUES ('LB-3187', 116, 12, '2023-12-01', 880, 74.29, 'RL', 23.8, 'yes');
INSERT INTO batches VALUES ('LB-3190', 125, 5, '2023-12-10', 5870, 5.08, 'PR', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3193', 130, 12, '2023-12-24', 894, 68.51, 'RL', 0.0, 'no');
INSERT INTO batches VALUES ('LB-3196', 127, 1, '2024-01-07', 2140, 1.04, 'RL', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3199', 126, 7, '2024-01-15', 763, 46.3, 'RJ', 31.1, 'yes');
INSERT INTO batches VALUES ('LB-3202', 122, 9, '2024-01-28', 7670, 6.2, 'RL', 92.0, 'yes');
INSERT INTO batches VALUES ('LB-3205', 117, 12, '2024-02-03', 548, 71.13, 'RL', 57.5, 'yes');
INSERT INTO batches VALUES ('LB-3208', 106, 8, '2024-02-15', 280, 50.87, 'RJ', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3211', 113, 8, '2024-03-01', 309, 36.59, 'RJ', 47.5, 'no');
INSERT INTO batches VALUES ('LB-3214', 114, 12, '2024-03-12', 416, 64.11, 'RJ', 77.1, 'yes');
INSERT INTO batches VALUES ('LB-3217', 117, 6, '2024-03-20', 950, 7.93, 'RL', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3220', 119, 1, '2024-04-05', 4150, 1.35, 'RL', 46.0, 'yes');
INSERT INTO batches VALUES ('LB-3223', 126, 2, '2024-04-12', 5610, 1.61, 'RJ', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3226', 120, 5, '2024-04-21', 4720, 3.64, 'QR', 49.4, 'yes');
INSERT INTO batches VALUES ('LB-3229', 104, 11, '2024-05-07', 1250, 1.42, 'RL', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3232', 126, 10, '2024-05-13', 2840, 10.18, 'RJ', 5.8, 'yes');
INSERT INTO batches VALUES ('LB-3235', 102, 10, '2024-05-24', 6140, 10.47, 'RL', NULL, 'no');
INSERT INTO batches VALUES ('LB-3238', 112, 6, '2024-06-09', 2940, 8.58, 'PR', 0.0, 'no');
INSERT INTO batches VALUES ('LB-3241', 125, 9, '2024-06-21', 6570, 5.27, 'RL', 39.5, 'yes');
INSERT INTO batches VALUES ('LB-3244', 118, 8, '2024-06-27', 55, 37.6, 'RL', 53.6, 'no');
INSERT INTO batches VALUES ('LB-3247', 124, 8, '2024-07-13', 436, 35.66, 'RL', 37.9, 'yes');
INSERT INTO batches VALUES ('LB-3250', 112, 10, '2024-07-25', 7120, 8.26, 'RL', 27.6, 'yes');
INSERT INTO batches VALUES ('LB-3253', 128, 2, '2024-08-05', 3930, 1.88, 'RL', 24.3, 'yes');
INSERT INTO batches VALUES ('LB-3256', 102, 1, '2024-08-14', 4870, 1.16, 'QR', 8.3, 'yes');
INSERT INTO batches VALUES ('LB-3259', 124, 11, '2024-08-27', 7660, 1.26, 'PR', 3.4, 'yes');
INSERT INTO batches VALUES ('LB-3262', 118, 5, '2024-09-07', 1540, 4.7, 'QR', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3265', 127, 10, '2024-09-14', 2340, 9.42, 'RL', 0.0, 'no');
INSERT INTO batches VALUES ('LB-3268', 118, 4, '2024-09-24', 1520, 8.7, 'RL', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3271', 106, 3, '2024-10-11', 630, 4.28, 'RL', NULL, 'yes');
INSERT INTO batches VALUES ('LB-3274', 108, 5, '2024-10-18', 7440, 4.26, 'RL', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3277', 130, 6, '2024-10-30', 3370, 8.96, 'RL', NULL, 'yes');
INSERT INTO batches VALUES ('LB-3280', 117, 8, '2024-11-13', 369, 45.67, 'PR', 0.0, 'yes');
INSERT INTO batches VALUES ('LB-3283', 118, 1, '2024-11-23', 4870, 1.29, 'PR', 60.4, 'no');
INSERT INTO batches VALUES ('LB-3286', 101, 2, '2024-12-04', 4260, 1.58, 'PR', 14.3, 'yes');
INSERT INTO deliveries VALUES (5001, 'LB-3001', 'Turin', '2022-02-08', '2022-02-09', 491, NULL, 'sea');
INSERT INTO deliveries VALUES (5002, 'LB-3004', 'Kassel', '2022-02-21', NULL, 6570, 420.45, 'road');
INSERT INTO deliveries VALUES (5003, 'LB-3007', 'Kassel', '2022-03-10', '2022-03-13', 4220, 1345.4, 'sea');
INSERT INTO deliveries VALUES (5004, 'LB-3013', 'Kassel', '2022-04-03', '2022-04-03', 7580, 137.77, 'rail');
INSERT INTO deliveries VALUES (5005, 'LB-3019', 'Turin', '2022-04-23', '2022-05-05', 5800, 1667.96, 'road');
INSERT INTO deliveries VALUES (5006, 'LB-3022', 'Kassel', '2022-05-18', '2022-05-17', 2000, 746.95, 'road');
INSERT INTO deliveries VALUES (5007, 'LB-3025', 'Kassel', '2022-05-16', NULL, 768, 345.19, 'sea');
INSERT INTO deliveries VALUES (5008, 'LB-3025', 'Turin', '2022-05-14', '2022-05-20', 512, 1947.0, 'rail');
INSERT INTO deliveries VALUES (5009, 'LB-3028', 'Gdansk', '2022-05-20', NULL, 400, 1014.36, 'rail');
INSERT INTO deliveries VALUES (5010, 'LB-3031', 'Kassel', '2022-05-30', NULL, 1970, 2174.35, 'sea');
INSERT INTO deliveries VALUES (5011, 'LB-3034', 'Turin', '2022-06-16', '2022-06-15', 660, 171.05, 'road');
INSERT INTO deliveries VALUES (5012, 'LB-3037', 'Gdansk', '2022-07-13', '2022-07-05', 2980, 836.04, 'sea');
INSERT INTO deliveries VALUES (5013, 'LB-3040', 'Turin', '2022-07-23', '2022-07-21', 8500, 1705.81, 'sea');
INSERT INTO deliveries VALUES (5014, 'LB-3043', 'Turin', '2022-07-11', '2022-07-24', 4220, 1380.42, 'road');
INSERT INTO deliveries VALUES (5015, 'LB-3049', 'Turin', '2022-08-17', '2022-08-11', 8040, 2010.73, 'sea');
INSERT INTO deliveries VALUES (5016, 'LB-3052', 'Kassel', '2022-08-10', '2022-08-17', 342, 1391.89, 'road');
INSERT INTO deliveries VALUES (5017, 'LB-3055', 'Kassel', '2022-09-08', '2022-09-07', 8100, 398.95, 'road');
INSERT INTO deliveries VALUES (5018, 'LB-3058', 'Turin', '2022-10-03', '2022-10-03', 6450, NULL, 'rail');
INSERT INTO deliveries VALUES (5019, 'LB-3061', 'Gdansk', '2022-10-06', '2022-10-15', 7880, 2334.83, 'road');
INSERT INTO deliveries VALUES (5020, 'LB-3064', 'Kassel', '2022-09-28', '2022-09-28', 4980, 888.12, 'sea');
INSERT INTO deliveries VALUES (5021, 'LB-3067', 'Gdansk', '2022-10-07', '2022-10-18', 370, 1173.16, 'rail');
INSERT INTO deliveries VALUES (5022, 'LB-3070', 'Gdansk', '2022-10-21', NULL, 1100, 1372.66, 'road');
INSERT INTO deliveries VALUES (5023, 'LB-3073', 'Turin', '2022-10-29', '2022-10-31', 5022, 638.03, 'road');
INSERT INTO deliveries VALUES (5024, 'LB-3073', 'Turin', '2022-10-30', NULL, 3348, NULL, 'rail');
INSERT INTO deliveries VALUES (5025, 'LB-3079', 'Turin', '2022-11-16', '2022-11-15', 7840, 1165.7, 'sea');
INSERT INTO deliveries VALUES (5026, 'LB-3082', 'Turin', '2022-11-25', '2022-11-24', 8580, NULL, 'road');
INSERT INTO deliveries VALUES (5027, 'LB-3085', 'Gdansk', '2023-01-02', '2022-12-31', 3630, 935.94, 'rail');
INSERT INTO deliveries VALUES (5028, 'LB-3091', 'Turin', '2023-01-26', '2023-01-19', 2410, 1076.71, 'sea');
INSERT INTO deliveries VALUES (5029, 'LB-3094', 'Turin', '2023-01-20', '2023-01-22', 1752, 1240.34, 'sea');
INSERT INTO deliveries VALUES (5030, 'LB-3094', 'Turin', '2023-02-09', '2023-02-12', 1168, 126.98, 'road');
INSERT INTO deliveries VALUES (5031, 'LB-3097', 'Kassel', '2023-02-19', '2023-02-28', 189, 500.22, 'sea');
INSERT INTO deliveries VALUES (5032, 'LB-3100', 'Turin', '2023-02-22', '2023-02-21', 6220, 460.79, 'rail');
INSERT INTO deliveries VALUES (5033, 'LB-3103', 'Turin', '2023-02-25', '2023-03-11', 26, 1956.44, 'road');
INSERT INTO deliveries VALUES (5034, 'LB-3106', 'Kassel', '2023-03-23', '2023-04-06', 3510, 1592.06, 'sea');
INSERT INTO deliveries VALUES (5035, 'LB-3109', 'Gdansk', '2023-03-15', '2023-03-07', 670, 690.16, 'sea');
INSERT INTO deliveries VALUES (5036, 'LB-3112', 'Gdansk', '2023-04-11', '2023-04-13', 270, 293.85, 'sea');
INSERT INTO deliveries VALUES (5037, 'LB-3115', 'Turin', '2023-04-15', '2023-04-08', 797, 437.56, 'sea');
INSERT INTO deliveries VALUES (5038, 'LB-3118', 'Turin', '2023-04-29', '2023-04-22', 457, 742.29, 'road');
INSERT INTO deliveries VALUES (5039, 'LB-3121', 'Kassel', '2023-04-29', '2023-05-01', 1764, 279.65, 'road');
INSERT INTO deliveries VALUES (5040, 'LB-3121', 'Gdansk', '2023-04-30', '2023-05-08', 1176, 2393.82, 'road');
INSERT INTO deliveries VALUES (5041, 'LB-3124', 'Kassel', '2023-05-08', '2023-05-04', 4674, 481.07, 'sea');
INSERT INTO deliveries VALUES (5042, 'LB-3124', 'Turin', '2023-05-08', '2023-05-13', 3116, 1284.28, 'rail');
INSERT INTO deliveries VALUES (5043, 'LB-3127', 'Turin', '2023-05-22', NULL, 7000, 1163.33, 'sea');
INSERT INTO deliveries VALUES (5044, 'LB-3133', 'Kassel', '2023-06-21', '2023-06-15', 6040, 404.6, 'road');
INSERT INTO deliveries VALUES (5045, 'LB-3136', 'Gdansk', '2023-07-15', '2023-07-21', 7860, 1673.33, 'rail');
INSERT INTO deliveries VALUES (5046, 'LB-3139', 'Gdansk', '2023-07-08', '2023-07-02', 2060, 253.96, 'road');
INSERT INTO deliveries VALUES (5047, 'LB-3145', 'Gdansk', '2023-08-03', '2023-08-16', 504, 952.76, 'road');
INSERT INTO deliveries VALUES (5048, 'LB-3145', 'Kassel', '2023-07-22', NULL, 337, 1671.82, 'rail');
INSERT INTO deliveries VALUES (5049, 'LB-3148', 'Gdansk', '2023-08-13', '2023-08-19', 4690, 862.8, 'sea');
INSERT INTO deliveries VALUES (5050, 'LB-3151', 'Gdansk', '2023-08-18', '2023-08-28', 7710, 1992.2, 'sea');
INSERT INTO deliveries VALUES (5051, 'LB-3160', 'Gdansk', '2023-10-03', '2023-10-16', 111, 174.71, 'road');
INSERT INTO deliveries VALUES (5052, 'LB-3160', 'Gdansk', '2023-09-21', NULL, 74, 1272.34, 'sea');
INSERT INTO deliveries VALUES (5053, 'LB-3163', 'Gdansk', '2023-10-26', '2023-11-02', 6780, 776.35, 'rail');
INSERT INTO deliveries VALUES (5054, 'LB-3166', 'Turin', '2023-10-14', '2023-10-19', 581, 1682.84, 'road');
INSERT INTO deliveries VALUES (5055, 'LB-3169', 'Turin', '2023-10-19', '2023-10-12', 756, 2330.91, 'road');
INSERT INTO deliveries VALUES (5056, 'LB-3169', 'Gdansk', '2023-10-27', '2023-10-27', 504, NULL, 'rail');
INSERT INTO deliveries VALUES (5057, 'LB-3175', 'Kassel', '2023-12-07', '2023-12-04', 1990, 2144.42, 'road');
INSERT INTO deliveries VALUES (5058, 'LB-3178', 'Kassel', '2023-12-16', '2023-12-22', 267, 1335.63, 'sea');
INSERT INTO deliveries VALUES (5059, 'LB-3181', 'Turin', '2023-12-29', '2024-01-07', 3432, 2349.36, 'road');
INSERT INTO deliveries VALUES (5060, 'LB-3181', 'Gdansk', '2023-12-17', '2023-12-13', 2288, 1302.63, 'road');
INSERT INTO deliveries VALUES (5061, 'LB-3184', 'Kassel', '2023-12-12', '2023-12-04', 4070, 1676.53, 'rail');
INSERT INTO deliveries VALUES (5062, 'LB-3187', 'Kassel', '2023-12-31', '2024-01-13', 528, 2349.42, 'road');
INSERT INTO deliveries VALUES (5063, 'LB-3187', 'Turin', '2024-01-17', '2024-01-21', 352, 1711.37, 'sea');
INSERT INTO deliveries VALUES (5064, 'LB-3190', 'Gdansk', '2024-01-25', '2024-01-30', 5870, 1649.21, 'road');
INSERT INTO deliveries VALUES (5065, 'LB-3193', 'Turin', '2024-01-23', '2024-01-25', 894, 1170.75, 'sea');
INSERT INTO deliveries VALUES (5066, 'LB-3205', 'Gdansk', '2024-03-01', '2024-02-27', 548, 126.93, 'road');
INSERT INTO deliveries VALUES (5067, 'LB-3208', 'Kassel', '2024-03-29', NULL, 168, 2356.41, 'road');
INSERT INTO deliveries VALUES (5068, 'LB-3208', 'Gdansk', '2024-04-05', '2024-04-15', 112, 2348.77, 'sea');
INSERT INTO deliveries VALUES (5069, 'LB-3211', 'Kassel', '2024-03-31', '2024-03-24', 309, 1570.04, 'sea');
INSERT INTO deliveries VALUES (5070, 'LB-3217', 'Kassel', '2024-05-04', '2024-04-27', 950, 1818.98, 'sea');
INSERT INTO deliveries VALUES (5071, 'LB-3220', 'Turin', '2024-04-27', '2024-05-09', 2490, 2270.04, 'sea');
INSERT INTO deliveries VALUES (5072, 'LB-3220', 'Turin', '2024-05-15', '2024-05-16', 1660, 1022.95, 'rail');
INSERT INTO deliveries VALUES (5073, 'LB-3223', 'Gdansk', '2024-05-26', '2024-05-23', 3366, 2000.37, 'sea');
INSERT INTO deliveries VALUES (5074, 'LB-3223', 'Turin', '2024-05-17', NULL, 2244, 1314.56, 'road');
INSERT INTO deliveries VALUES (5075, 'LB-3229', 'Kassel', '2024-06-12', NULL, 1250, 725.19, 'sea');
INSERT INTO deliveries VALUES (5076, 'LB-3232', 'Turin', '2024-06-03', NULL, 2840, 1705.77, 'road');
INSERT INTO deliveries VALUES (5077, 'LB-3235', 'Kassel', '2024-07-04', '2024-07-13', 6140, 277.65, 'road');
INSERT INTO deliveries VALUES (5078, 'LB-3238', 'Turin', '2024-07-25', '2024-07-31', 1764, 2323.21, 'rail');
INSERT INTO deliveries VALUES (5079, 'LB-3238', 'Turin', '2024-07-23', '2024-07-18', 1176, 2343.78, 'sea');
INSERT INTO deliveries VALUES (5080, 'LB-3241', 'Turin', '2024-07-27', '2024-07-30', 6570, 1000.11, 'road');
INSERT INTO deliveries VALUES (5081, 'LB-3244', 'Kassel', '2024-07-29', '2024-08-10', 33, 1837.86, 'road');
INSERT INTO deliveries VALUES (5082, 'LB-3244', 'Turin', '2024-07-31', '2024-08-03', 22, 538.31, 'sea');
INSERT INTO deliveries VALUES (5083, 'LB-3247', 'Turin', '2024-08-16', '2024-08-28', 436, 2095.79, 'rail');
INSERT INTO deliveries VALUES (5084, 'LB-3250', 'Kassel', '2024-09-03', '2024-09-09', 7120, NULL, 'road');
INSERT INTO deliveries VALUES (5085, 'LB-3253', 'Kassel', '2024-09-10', '2024-09-16', 2358, 1598.68, 'rail');
INSERT INTO deliveries VALUES (5086, 'LB-3253', 'Gdansk', '2024-09-05', '2024-09-16', 1572, 2241.08, 'rail');
INSERT INTO deliveries VALUES (5087, 'LB-3256', 'Turin', '2024-10-01', '2024-09-30', 4870, 2203.58, 'road');
INSERT INTO deliveries VALUES (5088, 'LB-3262', 'Kassel', '2024-10-18', '2024-10-14', 1540, 1002.44, 'rail');
INSERT INTO deliveries VALUES (5089, 'LB-3265', 'Kassel', '2024-10-07', '2024-10-16', 1404, 671.98, 'sea');
INSERT INTO deliveries VALUES (5090, 'LB-3265', 'Turin', '2024-10-05', '2024-10-02', 936, 1765.51, 'road');
INSERT INTO deliveries VALUES (5091, 'LB-3268', 'Kassel', '2024-11-03', '2024-11-06', 912, 1882.69, 'sea');
INSERT INTO deliveries VALUES (5092, 'LB-3268', 'Turin', '2024-10-26', '2024-10-26', 608, 1697.63, 'sea');
INSERT INTO deliveries VALUES (5093, 'LB-3271', 'Kassel', '2024-11-19', '2024-12-03', 378, 471.56, 'sea');
INSERT INTO deliveries VALUES (5094, 'LB-3271', 'Turin', '2024-11-06', '2024-11-17', 252, 999.97, 'road');
INSERT INTO deliveries VALUES (5095, 'LB-3274', 'Gdansk', '2024-11-21', '2024-11-13', 4464, 2019.01, 'sea');
INSERT INTO deliveries VALUES (5096, 'LB-3274', 'Kassel', '2024-11-14', '2024-11-24', 2976, 1207.97, 'rail');
INSERT INTO deliveries VALUES (5097, 'LB-3277', 'Turin', '2024-12-12', '2024-12-08', 3370, 2258.72, 'road');
INSERT INTO deliveries VALUES (5098, 'LB-3280', 'Kassel', '2025-01-02', '2025-01-05', 369, 1184.8, 'rail');
INSERT INTO deliveries VALUES (5099, 'LB-3286', 'Kassel', '2024-12-31', '2025-01-07', 2556, 2381.01, 'rail');
INSERT INTO deliveries VALUES (5100, 'LB-3286', 'Kassel', '2024-12-31', '2025-01-01', 1704, 635.41, 'road');
INSERT INTO audits VALUES (1, 109, '2021-03-06', 'Priya Nandakumar', NULL, 'failed');
INSERT INTO audits VALUES (2, 124, '2021-04-16', 'Ilse Rademaker', 44, 'failed');
INSERT INTO audits VALUES (3, 112, '2021-05-20', 'Priya Nandakumar', 96, 'passed');
INSERT INTO audits VALUES (4, 118, '2021-06-09', 'Gustav Ekdal', 73, 'passed');
INSERT INTO audits VALUES (5, 101, '2021-07-16', 'Gustav Ekdal', 69, 'passed');
INSERT INTO audits VALUES (6, 107, '2021-08-01', 'Tomas Wieczny', 96, 'passed');
INSERT INTO audits VALUES (7, 128, '2021-09-07', 'Tomas Wieczny', 76, 'passed');
INSERT INTO audits VALUES (8, 121, '2021-10-02', 'Ilse Rademaker', 59, 'failed');
INSERT INTO audits VALUES (9, 103, '2021-11-03', 'Ilse Rademaker', 89, 'passed');
INSERT INTO audits VALUES (10, 127, '2021-12-14', 'Tomas Wieczny', 68, 'passed');
INSERT INTO audits VALUES (11, 103, '2022-01-05', 'Gustav Ekdal', 76, 'passed');
INSERT INTO audits VALUES (12, 103, '2022-02-12', 'Ilse Rademaker', NULL, 'passed');
INSERT INTO audits VALUES (13, 110, '2022-03-16', 'Priya Nandakumar', 73, 'passed');
INSERT INTO audits VALUES (14, 107, '2022-03-28', 'Ilse Rademaker', 91, 'passed');
INSERT INTO audits VALUES (15, 110, '2022-05-04', 'Gustav Ekdal', 89, 'passed');
INSERT INTO audits VALUES (16, 119, '2022-05-26', 'Gustav Ekdal', 70, 'passed');
INSERT INTO audits VALUES (17, 112, '2022-06-28', 'Priya Nandakumar', 97, 'passed');
INSERT INTO audits VALUES (18, 112, '2022-08-11', 'Tomas Wieczny', 50, 'failed');
INSERT INTO audits VALUES (19, 102, '2022-09-02', 'Priya Nandakumar', 69, 'passed');
INSERT INTO audits VALUES (20, 115, '2022-09-28', 'Tomas Wieczny', 76, 'passed');
INSERT INTO audits VALUES (21, 110, '2022-11-08', 'Gustav Ekdal', 54, 'failed');
INSERT INTO audits VALUES (22, 112, '2022-11-29', 'Ilse Rademaker', 55, 'failed');
INSERT INTO audits VALUES (23, 118, '2022-12-25', 'Ilse Rademaker', NULL, 'failed');
INSERT INTO audits VALUES (24, 106, '2023-01-20', 'Tomas Wieczny', 48, 'failed');
INSERT INTO audits VALUES (25, 122, '2023-03-02', 'Priya Nandakumar', 61, 'passed');
INSERT INTO audits VALUES (26, 104, '2023-04-04', 'Ilse Rademaker', 45, 'failed');
INSERT INTO audits VALUES (27, 122, '2023-04-20', 'Ilse Rademaker', 58, 'failed');
INSERT INTO audits VALUES (28, 114, '2023-06-09', 'Ilse Rademaker', 61, 'passed');
INSERT INTO audits VALUES (29, 124, '2023-07-06', 'Gustav Ekdal', 62, 'passed');
INSERT INTO audits VALUES (30, 129, '2023-07-25', 'Gustav Ekdal', 41, 'failed');
INSERT INTO audits VALUES (31, 126, '2023-08-20', 'Gustav Ekdal', 72, 'passed');
INSERT INTO audits VALUES (32, 111, '2023-09-21', 'Gustav Ekdal', 85, 'passed');
INSERT INTO audits VALUES (33, 126, '2023-10-28', 'Priya Nandakumar', 76, 'passed');
INSERT INTO audits VALUES (34, 112, '2023-12-06', 'Priya Nandakumar', 77, 'passed');
INSERT INTO audits VALUES (35, 110, '2023-12-16', 'Gustav Ekdal', 95, 'passed');
INSERT INTO audits VALUES (36, 106, '2024-01-29', 'Gustav Ekdal', 97, 'passed');
INSERT INTO audits VALUES (37, 106, '2024-03-04', 'Gustav Ekdal', 79, 'passed');
INSERT INTO audits VALUES (38, 124, '2024-03-29', 'Priya Nandakumar', 91, 'passed');
INSERT INTO audits VALUES (39, 118, '2024-04-22', 'Tomas Wieczny', NULL, 'passed');
INSERT INTO audits VALUES (40, 110, '2024-05-14', 'Ilse Rademaker', 97, 'passed');
INSERT INTO audits VALUES (41, 123, '2024-06-13', 'Ilse Rademaker', 62, 'passed');
INSERT INTO audits VALUES (42, 115, '2024-07-27', 'Ilse Rademaker', 65, 'passed');
INSERT INTO audits VALUES (43, 128, '2024-08-12', 'Tomas Wieczny', 49, 'failed');
INSERT INTO audits VALUES (44, 117, '2024-09-30', 'Ilse Rademaker', 93, 'passed');
INSERT INTO audits VALUES (45, 130, '2024-10-19', 'Ilse Rademaker', 93, 'passed');
COMMIT;
