PRAGMA foreign_keys = ON;

CREATE TABLE borrowers (
  borrower_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  sector TEXT,
  country TEXT,
  founded INTEGER,
  employees INTEGER,
  account_manager TEXT,
  is_sme INTEGER NOT NULL
);

CREATE TABLE loans (
  loan_id TEXT PRIMARY KEY,
  borrower_id INTEGER NOT NULL REFERENCES borrowers(borrower_id),
  product TEXT NOT NULL,
  amount_eur_k REAL NOT NULL,
  outstanding_eur_k REAL NOT NULL,
  rate_pct REAL,
  rate_type TEXT,          -- F fixed, V variable
  granted_on TEXT NOT NULL,
  matures_on TEXT NOT NULL,
  status TEXT NOT NULL,    -- A active, C closed, D in default
  secured TEXT
);

CREATE TABLE ratings (
  rating_id INTEGER PRIMARY KEY,
  borrower_id INTEGER NOT NULL REFERENCES borrowers(borrower_id),
  rated_on TEXT NOT NULL,
  grade TEXT NOT NULL,
  pd_pct REAL,
  outlook TEXT
);

CREATE TABLE payments (
  payment_id INTEGER PRIMARY KEY,
  loan_id TEXT NOT NULL REFERENCES loans(loan_id),
  due_on TEXT NOT NULL,
  paid_on TEXT,
  due_eur_k REAL NOT NULL,
  paid_eur_k REAL NOT NULL
);

CREATE TABLE covenants (
  covenant_id INTEGER PRIMARY KEY,
  loan_id TEXT NOT NULL REFERENCES loans(loan_id),
  metric TEXT NOT NULL,
  direction TEXT NOT NULL,
  threshold REAL NOT NULL,
  actual REAL,
  tested_on TEXT,
  breached INTEGER,
  waived TEXT
);

INSERT INTO borrowers VALUES (1, 'Müller & Söhne Maschinenbau GmbH', 'machinery', 'DE', 1965, 57, 'Herr Jürgens', 1);
INSERT INTO borrowers VALUES (2, 'Bäckerei Grünwald KG', 'food', 'DE', 1936, 32, 'Frau Lindqvist', 1);
INSERT INTO borrowers VALUES (3, 'Alpenglück Hotel AG', 'hospitality', 'AT', 2003, 712, 'Frau Özdemir', 0);
INSERT INTO borrowers VALUES (4, 'Nordwind Energie GmbH', 'energy', 'DE', 1994, 91, 'Frau Özdemir', 1);
INSERT INTO borrowers VALUES (5, 'Jäger Spedition GmbH', 'transport', 'DE', 1978, 230, 'Frau Özdemir', 1);
INSERT INTO borrowers VALUES (6, 'Zürcher Präzision AG', 'machinery', 'CH', 1931, 79, 'Herr Schröder', 1);
INSERT INTO borrowers VALUES (7, 'Weingut Höß', 'food', 'DE', NULL, 162, 'Frau Lindqvist', 1);
INSERT INTO borrowers VALUES (8, 'Straßenbau Köhler GmbH', 'construction', 'DE', 2008, 50, 'Herr Schröder', 1);
INSERT INTO borrowers VALUES (9, 'Salzburger Getränke AG', 'food', 'AT', 1928, 193, 'Herr Schröder', 1);
INSERT INTO borrowers VALUES (10, 'Schöne Wohnwelt Handels GmbH', 'retail', 'DE', 1937, 115, 'Frau Özdemir', 1);
INSERT INTO borrowers VALUES (11, 'Oberland Kliniken gGmbH', 'health care', 'DE', 1957, 1340, 'Frau Lindqvist', 0);
INSERT INTO borrowers VALUES (12, 'Tiroler Seilbahnen AG', 'hospitality', 'AT', 1981, 60, 'Frau Lindqvist', 1);
INSERT INTO borrowers VALUES (13, 'Gebrüder Lütke Hochbau', 'construction', 'DE', 1942, NULL, 'Frau Lindqvist', 1);
INSERT INTO borrowers VALUES (14, 'Solarpark Döbeln GmbH & Co. KG', 'energy', 'DE', 2013, 17, 'Herr Schröder', 1);
INSERT INTO borrowers VALUES (15, 'Rhône Logistique SA', 'transport', 'CH', NULL, 551, 'Frau Özdemir', 0);
INSERT INTO borrowers VALUES (16, 'Küstennebel Fischfang eG', 'food', 'DE', 1901, 32, 'Herr Jürgens', 1);
INSERT INTO borrowers VALUES (17, 'Möbelhaus Sträter', 'retail', 'DE', 1890, 33, 'Herr Schröder', 1);
INSERT INTO borrowers VALUES (18, 'Donau Pharma GmbH', 'health care', 'AT', 1910, 84, 'Frau Lindqvist', 1);
INSERT INTO borrowers VALUES (19, 'Blümle Gartencenter', 'retail', 'DE', 1896, 9, 'Frau Özdemir', 1);
INSERT INTO borrowers VALUES (20, 'Bergmann Werkzeuge GmbH', 'machinery', 'DE', 2004, 24, 'Frau Lindqvist', 1);

