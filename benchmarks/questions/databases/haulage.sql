PRAGMA foreign_keys = ON;

CREATE TABLE depots (
  depot_id INTEGER PRIMARY KEY,
  depot_name TEXT NOT NULL,
  city TEXT NOT NULL,
  region TEXT NOT NULL,
  opened_on TEXT,
  yard_m2 INTEGER,
  charging_points INTEGER,
  has_workshop INTEGER NOT NULL
);

CREATE TABLE status_codes (
  status TEXT PRIMARY KEY,
  meaning TEXT NOT NULL
);

CREATE TABLE vehicles (
  vehicle_id INTEGER PRIMARY KEY,
  plate TEXT NOT NULL UNIQUE,
  model TEXT NOT NULL,
  vclass TEXT NOT NULL,
  drive TEXT NOT NULL,
  depot_id INTEGER NOT NULL REFERENCES depots(depot_id),
  status TEXT NOT NULL REFERENCES status_codes(status),
  payload_kg INTEGER,
  first_reg TEXT,
  odometer_km INTEGER,
  leased INTEGER NOT NULL
);

CREATE TABLE trips (
  trip_id INTEGER PRIMARY KEY,
  vehicle_id INTEGER NOT NULL REFERENCES vehicles(vehicle_id),
  driver TEXT,
  trip_date TEXT NOT NULL,
  dest_city TEXT,
  dist_km INTEGER,
  fuel_l REAL,
  energy_kwh REAL,
  load_kg INTEGER,
  on_time TEXT
);

CREATE TABLE maintenance (
  job_id INTEGER PRIMARY KEY,
  vehicle_id INTEGER NOT NULL REFERENCES vehicles(vehicle_id),
  done_on TEXT NOT NULL,
  job_type TEXT NOT NULL,
  cost_eur REAL,
  downtime_h INTEGER,
  workshop TEXT,
  warranty TEXT NOT NULL
);

INSERT INTO depots VALUES (1, 'Hamburg Süd', 'Hamburg', 'North', '2009-04-01', 18500, 6, 1);
INSERT INTO depots VALUES (2, 'Bremen Hafen', 'Bremen', 'North', '2012-09-15', 11200, 2, 0);
INSERT INTO depots VALUES (3, 'Köln Niehl', 'Köln', 'West', '2006-02-20', 22300, 8, 1);
INSERT INTO depots VALUES (4, 'Düsseldorf Reisholz', 'Düsseldorf', 'West', '2015-06-01', 9400, NULL, 0);
INSERT INTO depots VALUES (5, 'München Ost', 'München', 'South', '2004-11-08', 26100, 12, 1);
INSERT INTO depots VALUES (6, 'Nürnberg Hafen', 'Nürnberg', 'South', '2018-03-12', 14800, 4, 0);
INSERT INTO depots VALUES (7, 'Leipzig Schkeuditz', 'Leipzig', 'East', '2016-10-03', 31000, 10, 1);
INSERT INTO depots VALUES (8, 'Berlin Großbeeren', 'Berlin', 'East', '2011-05-16', 24700, 9, 1);
INSERT INTO depots VALUES (9, 'Saarbrücken Güdingen', 'Saarbrücken', 'West', '2019-08-26', 6800, NULL, 0);
INSERT INTO depots VALUES (10, 'Würzburg Lengfeld', 'Würzburg', 'South', '2021-01-11', 7900, 3, 0);
INSERT INTO depots VALUES (11, 'Lübeck Roggenhorst', 'Lübeck', 'North', '2022-07-04', 5600, 0, 0);
INSERT INTO depots VALUES (12, 'Kassel Waldau', 'Kassel', 'West', '2013-12-02', 15300, NULL, 1);

INSERT INTO status_codes VALUES ('A', 'in service');
INSERT INTO status_codes VALUES ('W', 'in the workshop');
INSERT INTO status_codes VALUES ('S', 'standby');
INSERT INTO status_codes VALUES ('X', 'decommissioned');