INSERT INTO loans VALUES ('L-2001', 14, 'working capital line', 600, 0, 5.8, 'V', '2017-02-01', '2020-02-01', 'C', 'N');
INSERT INTO loans VALUES ('L-2002', 1, 'equipment loan', 3200, 1076.5, NULL, 'F', '2017-02-13', '2027-02-13', 'A', 'Y');
INSERT INTO loans VALUES ('L-2003', 15, 'equipment loan', 6500, 2391.2, 3.43, 'F', '2017-04-15', '2027-04-15', 'A', 'Y');
INSERT INTO loans VALUES ('L-2004', 9, 'equipment loan', 3200, 0, 6.02, 'F', '2017-08-07', '2020-08-07', 'C', 'Y');
INSERT INTO loans VALUES ('L-2005', 8, 'working capital line', 3200, 0, 4.88, 'V', '2017-10-21', '2019-10-21', 'C', 'N');
INSERT INTO loans VALUES ('L-2006', 14, 'term loan', 3200, 780.0, 6.03, 'F', '2017-11-04', '2027-11-04', 'A', 'N');
INSERT INTO loans VALUES ('L-2007', 13, 'term loan', 900, 0, 3.5, 'F', '2017-12-24', '2024-12-24', 'C', 'Y');
INSERT INTO loans VALUES ('L-2008', 1, 'term loan', 3200, 0, 4.17, 'V', '2017-12-30', '2020-12-30', 'C', 'N');
INSERT INTO loans VALUES ('L-2009', 4, 'real estate loan', 600, 0, 6.41, 'F', '2018-01-20', '2023-01-20', 'C', 'Y');
INSERT INTO loans VALUES ('L-2010', 20, 'real estate loan', 3200, 0, 4.67, 'F', '2018-05-02', '2023-05-02', 'C', 'Y');
INSERT INTO loans VALUES ('L-2011', 20, 'working capital line', 3200, 0, 7.02, 'F', '2018-05-07', '2021-05-07', 'C', 'N');
INSERT INTO loans VALUES ('L-2012', 16, 'working capital line', 600, 0, 2.21, 'V', '2018-05-17', '2019-05-17', 'C', 'Y');
INSERT INTO loans VALUES ('L-2013', 9, 'working capital line', 150, 0, 7.12, 'F', '2018-06-08', '2021-06-08', 'C', 'Y');
INSERT INTO loans VALUES ('L-2014', 10, 'term loan', 3200, 0, 4.23, 'V', '2018-07-25', '2023-07-25', 'C', 'Y');
INSERT INTO loans VALUES ('L-2015', 7, 'equipment loan', 150, 104.8, 4.01, 'F', '2018-09-05', '2028-09-05', 'A', 'Y');
INSERT INTO loans VALUES ('L-2016', 4, 'equipment loan', 1200, 517.9, 5.29, 'F', '2018-11-19', '2033-11-19', 'D', 'Y');
INSERT INTO loans VALUES ('L-2017', 20, 'term loan', 1800, 861.4, 5.15, 'F', '2020-01-19', '2027-01-19', 'A', 'N');
INSERT INTO loans VALUES ('L-2018', 11, 'real estate loan', 1800, 0, 6.58, 'F', '2020-03-15', '2023-03-15', 'C', 'Y');
INSERT INTO loans VALUES ('L-2019', 6, 'real estate loan', 3200, 1869.0, 3.11, 'V', '2020-04-10', '2030-04-10', 'A', 'Y');
INSERT INTO loans VALUES ('L-2020', 6, 'working capital line', 3200, 0, 3.11, 'F', '2020-05-22', '2022-05-22', 'C', 'N');
INSERT INTO loans VALUES ('L-2021', 15, 'working capital line', 900, 0, 4.49, 'F', '2020-08-21', '2023-08-21', 'C', 'Y');
INSERT INTO loans VALUES ('L-2022', 12, 'real estate loan', 3200, 1525.2, 4.17, 'V', '2020-11-29', '2025-11-29', 'A', 'Y');
INSERT INTO loans VALUES ('L-2023', 11, 'working capital line', 900, 0, 7.01, 'V', '2021-03-16', '2024-03-16', 'C', 'N');
INSERT INTO loans VALUES ('L-2024', 8, 'working capital line', 750, 0, 4.25, 'F', '2021-05-07', '2023-05-07', 'C', 'Y');
INSERT INTO loans VALUES ('L-2025', 5, 'term loan', 2500, 664.0, 4.51, 'V', '2021-11-19', '2036-11-19', 'A', 'N');
INSERT INTO loans VALUES ('L-2026', 7, 'equipment loan', 150, 54.5, 1.6, 'F', '2022-08-28', '2025-08-28', 'A', 'Y');
INSERT INTO loans VALUES ('L-2027', 18, 'term loan', 300, 128.1, 5.02, 'V', '2022-10-18', '2032-10-18', 'A', 'Y');
INSERT INTO loans VALUES ('L-2028', 2, 'term loan', 3200, 2139.9, 5.94, 'F', '2022-12-02', '2037-12-02', 'A', 'N');
INSERT INTO loans VALUES ('L-2029', 6, 'term loan', 2500, 584.9, 2.33, 'F', '2023-09-20', '2026-09-20', 'A', 'Y');
INSERT INTO loans VALUES ('L-2030', 14, 'equipment loan', 3200, 3053.1, 3.9, 'F', '2023-11-28', '2028-11-28', 'D', 'Y');
INSERT INTO loans VALUES ('L-2031', 20, 'real estate loan', 220, 78.3, 1.44, 'F', '2024-01-17', '2034-01-17', 'D', 'Y');
INSERT INTO loans VALUES ('L-2032', 6, 'working capital line', 3200, 1243.1, 1.74, 'F', '2024-05-20', '2027-05-20', 'A', 'N');
INSERT INTO loans VALUES ('L-2033', 3, 'real estate loan', 1800, 1632.0, 6.54, 'V', '2024-05-22', '2029-05-22', 'A', 'Y');
INSERT INTO loans VALUES ('L-2034', 3, 'term loan', 450, 0, 2.29, 'V', '2024-08-02', '2039-08-02', 'C', 'N');
INSERT INTO loans VALUES ('L-2035', 4, 'equipment loan', 750, 181.5, 6.11, 'F', '2024-08-14', '2031-08-14', 'A', 'N');
INSERT INTO loans VALUES ('L-2036', 18, 'term loan', 900, 635.1, 5.58, 'F', '2024-12-06', '2031-12-06', 'A', 'N');