INSERT INTO vehicles VALUES (101, 'HH-LT 4111', 'Mercedes-Benz Atego 1224', 'rigid', 'diesel', 1, 'A', 6100, '2021-08-11', 264438, 0);
INSERT INTO vehicles VALUES (102, 'HH-LT 2542', 'Iveco S-Way LNG', 'tractor', 'lng', 1, 'S', 23600, '2021-01-23', 344238, 0);
INSERT INTO vehicles VALUES (103, 'HH-LT 1686', 'MAN TGL 12.250', 'rigid', 'diesel', 1, 'S', 6400, '2015-01-07', 762351, 1);
INSERT INTO vehicles VALUES (104, 'HB-LT 3580', 'Volvo FL Electric', 'rigid', 'electric', 2, 'A', 8200, '2022-09-01', 220994, 1);
INSERT INTO vehicles VALUES (105, 'HB-LT 4963', 'Mercedes-Benz Sprinter 317', 'van', 'diesel', 2, 'A', 1250, '2014-09-01', 211857, 1);
INSERT INTO vehicles VALUES (106, 'K-LT 4200', 'Ford E-Transit', 'van', 'electric', 3, 'A', 1085, '2022-10-31', 85737, 1);
INSERT INTO vehicles VALUES (107, 'K-LT 8492', 'Mercedes-Benz eSprinter', 'van', 'electric', 3, 'W', 1010, '2023-10-21', 43380, 1);
INSERT INTO vehicles VALUES (108, 'K-LT 6165', 'Volvo FL Electric', 'rigid', 'electric', 3, 'W', 8200, '2023-02-03', 96832, 0);
INSERT INTO vehicles VALUES (109, 'D-LT 2768', 'Mercedes-Benz eActros 600', 'tractor', 'electric', 4, 'A', 22000, '2021-03-02', 187448, 0);
INSERT INTO vehicles VALUES (110, 'M-LT 1008', 'Mercedes-Benz eSprinter', 'van', 'electric', 5, 'X', 1010, '2023-03-03', NULL, 0);
INSERT INTO vehicles VALUES (111, 'M-LT 7511', 'Mercedes-Benz Sprinter 317', 'van', 'diesel', 5, 'X', 1250, '2019-04-10', 154566, 0);
INSERT INTO vehicles VALUES (112, 'M-LT 2427', 'MAN TGE 3.180', 'van', 'diesel', 5, 'A', 1190, '2022-09-24', 98793, 0);
INSERT INTO vehicles VALUES (113, 'M-LT 3205', 'MAN TGL 12.250', 'rigid', 'diesel', 5, 'X', 6400, '2018-08-07', 648817, 0);
INSERT INTO vehicles VALUES (114, 'N-LT 8976', 'Scania R 450', 'tractor', 'diesel', 6, 'A', 24500, '2014-02-14', 477945, 0);
INSERT INTO vehicles VALUES (115, 'N-LT 3145', 'DAF XF 480', 'tractor', 'diesel', 6, 'A', 24800, '2019-01-07', 456633, 0);
INSERT INTO vehicles VALUES (116, 'L-LT 4487', 'Iveco S-Way LNG', 'tractor', 'lng', 7, 'A', 23600, '2015-04-23', 664320, 0);
INSERT INTO vehicles VALUES (117, 'L-LT 7459', 'Mercedes-Benz Atego 1224', 'rigid', 'diesel', 7, 'A', 6100, '2017-05-30', 330002, 1);
INSERT INTO vehicles VALUES (118, 'L-LT 5231', 'Scania R 450', 'tractor', 'diesel', 7, 'A', 24500, '2014-06-22', 542537, 0);
INSERT INTO vehicles VALUES (119, 'B-LT 2476', 'Mercedes-Benz eActros 600', 'tractor', 'electric', 8, 'A', 22000, '2022-08-30', 215247, 0);
INSERT INTO vehicles VALUES (120, 'B-LT 8425', 'DAF XF 480', 'tractor', 'diesel', 8, 'A', 24800, '2014-03-05', NULL, 0);
INSERT INTO vehicles VALUES (121, 'SB-LT 7325', 'Iveco S-Way LNG', 'tractor', 'lng', 9, 'A', 23600, '2023-05-03', 181572, 0);
INSERT INTO vehicles VALUES (122, 'WÜ-LT 5087', 'DAF XF 480', 'tractor', 'diesel', 10, 'S', 24800, '2017-06-27', 444922, 1);
INSERT INTO vehicles VALUES (123, 'KS-LT 4220', 'MAN TGE 3.180', 'van', 'diesel', 12, 'X', 1190, '2022-04-17', 96237, 1);
INSERT INTO vehicles VALUES (124, 'KS-LT 2701', 'Volvo FL Electric', 'rigid', 'electric', 12, 'A', 8200, '2024-05-21', 60401, 0);
INSERT INTO vehicles VALUES (125, 'HH-LT 5210', 'Mercedes-Benz eSprinter', 'van', 'electric', 1, 'W', 1010, '2022-05-04', 102411, 0);
INSERT INTO vehicles VALUES (126, 'B-LT 2126', 'Iveco S-Way LNG', 'tractor', 'lng', 8, 'A', 23600, '2017-04-16', 605497, 0);