INSERT INTO ratings VALUES (1, 13, '2023-02-02', 'BB', 1.35, NULL);
INSERT INTO ratings VALUES (2, 18, '2023-02-13', 'BBB', 0.29, 'stable');
INSERT INTO ratings VALUES (3, 5, '2023-02-14', 'AA', 0.06, 'positive');
INSERT INTO ratings VALUES (4, 2, '2023-02-21', 'B', 4.1, 'negative');
INSERT INTO ratings VALUES (5, 8, '2023-02-23', 'BB', 1.02, 'positive');
INSERT INTO ratings VALUES (6, 16, '2023-02-23', 'BBB', 0.34, 'stable');
INSERT INTO ratings VALUES (7, 9, '2023-02-28', 'BB', 1.33, NULL);
INSERT INTO ratings VALUES (8, 14, '2023-04-04', 'BB', 1.28, 'negative');
INSERT INTO ratings VALUES (9, 1, '2023-04-07', 'BBB', 0.35, 'stable');
INSERT INTO ratings VALUES (10, 20, '2023-04-12', 'BBB', 0.38, 'stable');
INSERT INTO ratings VALUES (11, 12, '2023-05-07', 'CCC', 12.3, NULL);
INSERT INTO ratings VALUES (12, 3, '2023-05-09', 'AA', 0.04, 'negative');
INSERT INTO ratings VALUES (13, 4, '2023-05-13', 'BBB', 0.4, 'stable');
INSERT INTO ratings VALUES (14, 7, '2023-05-16', 'BBB', 0.28, 'stable');
INSERT INTO ratings VALUES (15, 11, '2023-05-22', 'A', 0.1, 'stable');
INSERT INTO ratings VALUES (16, 15, '2023-05-23', 'BBB', 0.34, NULL);
INSERT INTO ratings VALUES (17, 2, '2024-02-05', 'B', 4.11, NULL);
INSERT INTO ratings VALUES (18, 15, '2024-02-24', 'BBB', 0.32, 'negative');
INSERT INTO ratings VALUES (19, 14, '2024-03-04', 'BB', 1.22, 'stable');
INSERT INTO ratings VALUES (20, 11, '2024-03-14', 'A', 0.11, 'negative');
INSERT INTO ratings VALUES (21, 1, '2024-03-20', 'BB', 1.49, 'negative');
INSERT INTO ratings VALUES (22, 4, '2024-03-20', 'BBB', 0.38, 'stable');
INSERT INTO ratings VALUES (23, 5, '2024-03-22', 'AA', 0.05, NULL);
INSERT INTO ratings VALUES (24, 9, '2024-04-03', 'BB', 1.35, 'negative');
INSERT INTO ratings VALUES (25, 7, '2024-04-11', 'BBB', 0.29, 'stable');
INSERT INTO ratings VALUES (26, 6, '2024-04-13', 'B', 4.21, NULL);
INSERT INTO ratings VALUES (27, 17, '2024-04-30', 'BB', 1.14, 'stable');
INSERT INTO ratings VALUES (28, 10, '2024-05-06', 'A', 0.12, 'stable');
INSERT INTO ratings VALUES (29, 12, '2024-05-09', 'B', 4.27, 'stable');
INSERT INTO ratings VALUES (30, 13, '2024-05-10', 'BB', 1.08, 'negative');
INSERT INTO ratings VALUES (31, 16, '2024-05-14', 'A', 0.13, 'stable');
INSERT INTO ratings VALUES (32, 20, '2024-05-16', 'BB', 1.3, 'negative');
INSERT INTO ratings VALUES (33, 8, '2024-05-26', 'BB', 1.49, 'stable');
INSERT INTO ratings VALUES (34, 3, '2024-05-29', 'AA', 0.06, 'stable');
INSERT INTO ratings VALUES (35, 18, '2024-05-31', 'BBB', 0.3, 'stable');
INSERT INTO ratings VALUES (36, 16, '2025-02-01', 'AA', 0.04, 'stable');
INSERT INTO ratings VALUES (37, 10, '2025-02-09', 'AA', 0.04, 'stable');
INSERT INTO ratings VALUES (38, 15, '2025-03-03', 'BBB', 0.28, 'positive');
INSERT INTO ratings VALUES (39, 9, '2025-03-16', 'BB', 1.16, 'stable');
INSERT INTO ratings VALUES (40, 5, '2025-03-25', 'AA', 0.05, 'stable');
INSERT INTO ratings VALUES (41, 14, '2025-03-28', 'B', 3.86, 'stable');
INSERT INTO ratings VALUES (42, 3, '2025-04-01', 'AA', 0.06, 'positive');
INSERT INTO ratings VALUES (43, 18, '2025-04-09', 'BBB', 0.32, 'stable');
INSERT INTO ratings VALUES (44, 20, '2025-04-15', 'BBB', 0.34, 'stable');
INSERT INTO ratings VALUES (45, 8, '2025-04-19', 'BB', 1.01, 'positive');
INSERT INTO ratings VALUES (46, 6, '2025-04-28', 'B', 4.42, 'positive');
INSERT INTO ratings VALUES (47, 13, '2025-05-02', 'BB', 0.98, 'negative');
INSERT INTO ratings VALUES (48, 1, '2025-05-03', 'BBB', 0.32, 'stable');
INSERT INTO ratings VALUES (49, 7, '2025-05-03', 'BBB', 0.43, 'negative');
INSERT INTO ratings VALUES (50, 2, '2025-05-11', 'BB', 1.03, 'negative');
INSERT INTO ratings VALUES (51, 12, '2025-05-17', 'BB', 1.21, 'stable');
INSERT INTO ratings VALUES (52, 4, '2025-05-24', 'BB', 1.31, 'stable');
INSERT INTO ratings VALUES (53, 17, '2025-05-25', 'BBB', 0.42, 'stable');
INSERT INTO ratings VALUES (54, 11, '2025-05-29', 'A', 0.14, 'positive');