INSERT INTO trips VALUES (5001, 104, 'Piotr Kowalczyk', '2024-01-19', 'Zürich', 938, NULL, 825.7, 4510, 'Y');
INSERT INTO trips VALUES (5002, 109, 'Sabine Groß', '2024-01-19', 'Zürich', 551, NULL, 669.9, 8070, 'Y');
INSERT INTO trips VALUES (5003, 119, 'Dieter Böhm', '2024-01-20', 'Hannover', 154, NULL, 169.6, 15700, 'Y');
INSERT INTO trips VALUES (5004, 118, 'Tomáš Novák', '2024-01-21', 'Poznań', 667, 188.4, NULL, 17910, 'Y');
INSERT INTO trips VALUES (5005, 102, 'Jörg Weiß', '2024-01-29', 'Rotterdam', 626, NULL, NULL, 16680, 'Y');
INSERT INTO trips VALUES (5006, 117, NULL, '2024-01-31', 'Hannover', 170, 41.9, NULL, 1970, 'Y');
INSERT INTO trips VALUES (5007, 121, 'Lena Hübner', '2024-02-22', 'Wien', 655, NULL, NULL, 15360, 'Y');
INSERT INTO trips VALUES (5008, 114, 'Jörg Weiß', '2024-03-13', 'Hamburg', 279, 72.6, NULL, 23170, 'Y');
INSERT INTO trips VALUES (5009, 121, 'Katrin Müller', '2024-03-13', 'Poznań', 926, NULL, NULL, NULL, 'Y');
INSERT INTO trips VALUES (5010, 115, 'Björn Schäfer', '2024-03-20', 'Poznań', 923, 244.5, NULL, 20880, 'Y');
INSERT INTO trips VALUES (5011, 114, 'Tomáš Novák', '2024-03-23', 'Mannheim', 547, 137.6, NULL, 20630, 'Y');
INSERT INTO trips VALUES (5012, 112, 'Lena Hübner', '2024-03-26', 'Mannheim', 190, 20.5, NULL, 670, NULL);
INSERT INTO trips VALUES (5013, 112, 'Uwe Krüger', '2024-03-27', 'Hannover', 376, 32.8, NULL, 970, 'Y');
INSERT INTO trips VALUES (5014, 120, 'Dieter Böhm', '2024-04-05', 'Dresden', 845, 246.0, NULL, 20220, 'Y');
INSERT INTO trips VALUES (5015, 103, NULL, '2024-04-06', 'Antwerpen', 908, 196.4, NULL, 4010, 'Y');
INSERT INTO trips VALUES (5016, 114, 'Dieter Böhm', '2024-04-19', 'Antwerpen', 693, 206.5, NULL, 17970, 'N');
INSERT INTO trips VALUES (5017, 114, 'Uwe Krüger', '2024-04-25', 'Antwerpen', 842, 278.7, NULL, 7750, 'N');
INSERT INTO trips VALUES (5018, 125, 'Jörg Weiß', '2024-05-04', 'Dresden', 141, NULL, 51.6, 720, 'N');
INSERT INTO trips VALUES (5019, 104, 'Tomáš Novák', '2024-05-05', 'Hamburg', 723, NULL, 635.0, 6380, 'Y');
INSERT INTO trips VALUES (5020, 106, 'Sabine Groß', '2024-05-20', 'Stuttgart', 194, NULL, 70.3, 650, 'Y');
INSERT INTO trips VALUES (5021, 107, 'Katrin Müller', '2024-05-22', 'Dresden', 179, NULL, 52.5, 800, 'Y');
INSERT INTO trips VALUES (5022, 109, 'Sabine Groß', '2024-05-23', 'Stuttgart', 259, NULL, 316.2, 20010, 'N');
INSERT INTO trips VALUES (5023, 109, 'Jörg Weiß', '2024-05-26', 'Hannover', 502, NULL, 614.9, 12660, 'Y');
INSERT INTO trips VALUES (5024, 119, 'Uwe Krüger', '2024-06-03', 'Stuttgart', 913, NULL, 1044.3, 21240, 'N');
INSERT INTO trips VALUES (5025, 103, 'Sabine Groß', '2024-06-19', 'Antwerpen', 751, 170.9, NULL, 3590, NULL);
INSERT INTO trips VALUES (5026, 101, 'Jörg Weiß', '2024-07-06', 'Wien', 415, 86.6, NULL, 2990, 'Y');
INSERT INTO trips VALUES (5027, 124, 'Tomáš Novák', '2024-07-11', 'Hannover', 279, NULL, 235.0, 4220, 'Y');
INSERT INTO trips VALUES (5028, 101, 'Sabine Groß', '2024-07-21', 'Frankfurt am Main', 226, NULL, NULL, 3920, NULL);
INSERT INTO trips VALUES (5029, 107, 'Sabine Groß', '2024-07-25', 'Dresden', 288, NULL, 99.5, 710, 'Y');
INSERT INTO trips VALUES (5030, 124, 'Ayşe Demir', '2024-08-03', 'Antwerpen', 722, NULL, 524.4, 3420, 'Y');
INSERT INTO trips VALUES (5031, 124, 'Ayşe Demir', '2024-08-03', 'Mannheim', 257, NULL, 199.0, 7260, 'Y');
INSERT INTO trips VALUES (5032, 109, 'Katrin Müller', '2024-08-14', 'Hamburg', 789, NULL, 969.9, 12350, 'Y');
INSERT INTO trips VALUES (5033, 120, 'Lena Hübner', '2024-08-18', 'Hannover', 303, 91.2, NULL, 16370, 'N');
INSERT INTO trips VALUES (5034, 104, 'Jörg Weiß', '2024-09-01', 'Rotterdam', 504, NULL, 441.8, 3980, NULL);
INSERT INTO trips VALUES (5035, 125, 'Uwe Krüger', '2024-09-26', 'Mannheim', 119, NULL, 35.6, 420, 'Y');
INSERT INTO trips VALUES (5036, 121, 'Lena Hübner', '2024-09-26', 'Stuttgart', 886, NULL, NULL, 12080, 'Y');
INSERT INTO trips VALUES (5037, 105, 'Uwe Krüger', '2024-10-02', 'Hannover', 266, 26.7, NULL, 910, 'Y');
INSERT INTO trips VALUES (5038, 124, 'Lena Hübner', '2024-10-13', 'Hamburg', 451, NULL, 401.5, 5650, 'Y');
INSERT INTO trips VALUES (5039, 114, 'Jörg Weiß', '2024-10-18', 'Mannheim', 779, 227.8, NULL, 21890, 'Y');
INSERT INTO trips VALUES (5040, 108, 'Ayşe Demir', '2024-10-20', 'Zürich', 712, NULL, 581.1, 3640, 'N');
INSERT INTO trips VALUES (5041, 112, 'Lena Hübner', '2024-10-24', 'Mannheim', 351, 33.3, NULL, 890, 'N');
INSERT INTO trips VALUES (5042, 106, 'Sabine Groß', '2025-02-02', 'Hannover', 310, NULL, 112.1, 780, 'Y');
INSERT INTO trips VALUES (5043, 104, 'Katrin Müller', '2025-02-10', 'Mannheim', 797, NULL, 567.8, 7920, NULL);
INSERT INTO trips VALUES (5044, 104, 'Katrin Müller', '2025-02-23', 'Poznań', 571, NULL, 476.7, 5960, 'N');
INSERT INTO trips VALUES (5045, 101, 'Björn Schäfer', '2025-03-01', 'Rotterdam', 931, 183.0, NULL, 4960, 'Y');
INSERT INTO trips VALUES (5046, 105, 'Ayşe Demir', '2025-03-10', 'Mannheim', 260, 22.9, NULL, 1170, 'Y');
INSERT INTO trips VALUES (5047, 119, 'Uwe Krüger', '2025-03-13', 'Antwerpen', 765, NULL, 853.4, 10850, 'Y');
INSERT INTO trips VALUES (5048, 104, 'Lena Hübner', '2025-03-30', 'Antwerpen', 778, NULL, 566.4, 2580, 'Y');
INSERT INTO trips VALUES (5049, 109, 'Ayşe Demir', '2025-04-09', 'Hamburg', 937, NULL, 936.8, 8230, 'Y');
INSERT INTO trips VALUES (5050, 103, 'Ayşe Demir', '2025-04-15', 'Mannheim', 458, 92.5, NULL, 4290, 'N');
INSERT INTO trips VALUES (5051, 125, 'Sabine Groß', '2025-04-20', 'Hannover', 211, NULL, 72.7, 600, 'N');
INSERT INTO trips VALUES (5052, 122, 'Lena Hübner', '2025-04-21', 'Wien', 642, 164.3, NULL, 14410, NULL);
INSERT INTO trips VALUES (5053, 101, 'Tomáš Novák', '2025-04-26', 'Poznań', 703, 154.9, NULL, 3180, NULL);
INSERT INTO trips VALUES (5054, 102, 'Björn Schäfer', '2025-05-03', 'Praha', 685, NULL, NULL, 9460, 'Y');
INSERT INTO trips VALUES (5055, 116, 'Sabine Groß', '2025-05-09', 'Stuttgart', 392, NULL, NULL, 15500, 'Y');
INSERT INTO trips VALUES (5056, 124, 'Uwe Krüger', '2025-06-01', 'Hamburg', 670, NULL, 587.7, 7430, 'Y');
INSERT INTO trips VALUES (5057, 101, 'Dieter Böhm', '2025-06-01', 'Dresden', 430, 86.9, NULL, 2260, 'Y');
INSERT INTO trips VALUES (5058, 121, 'Tomáš Novák', '2025-06-07', 'Frankfurt am Main', 408, NULL, NULL, 8400, 'Y');
INSERT INTO trips VALUES (5059, 119, 'Tomáš Novák', '2025-06-23', 'Antwerpen', 871, NULL, 918.1, 14080, NULL);
INSERT INTO trips VALUES (5060, 105, 'Tomáš Novák', '2025-06-25', 'Hannover', 265, 23.8, NULL, 870, 'Y');

INSERT INTO maintenance VALUES (901, 122, '2023-06-04', 'brake repair', 1636.03, 6, 'Autohaus Böttcher & Sohn', 'N');
INSERT INTO maintenance VALUES (902, 118, '2023-08-14', 'body work', 2936.86, 14, 'Autohaus Böttcher & Sohn', 'N');
INSERT INTO maintenance VALUES (903, 103, '2023-08-25', 'gearbox repair', 4787.15, 86, 'Autohaus Böttcher & Sohn', 'N');
INSERT INTO maintenance VALUES (904, 120, '2023-09-13', 'inspection', NULL, 4, 'MAN Service München', 'N');
INSERT INTO maintenance VALUES (905, 108, '2023-09-25', 'battery check', 190.41, 3, 'MAN Service München', 'N');
INSERT INTO maintenance VALUES (906, 103, '2023-11-12', 'body work', 2417.07, 52, 'in-house', 'N');
INSERT INTO maintenance VALUES (907, 108, '2023-12-07', 'battery check', 245.23, 4, 'Truck Service Nord', 'N');
INSERT INTO maintenance VALUES (908, 115, '2024-01-05', 'gearbox repair', 4843.96, 57, 'Autohaus Böttcher & Sohn', 'N');
INSERT INTO maintenance VALUES (909, 106, '2024-01-09', 'brake repair', 1340.16, 14, 'Autohaus Böttcher & Sohn', 'N');
INSERT INTO maintenance VALUES (910, 113, '2024-01-09', 'inspection', 407.4, 6, 'MAN Service München', 'N');
INSERT INTO maintenance VALUES (911, 107, '2024-02-01', 'brake repair', 798.15, 8, 'MAN Service München', 'N');
INSERT INTO maintenance VALUES (912, 121, '2024-02-07', 'oil change', 318.05, 2, 'MAN Service München', 'N');
INSERT INTO maintenance VALUES (913, 114, '2024-02-07', 'tyre change', 1639.39, 5, 'Truck Service Nord', 'N');
INSERT INTO maintenance VALUES (914, 111, '2024-02-21', 'tyre change', 1936.43, 6, 'Truck Service Nord', 'N');
INSERT INTO maintenance VALUES (915, 112, '2024-03-05', 'brake repair', 1369.34, 16, 'MAN Service München', 'N');
INSERT INTO maintenance VALUES (916, 103, '2024-03-15', 'oil change', 342.96, 1, 'MAN Service München', 'Y');
INSERT INTO maintenance VALUES (917, 106, '2024-03-29', 'body work', 3789.17, 53, 'Autohaus Böttcher & Sohn', 'Y');
INSERT INTO maintenance VALUES (918, 101, '2024-04-13', 'inspection', 231.18, NULL, 'MAN Service München', 'Y');
INSERT INTO maintenance VALUES (919, 109, '2024-04-17', 'inspection', 200.33, 8, 'Truck Service Nord', 'Y');
INSERT INTO maintenance VALUES (920, 110, '2024-04-21', 'battery check', 150.97, 2, 'Werkstatt Hübner', 'N');
INSERT INTO maintenance VALUES (921, 112, '2024-05-12', 'tyre change', 931.79, 3, 'Werkstatt Hübner', 'N');
INSERT INTO maintenance VALUES (922, 115, '2024-05-24', 'oil change', 224.45, 2, 'Truck Service Nord', 'N');
INSERT INTO maintenance VALUES (923, 112, '2024-06-07', 'inspection', 342.48, 7, 'Autohaus Böttcher & Sohn', 'N');
INSERT INTO maintenance VALUES (924, 119, '2024-07-04', 'brake repair', 1275.16, 14, 'MAN Service München', 'Y');
INSERT INTO maintenance VALUES (925, 121, '2024-11-18', 'inspection', 266.89, 3, 'Werkstatt Hübner', 'N');
INSERT INTO maintenance VALUES (926, 113, '2024-11-23', 'oil change', 213.01, 1, 'Autohaus Böttcher & Sohn', 'N');
INSERT INTO maintenance VALUES (927, 112, '2024-11-25', 'body work', 3289.94, 20, 'in-house', 'N');
INSERT INTO maintenance VALUES (928, 118, '2024-12-10', 'brake repair', NULL, NULL, 'Werkstatt Hübner', 'N');
INSERT INTO maintenance VALUES (929, 111, '2024-12-12', 'body work', 3146.55, 17, 'Autohaus Böttcher & Sohn', 'N');
INSERT INTO maintenance VALUES (930, 110, '2024-12-15', 'body work', 2182.32, 28, 'Autohaus Böttcher & Sohn', 'N');
INSERT INTO maintenance VALUES (931, 115, '2025-01-19', 'inspection', 295.46, 3, 'in-house', 'Y');
INSERT INTO maintenance VALUES (932, 115, '2025-01-30', 'gearbox repair', 7025.36, 59, 'Autohaus Böttcher & Sohn', 'N');
INSERT INTO maintenance VALUES (933, 107, '2025-03-05', 'inspection', 194.59, 5, 'in-house', 'N');
INSERT INTO maintenance VALUES (934, 104, '2025-03-25', 'brake repair', NULL, 7, 'Truck Service Nord', 'N');
INSERT INTO maintenance VALUES (935, 112, '2025-03-31', 'tyre change', 1808.69, 6, 'in-house', 'N');
INSERT INTO maintenance VALUES (936, 106, '2025-03-31', 'battery check', 171.7, 1, 'Autohaus Böttcher & Sohn', 'N');
INSERT INTO maintenance VALUES (937, 108, '2025-04-04', 'brake repair', 1527.33, 10, 'Werkstatt Hübner', 'N');
INSERT INTO maintenance VALUES (938, 109, '2025-04-04', 'inspection', 401.82, 3, 'Autohaus Böttcher & Sohn', 'N');
INSERT INTO maintenance VALUES (939, 115, '2025-05-31', 'tyre change', 1070.16, 3, 'Autohaus Böttcher & Sohn', 'Y');
INSERT INTO maintenance VALUES (940, 110, '2025-06-12', 'battery check', 226.98, 3, 'in-house', 'N');