INSERT INTO payments VALUES (7001, 'L-2003', '2024-03-31', '2024-03-31', 275.7, 137.8);
INSERT INTO payments VALUES (7002, 'L-2017', '2024-03-31', '2024-04-04', 81.9, 81.9);
INSERT INTO payments VALUES (7003, 'L-2029', '2024-03-31', '2024-03-29', 41.5, 41.5);
INSERT INTO payments VALUES (7004, 'L-2002', '2024-06-30', '2024-06-30', 119.5, 119.5);
INSERT INTO payments VALUES (7005, 'L-2006', '2024-06-30', '2024-06-30', 90.8, 90.8);
INSERT INTO payments VALUES (7006, 'L-2015', '2024-06-30', '2024-06-30', 4.2, 4.2);
INSERT INTO payments VALUES (7007, 'L-2016', '2024-06-30', NULL, 25.6, 0);
INSERT INTO payments VALUES (7008, 'L-2017', '2024-06-30', '2024-07-11', 48.5, 48.5);
INSERT INTO payments VALUES (7009, 'L-2027', '2024-06-30', '2024-06-30', 12.8, 12.8);
INSERT INTO payments VALUES (7010, 'L-2030', '2024-06-30', '2024-06-28', 125.2, 125.2);
INSERT INTO payments VALUES (7011, 'L-2032', '2024-06-30', '2024-06-28', 68.3, 68.3);
INSERT INTO payments VALUES (7012, 'L-2033', '2024-06-30', '2024-06-30', 57.7, 57.7);
INSERT INTO payments VALUES (7013, 'L-2019', '2024-09-30', '2024-09-27', 64.5, 64.5);
INSERT INTO payments VALUES (7014, 'L-2026', '2024-09-30', '2024-09-30', 6.8, 6.8);
INSERT INTO payments VALUES (7015, 'L-2029', '2024-09-30', '2024-09-30', 117.0, 117.0);
INSERT INTO payments VALUES (7016, 'L-2030', '2024-09-30', NULL, 91.1, 0);
INSERT INTO payments VALUES (7017, 'L-2031', '2024-09-30', '2024-09-30', 10.1, 10.1);
INSERT INTO payments VALUES (7018, 'L-2032', '2024-09-30', '2024-09-28', 143.7, 143.7);
INSERT INTO payments VALUES (7019, 'L-2033', '2024-09-30', '2024-09-27', 43.7, 43.7);
INSERT INTO payments VALUES (7020, 'L-2006', '2024-12-31', '2024-12-31', 140.1, 70.0);
INSERT INTO payments VALUES (7021, 'L-2022', '2024-12-31', '2024-12-28', 75.0, 37.5);
INSERT INTO payments VALUES (7022, 'L-2026', '2024-12-31', '2025-01-11', 2.3, 2.3);
INSERT INTO payments VALUES (7023, 'L-2027', '2024-12-31', '2024-12-29', 11.1, 11.1);
INSERT INTO payments VALUES (7024, 'L-2035', '2024-12-31', '2024-12-31', 20.2, 20.2);
INSERT INTO payments VALUES (7025, 'L-2003', '2025-03-31', '2025-04-04', 179.2, 179.2);
INSERT INTO payments VALUES (7026, 'L-2006', '2025-03-31', '2025-03-31', 130.4, 130.4);
INSERT INTO payments VALUES (7027, 'L-2015', '2025-03-31', '2025-03-28', 2.7, 2.7);
INSERT INTO payments VALUES (7028, 'L-2017', '2025-03-31', '2025-04-11', 73.0, 73.0);
INSERT INTO payments VALUES (7029, 'L-2019', '2025-03-31', '2025-04-11', 87.6, 87.6);
INSERT INTO payments VALUES (7030, 'L-2022', '2025-03-31', '2025-03-31', 58.4, 58.4);
INSERT INTO payments VALUES (7031, 'L-2025', '2025-03-31', '2025-04-27', 54.5, 54.5);
INSERT INTO payments VALUES (7032, 'L-2029', '2025-03-31', '2025-03-31', 103.2, 103.2);
INSERT INTO payments VALUES (7033, 'L-2031', '2025-03-31', NULL, 6.8, 0);
INSERT INTO payments VALUES (7034, 'L-2035', '2025-03-31', '2025-04-11', 30.1, 30.1);
INSERT INTO payments VALUES (7035, 'L-2002', '2025-06-30', '2025-07-04', 61.4, 61.4);
INSERT INTO payments VALUES (7036, 'L-2003', '2025-06-30', '2025-06-27', 262.1, 262.1);
INSERT INTO payments VALUES (7037, 'L-2016', '2025-06-30', NULL, 30.9, 0);
INSERT INTO payments VALUES (7038, 'L-2017', '2025-06-30', '2025-06-29', 89.8, 89.8);
INSERT INTO payments VALUES (7039, 'L-2025', '2025-06-30', '2025-06-28', 68.2, 68.2);
INSERT INTO payments VALUES (7040, 'L-2026', '2025-06-30', '2025-06-30', 5.8, 5.8);
INSERT INTO payments VALUES (7041, 'L-2027', '2025-06-30', '2025-06-30', 14.7, 14.7);
INSERT INTO payments VALUES (7042, 'L-2028', '2025-06-30', '2025-07-04', 128.2, 128.2);
INSERT INTO payments VALUES (7043, 'L-2030', '2025-06-30', '2025-06-30', 147.1, 147.1);
INSERT INTO payments VALUES (7044, 'L-2035', '2025-06-30', '2025-06-28', 33.3, 33.3);
INSERT INTO payments VALUES (7045, 'L-2036', '2025-06-30', '2025-07-11', 14.5, 14.5);

INSERT INTO covenants VALUES (1, 'L-2031', 'interest cover', 'min', 2.5, 4.8, '2025-04-03', 0, NULL);
INSERT INTO covenants VALUES (2, 'L-2028', 'net debt / EBITDA', 'max', 3.5, 1.2, '2025-03-30', 0, NULL);
INSERT INTO covenants VALUES (3, 'L-2003', 'net debt / EBITDA', 'max', 3.5, 2.5, '2025-04-24', 0, NULL);
INSERT INTO covenants VALUES (4, 'L-2006', 'equity ratio %', 'min', 25, 21.3, '2025-04-21', 1, 'N');
INSERT INTO covenants VALUES (5, 'L-2006', 'loan to value %', 'max', 70, NULL, NULL, NULL, NULL);
INSERT INTO covenants VALUES (6, 'L-2016', 'interest cover', 'min', 2.5, 4.9, '2025-04-30', 0, NULL);
INSERT INTO covenants VALUES (7, 'L-2002', 'interest cover', 'min', 2.5, 3.4, '2025-04-30', 0, NULL);
INSERT INTO covenants VALUES (8, 'L-2028', 'interest cover', 'min', 2.5, 3.8, '2025-01-04', 0, NULL);
INSERT INTO covenants VALUES (9, 'L-2031', 'equity ratio %', 'min', 25, 30.1, '2025-05-18', 0, NULL);
INSERT INTO covenants VALUES (10, 'L-2027', 'equity ratio %', 'min', 25, 37.1, '2025-01-13', 0, NULL);
INSERT INTO covenants VALUES (11, 'L-2006', 'net debt / EBITDA', 'max', 3.5, 2.5, '2025-05-29', 0, NULL);
INSERT INTO covenants VALUES (12, 'L-2022', 'interest cover', 'min', 2.5, 5.2, '2025-04-12', 0, NULL);
INSERT INTO covenants VALUES (13, 'L-2025', 'loan to value %', 'max', 70, 56.5, '2025-01-26', 0, NULL);
INSERT INTO covenants VALUES (14, 'L-2026', 'interest cover', 'min', 2.5, NULL, NULL, NULL, NULL);
INSERT INTO covenants VALUES (15, 'L-2022', 'equity ratio %', 'min', 25, 23.9, '2025-04-25', 1, 'Y');
INSERT INTO covenants VALUES (16, 'L-2016', 'loan to value %', 'max', 70, 83.2, '2025-03-29', 1, 'N');
INSERT INTO covenants VALUES (17, 'L-2036', 'net debt / EBITDA', 'max', 3.5, 3.3, '2025-02-13', 0, NULL);
INSERT INTO covenants VALUES (18, 'L-2030', 'equity ratio %', 'min', 25, 37.6, '2025-03-18', 0, NULL);
INSERT INTO covenants VALUES (19, 'L-2022', 'loan to value %', 'max', 70, 50.7, '2025-01-10', 0, NULL);
INSERT INTO covenants VALUES (20, 'L-2027', 'interest cover', 'min', 2.5, 3.4, '2025-05-15', 0, NULL);
INSERT INTO covenants VALUES (21, 'L-2030', 'interest cover', 'min', 2.5, 3.5, '2025-03-11', 0, NULL);
INSERT INTO covenants VALUES (22, 'L-2032', 'net debt / EBITDA', 'max', 3.5, 2.7, '2025-01-09', 0, NULL);

