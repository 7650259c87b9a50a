-- Invented data: no firm, person or figure here is real.
PRAGMA foreign_keys = ON;

CREATE TABLE sectors (
  sector_code TEXT PRIMARY KEY,
  sector TEXT NOT NULL
);

CREATE TABLE firms (
  firm_id INTEGER PRIMARY KEY,
  firm TEXT NOT NULL,
  sector_code TEXT NOT NULL REFERENCES sectors(sector_code),
  hq_country TEXT,
  listed_since INTEGER,
  ceo TEXT
);

CREATE TABLE indicators (
  indicator_code TEXT PRIMARY KEY,
  indicator TEXT NOT NULL,
  unit TEXT NOT NULL,
  pillar TEXT NOT NULL
);

CREATE TABLE indicator_values (
  firm_id INTEGER NOT NULL REFERENCES firms(firm_id),
  indicator_code TEXT NOT NULL REFERENCES indicators(indicator_code),
  year INTEGER NOT NULL,
  value REAL,
  assured TEXT,
  restated INTEGER,
  PRIMARY KEY (firm_id, indicator_code, year)
);

CREATE TABLE financials (
  firm_id INTEGER NOT NULL REFERENCES firms(firm_id),
  year INTEGER NOT NULL,
  revenue_meur REAL,
  ebitda_meur REAL,
  net_income_meur REAL,
  capex_meur REAL,
  rd_expense_meur REAL,
  net_debt_meur REAL,
  employees INTEGER,
  taxonomy_aligned_pct REAL,
  PRIMARY KEY (firm_id, year)
);

CREATE TABLE climate_targets (
  target_id INTEGER PRIMARY KEY,
  firm_id INTEGER NOT NULL REFERENCES firms(firm_id),
  scope TEXT NOT NULL,
  base_year INTEGER,
  target_year INTEGER,
  reduction_pct INTEGER,
  sbti_validated TEXT
);

BEGIN;
INSERT INTO sectors VALUES ('CHE', 'Chemicals');
INSERT INTO sectors VALUES ('UTL', 'Utilities');
INSERT INTO sectors VALUES ('RET', 'Retail');
INSERT INTO sectors VALUES ('BLD', 'Building materials');
INSERT INTO sectors VALUES ('LOG', 'Logistics');
INSERT INTO firms VALUES (1, 'Aldermoor Chemicals', 'CHE', 'United Kingdom', 1987, 'Fiona Garrick');
INSERT INTO firms VALUES (2, 'Brennhalde AG', 'BLD', 'Austria', 1999, 'Lukas Thannhofer');
INSERT INTO firms VALUES (3, 'Castellar Energia', 'UTL', 'Spain', 2004, 'Inés Quiroga');
INSERT INTO firms VALUES (4, 'Dunmere Stores', 'RET', 'Ireland', 2011, 'Cormac Tully');
INSERT INTO firms VALUES (5, 'Eskola Kemi', 'CHE', 'Finland', 1992, 'Aino Raitala');
INSERT INTO firms VALUES (6, 'Fjellvarg Nett', 'UTL', 'Norway', NULL, 'Sigurd Holmvik');
INSERT INTO firms VALUES (7, 'Grauwald Zement', 'BLD', 'Germany', 1978, 'Petra Nussdorf');
INSERT INTO firms VALUES (8, 'Hollinger Freight', 'LOG', 'Netherlands', 2008, 'Joost Verbruggen');
INSERT INTO firms VALUES (9, 'Isarlog SE', 'LOG', 'Germany', 2016, 'Martin Achleitner');
INSERT INTO firms VALUES (10, 'Jolivet Distribution', 'RET', 'France', 1995, 'Solène Marchandeau');
INSERT INTO firms VALUES (11, 'Korvan Polymers', 'CHE', 'Czechia', NULL, 'Radek Svoba');
INSERT INTO firms VALUES (12, 'Lindqvist Hem', 'RET', 'Sweden', 2019, 'Maja Lindroth');
INSERT INTO indicators VALUES ('E1', 'Scope 1 GHG emissions', 't CO2e', 'environment');
INSERT INTO indicators VALUES ('E2', 'Scope 2 GHG emissions (market-based)', 't CO2e', 'environment');
INSERT INTO indicators VALUES ('E3', 'Water withdrawal', 'm3', 'environment');
INSERT INTO indicators VALUES ('S1', 'Women in management', '%', 'social');
INSERT INTO indicators VALUES ('S2', 'Lost-time injury rate', 'per million hours', 'social');
INSERT INTO indicator_values VALUES (1, 'E1', 2021, 484600, 'yes', 0);
INSERT INTO indicator_values VALUES (1, 'E1', 2023, 430300, 'yes', 0);
INSERT INTO indicator_values VALUES (1, 'E2', 2021, 128000, 'yes', 0);
INSERT INTO indicator_values VALUES (1, 'E2', 2022, 116300, 'yes', 0);
INSERT INTO indicator_values VALUES (1, 'E2', 2023, 105900, 'yes', 0);
INSERT INTO indicator_values VALUES (1, 'E3', 2021, 5376300, 'yes', 0);
INSERT INTO indicator_values VALUES (1, 'E3', 2022, NULL, NULL, 0);
INSERT INTO indicator_values VALUES (1, 'E3', 2023, 4918100, 'no', 0);
INSERT INTO indicator_values VALUES (1, 'S1', 2021, 21.5, 'no', 1);
INSERT INTO indicator_values VALUES (1, 'S1', 2022, 22.4, 'no', 0);
INSERT INTO indicator_values VALUES (1, 'S1', 2023, 22.8, 'yes', 0);
INSERT INTO indicator_values VALUES (1, 'S2', 2021, 2.6, 'no', 0);
INSERT INTO indicator_values VALUES (1, 'S2', 2022, 2.3, 'yes', 1);
INSERT INTO indicator_values VALUES (1, 'S2', 2023, 2.4, 'yes', 0);
INSERT INTO indicator_values VALUES (2, 'E1', 2021, 2527100, 'no', 0);
INSERT INTO indicator_values VALUES (2, 'E1', 2022, NULL, NULL, 0);
INSERT INTO indicator_values VALUES (2, 'E1', 2023, 2327900, 'yes', 0);
INSERT INTO indicator_values VALUES (2, 'E2', 2021, 303500, 'no', 0);
INSERT INTO indicator_values VALUES (2, 'E2', 2023, 284300, 'yes', 0);
INSERT INTO indicator_values VALUES (2, 'E3', 2021, 1267100, 'yes', 0);
INSERT INTO indicator_values VALUES (2, 'E3', 2022, 1219400, 'no', 0);
INSERT INTO indicator_values VALUES (2, 'E3', 2023, 1289900, 'yes', 0);
INSERT INTO indicator_values VALUES (2, 'S1', 2022, 26.4, 'no', 0);
INSERT INTO indicator_values VALUES (2, 'S1', 2023, 26.1, 'yes', 0);
INSERT INTO indicator_values VALUES (2, 'S2', 2021, 4.6, 'yes', 0);
INSERT INTO indicator_values VALUES (2, 'S2', 2022, 4.3, 'yes', 0);
INSERT INTO indicator_values VALUES (2, 'S2', 2023, 4.2, 'no', 0);
INSERT INTO indicator_values VALUES (3, 'E1', 2021, 1888700, 'yes', 0);
INSERT INTO indicator_values VALUES (3, 'E1', 2022, 1948900, 'no', 0);
INSERT INTO indicator_values VALUES (3, 'E1', 2023, 1804000, 'no', 1);
INSERT INTO indicator_values VALUES (3, 'E2', 2022, 45900, 'yes', 0);
INSERT INTO indicator_values VALUES (3, 'E2', 2023, 43300, 'yes', 0);
INSERT INTO indicator_values VALUES (3, 'E3', 2021, 11191000, 'yes', 1);
INSERT INTO indicator_values VALUES (3, 'E3', 2022, 11676900, 'no', 0);
INSERT INTO indicator_values VALUES (3, 'E3', 2023, 10846700, 'no', 0);
INSERT INTO indicator_values VALUES (3, 'S1', 2021, 22.9, 'yes', 0);
INSERT INTO indicator_values VALUES (3, 'S1', 2022, 23.7, 'yes', 0);
INSERT INTO indicator_values VALUES (3, 'S1', 2023, 25.0, 'yes', 0);
INSERT INTO indicator_values VALUES (3, 'S2', 2021, 1.9, 'yes', 0);
INSERT INTO indicator_values VALUES (3, 'S2', 2023, 2.1, 'no', 0);
INSERT INTO indicator_values VALUES (4, 'E1', 2021, 15800, 'yes', 0);
INSERT INTO indicator_values VALUES (4, 'E1', 2022, 14900, 'no', 0);
INSERT INTO indicator_values VALUES (4, 'E1', 2023, 15700, 'yes', 0);
INSERT INTO indicator_values VALUES (4, 'E2', 2021, 66700, 'yes', 0);
INSERT INTO indicator_values VALUES (4, 'E2', 2022, 71300, 'yes', 0);
INSERT INTO indicator_values VALUES (4, 'E2', 2023, 71200, 'yes', 0);
INSERT INTO indicator_values VALUES (4, 'E3', 2021, NULL, NULL, 0);
INSERT INTO indicator_values VALUES (4, 'E3', 2023, 257500, 'no', 0);
INSERT INTO indicator_values VALUES (4, 'S1', 2021, 34.0, 'no', 0);
INSERT INTO indicator_values VALUES (4, 'S1', 2022, 33.8, 'no', 0);
INSERT INTO indicator_values VALUES (4, 'S1', 2023, 34.8, 'yes', 1);
INSERT INTO indicator_values VALUES (4, 'S2', 2021, 5.1, 'no', 0);
INSERT INTO indicator_values VALUES (4, 'S2', 2022, 5.3, 'yes', 0);
INSERT INTO indicator_values VALUES (4, 'S2', 2023, 5.3, 'no', 0);
INSERT INTO indicator_values VALUES (5, 'E1', 2021, 270400, 'yes', 0);
INSERT INTO indicator_values VALUES (5, 'E1', 2022, 261100, 'yes', 0);
INSERT INTO indicator_values VALUES (5, 'E1', 2023, 248300, 'no', 0);
INSERT INTO indicator_values VALUES (5, 'E2', 2021, 238900, 'yes', 1);
INSERT INTO indicator_values VALUES (5, 'E2', 2022, 242600, 'yes', 0);
INSERT INTO indicator_values VALUES (5, 'E2', 2023, 256400, 'yes', 0);
INSERT INTO indicator_values VALUES (5, 'E3', 2021, 5181700, 'yes', 0);
INSERT INTO indicator_values VALUES (5, 'E3', 2022, 5090000, 'no', 0);
INSERT INTO indicator_values VALUES (5, 'S1', 2021, 16.5, 'yes', 0);
INSERT INTO indicator_values VALUES (5, 'S1', 2022, 17.5, 'yes', 0);
INSERT INTO indicator_values VALUES (5, 'S1', 2023, 17.9, 'yes', 0);
INSERT INTO indicator_values VALUES (5, 'S2', 2021, 1.8, 'yes', 0);
INSERT INTO indicator_values VALUES (5, 'S2', 2023, 2.0, 'yes', 0);
INSERT INTO indicator_values VALUES (6, 'E1', 2021, 2890400, 'yes', 0);
INSERT INTO indicator_values VALUES (6, 'E1', 2022, 2837800, 'yes', 0);
INSERT INTO indicator_values VALUES (6, 'E2', 2021, 79500, 'yes', 0);
INSERT INTO indicator_values VALUES (6, 'E2', 2022, 75900, 'yes', 1);
INSERT INTO indicator_values VALUES (6, 'E2', 2023, 66000, 'no', 0);
INSERT INTO indicator_values VALUES (6, 'E3', 2021, 13225800, 'no', 0);
INSERT INTO indicator_values VALUES (6, 'E3', 2022, 11415700, 'yes', 0);
INSERT INTO indicator_values VALUES (6, 'E3', 2023, 9997700, 'yes', 1);
INSERT INTO indicator_values VALUES (6, 'S1', 2021, 29.6, 'yes', 1);
INSERT INTO indicator_values VALUES (6, 'S1', 2023, 31.5, 'yes', 0);
INSERT INTO indicator_values VALUES (6, 'S2', 2021, 1.2, 'yes', 0);
INSERT INTO indicator_values VALUES (6, 'S2', 2022, 1.2, 'yes', 0);
INSERT INTO indicator_values VALUES (6, 'S2', 2023, 1.3, 'yes', 0);
INSERT INTO indicator_values VALUES (7, 'E1', 2021, 3641300, 'yes', 0);
INSERT INTO indicator_values VALUES (7, 'E1', 2022, NULL, NULL, 0);
INSERT INTO indicator_values VALUES (7, 'E1', 2023, 4006800, 'yes', 0);
INSERT INTO indicator_values VALUES (7, 'E2', 2021, 283800, 'yes', 0);
INSERT INTO indicator_values VALUES (7, 'E2', 2022, 291800, 'yes', 0);
INSERT INTO indicator_values VALUES (7, 'E2', 2023, 280100, 'yes', 0);
INSERT INTO indicator_values VALUES (7, 'E3', 2021, 1907500, 'yes', 0);
INSERT INTO indicator_values VALUES (7, 'E3', 2022, 1740200, 'no', 0);
INSERT INTO indicator_values VALUES (7, 'S1', 2021, 12.3, 'yes', 0);
INSERT INTO indicator_values VALUES (7, 'S1', 2022, 13.2, 'no', 0);
INSERT INTO indicator_values VALUES (7, 'S1', 2023, 13.5, 'yes', 0);
INSERT INTO indicator_values VALUES (7, 'S2', 2021, 2.2, 'yes', 0);
INSERT INTO indicator_values VALUES (7, 'S2', 2022, 2.2, 'yes', 0);
INSERT INTO indicator_values VALUES (7, 'S2', 2023, 2.0, 'yes', 0);
INSERT INTO indicator_values VALUES (8, 'E1', 2022, 339600, 'yes', 0);
INSERT INTO indicator_values VALUES (8, 'E1', 2023, 362900, 'yes', 0);
INSERT INTO indicator_values VALUES (8, 'E2', 2021, 24800, 'yes', 0);
INSERT INTO indicator_values VALUES (8, 'E2', 2022, 21700, 'no', 0);
INSERT INTO indicator_values VALUES (8, 'E2', 2023, 21700, 'yes', 0);
INSERT INTO indicator_values VALUES (8, 'E3', 2021, 138700, 'yes', 1);
INSERT INTO indicator_values VALUES (8, 'E3', 2022, 141300, 'no', 0);
INSERT INTO indicator_values VALUES (8, 'E3', 2023, 138500, 'yes', 0);
INSERT INTO indicator_values VALUES (8, 'S1', 2021, 28.4, 'yes', 0);
INSERT INTO indicator_values VALUES (8, 'S1', 2022, 29.3, 'yes', 0);
INSERT INTO indicator_values VALUES (8, 'S1', 2023, 29.1, 'yes', 0);
INSERT INTO indicator_values VALUES (8, 'S2', 2021, 7.9, 'yes', 0);
INSERT INTO indicator_values VALUES (8, 'S2', 2022, 7.1, 'yes', 0);
INSERT INTO indicator_values VALUES (8, 'S2', 2023, 7.4, 'no', 0);
INSERT INTO indicator_values VALUES (9, 'E1', 2021, 214500, 'yes', 0);
INSERT INTO indicator_values VALUES (9, 'E1', 2022, 206700, 'no', 0);
INSERT INTO indicator_values VALUES (9, 'E1', 2023, 189700, 'no', 1);
INSERT INTO indicator_values VALUES (9, 'E2', 2021, 19900, 'yes', 0);
INSERT INTO indicator_values VALUES (9, 'E2', 2022, 20300, 'yes', 0);
INSERT INTO indicator_values VALUES (9, 'E2', 2023, 20300, 'yes', 0);
INSERT INTO indicator_values VALUES (9, 'E3', 2021, 76500, 'no', 0);
INSERT INTO indicator_values VALUES (9, 'E3', 2022, 81000, 'no', 0);
INSERT INTO indicator_values VALUES (9, 'E3', 2023, 74900, 'no', 0);
INSERT INTO indicator_values VALUES (9, 'S1', 2021, 27.0, 'yes', 0);
INSERT INTO indicator_values VALUES (9, 'S1', 2022, 26.5, 'yes', 0);
INSERT INTO indicator_values VALUES (9, 'S1', 2023, 28.7, 'no', 0);
INSERT INTO indicator_values VALUES (9, 'S2', 2021, 9.4, 'yes', 0);
INSERT INTO indicator_values VALUES (9, 'S2', 2022, 9.4, 'yes', 0);
INSERT INTO indicator_values VALUES (9, 'S2', 2023, 8.6, 'yes', 1);
INSERT INTO indicator_values VALUES (10, 'E1', 2021, 14000, 'yes', 1);
INSERT INTO indicator_values VALUES (10, 'E1', 2022, 13400, 'no', 0);
INSERT INTO indicator_values VALUES (10, 'E1', 2023, 13500, 'yes', 0);
INSERT INTO indicator_values VALUES (10, 'E2', 2021, 54700, 'yes', 0);
INSERT INTO indicator_values VALUES (10, 'E2', 2022, 52100, 'yes', 0);
INSERT INTO indicator_values VALUES (10, 'E2', 2023, 53400, 'yes', 0);
INSERT INTO indicator_values VALUES (10, 'E3', 2021, 304100, 'yes', 0);
INSERT INTO indicator_values VALUES (10, 'E3', 2022, 273700, 'no', 0);
INSERT INTO indicator_values VALUES (10, 'E3', 2023, 242900, 'yes', 0);
INSERT INTO indicator_values VALUES (10, 'S1', 2021, 55.1, 'yes', 0);
INSERT INTO indicator_values VALUES (10, 'S1', 2022, 60.5, 'yes', 0);
INSERT INTO indicator_values VALUES (10, 'S1', 2023, 60.6, 'no', 0);
INSERT INTO indicator_values VALUES (10, 'S2', 2022, 3.4, 'no', 0);
INSERT INTO indicator_values VALUES (10, 'S2', 2023, 3.1, 'yes', 0);
INSERT INTO financials VALUES (1, 2019, 5506.4, 835.6, 20.3, 370.0, 259.0, 2990.6, 22245, NULL);
INSERT INTO financials VALUES (1, 2020, 5264.9, 497.4, -52.1, 185.6, 127.4, 635.3, 22464, NULL);
INSERT INTO financials VALUES (1, 2021, 5644.3, 1031.6, -8.6, 207.6, 121.0, 3695.7, 23412, 30.5);
INSERT INTO financials VALUES (1, 2022, 5410.9, 1066.3, 123.9, 226.3, 247.2, 682.9, 24765, 38.1);
INSERT INTO financials VALUES (1, 2023, 5624.6, 520.8, -0.1, 357.3, 270.7, 4173.0, 24403, 35.1);
INSERT INTO financials VALUES (2, 2019, 1421.3, 306.4, 105.2, 163.6, 66.6, 781.1, 5242, NULL);
INSERT INTO financials VALUES (2, 2020, 1469.0, 332.0, 87.7, 133.3, 61.4, 1108.5, 5039, NULL);
INSERT INTO financials VALUES (2, 2021, 1441.2, 340.7, 49.1, 129.9, 35.5, 522.2, 5001, 49.8);
INSERT INTO financials VALUES (2, 2022, 1547.7, 193.9, 105.7, 73.6, 69.0, 675.5, 4807, 43.3);
INSERT INTO financials VALUES (2, 2023, 1569.5, 223.1, -12.9, 147.3, 14.4, 445.4, 5022, NULL);
INSERT INTO financials VALUES (3, 2019, 5203.1, 385.3, 18.6, 576.2, NULL, 3956.8, 19106, NULL);
INSERT INTO financials VALUES (3, 2020, 5433.4, 1083.9, 93.2, 186.8, NULL, 1922.6, 19449, NULL);
INSERT INTO financials VALUES (3, 2021, 5780.1, 1145.6, 379.0, 269.4, NULL, 4518.6, 19915, 41.5);
INSERT INTO financials VALUES (3, 2022, 6517.0, 771.9, 413.4, 318.7, NULL, 2519.5, 19465, 53.9);
INSERT INTO financials VALUES (3, 2023, 6794.3, 1502.8, 349.3, 530.3, NULL, 4489.7, 20108, 53.1);
INSERT INTO financials VALUES (4, 2019, 1749.5, 233.7, -16.9, 147.9, NULL, 1349.0, 6673, NULL);
INSERT INTO financials VALUES (4, 2020, 1893.9, 422.6, -17.9, 109.4, NULL, NULL, 6578, NULL);
INSERT INTO financials VALUES (4, 2021, 2141.1, 501.7, 241.5, 237.4, NULL, 398.8, 6970, 57.5);
INSERT INTO financials VALUES (4, 2022, 2229.1, 194.3, -17.6, 206.9, NULL, 1057.0, 6723, 63.1);
INSERT INTO financials VALUES (4, 2023, 2185.2, 190.8, -15.0, 246.0, NULL, 1171.9, 6510, NULL);
INSERT INTO financials VALUES (5, 2019, 6109.9, 1331.2, -135.0, 294.2, 187.3, 2652.0, 22621, NULL);
INSERT INTO financials VALUES (5, 2020, 5854.5, 873.0, 87.3, 434.9, 77.7, 4281.5, 22355, NULL);
INSERT INTO financials VALUES (5, 2021, 6074.3, 542.7, 245.6, 327.4, 87.6, 811.0, 22927, 12.3);
INSERT INTO financials VALUES (5, 2022, 5880.3, 499.0, 117.9, 463.9, 270.4, 1207.6, 24298, 46.6);
INSERT INTO financials VALUES (5, 2023, 5471.0, 869.0, 295.2, 200.4, 15.5, 988.4, 24227, 19.6);
INSERT INTO financials VALUES (6, 2019, 3864.1, 733.3, 22.9, 160.6, NULL, 680.9, 20138, NULL);
INSERT INTO financials VALUES (6, 2020, 3586.8, 420.2, -34.5, 216.5, NULL, 1687.5, 21212, NULL);
INSERT INTO financials VALUES (6, 2021, 3306.5, 620.1, 252.7, 128.0, NULL, 2308.0, 22462, 32.9);
INSERT INTO financials VALUES (6, 2022, 3502.9, 783.2, -84.1, 355.0, NULL, 1885.8, 21667, 11.1);
INSERT INTO financials VALUES (6, 2023, 3656.0, 339.9, -44.4, 179.3, NULL, NULL, 21133, 42.9);
INSERT INTO financials VALUES (7, 2019, 4491.3, 395.1, -30.8, 155.6, 187.6, 2195.5, 11423, NULL);
INSERT INTO financials VALUES (7, 2020, 4720.5, 629.6, 149.6, 491.5, 26.3, 2633.8, 11147, NULL);
INSERT INTO financials VALUES (7, 2021, 4366.2, 955.8, 145.9, 378.2, 188.3, 1084.2, 11153, 53.9);
INSERT INTO financials VALUES (7, 2022, 4401.6, 933.4, 114.8, 355.1, 197.9, 1504.9, 10772, 31.0);
INSERT INTO financials VALUES (7, 2023, 4397.7, 374.9, 199.0, 527.5, 175.9, 1982.9, 11402, 22.9);
INSERT INTO financials VALUES (8, 2019, 780.0, 150.4, 6.6, 90.7, NULL, 502.5, 3203, NULL);
INSERT INTO financials VALUES (8, 2020, 821.7, 171.8, 62.6, 91.4, NULL, 391.3, 3288, NULL);
INSERT INTO financials VALUES (8, 2021, 798.9, 96.1, 41.6, 86.9, NULL, 380.4, 3461, 42.2);
INSERT INTO financials VALUES (8, 2022, 785.6, 184.4, -2.7, 90.0, NULL, 109.1, 3653, 43.3);
INSERT INTO financials VALUES (8, 2023, 849.3, 157.0, 11.2, 92.5, NULL, 105.0, 3578, 58.7);
INSERT INTO financials VALUES (9, 2019, 887.7, 177.8, 37.0, 28.0, NULL, 128.9, 4257, NULL);
INSERT INTO financials VALUES (9, 2020, 1006.4, 136.9, 4.3, 41.6, NULL, 222.7, 4209, NULL);
INSERT INTO financials VALUES (9, 2021, 1011.5, 234.2, 69.9, 114.5, NULL, 656.3, 4231, NULL);
INSERT INTO financials VALUES (9, 2022, 958.2, 194.0, 23.1, 89.3, NULL, 563.2, 4388, 18.6);
INSERT INTO financials VALUES (9, 2023, 999.7, 75.8, 26.7, 94.0, NULL, 353.8, 4297, 7.4);
INSERT INTO financials VALUES (10, 2019, 2935.6, 477.2, 194.9, 161.6, NULL, 1242.3, 10577, NULL);
INSERT INTO financials VALUES (10, 2020, 2813.9, 556.3, 235.9, 148.3, NULL, 1814.4, 10292, NULL);
INSERT INTO financials VALUES (10, 2021, 3087.7, 579.4, 171.9, 101.9, NULL, 2290.1, 10490, 5.3);
INSERT INTO financials VALUES (10, 2022, 2945.7, 495.7, -37.1, 260.2, NULL, 1745.4, 11054, 35.4);
INSERT INTO financials VALUES (10, 2023, 2952.9, 591.7, 226.0, 168.0, NULL, 921.3, 11190, 14.8);
INSERT INTO financials VALUES (11, 2019, 3459.2, 595.8, 30.3, 305.6, 44.4, NULL, 14054, NULL);
INSERT INTO financials VALUES (11, 2020, 3933.6, 847.9, 334.7, 149.6, 184.5, 2652.1, 13520, NULL);
INSERT INTO financials VALUES (11, 2021, 4302.7, 473.7, 240.5, 308.7, 80.7, 583.8, 13531, 57.9);
INSERT INTO financials VALUES (11, 2022, 4792.0, 865.5, 180.3, 249.2, 93.7, 1010.2, 13068, 62.0);
INSERT INTO financials VALUES (11, 2023, 4964.7, 761.8, 60.0, 173.7, 235.8, 2343.0, 13633, 22.4);
INSERT INTO financials VALUES (12, 2020, 6070.0, 1305.6, 267.7, 295.6, NULL, 3840.1, 34024, NULL);
INSERT INTO financials VALUES (12, 2021, 5908.2, 1261.2, 158.5, 497.8, NULL, 2481.3, 34164, 14.7);
INSERT INTO financials VALUES (12, 2022, 6095.8, 1346.0, 386.0, 318.5, NULL, 4693.7, 33748, 3.1);
INSERT INTO financials VALUES (12, 2023, 6670.2, 1128.7, -168.6, 226.6, NULL, 5259.4, 33287, 34.9);
INSERT INTO climate_targets VALUES (1, 1, 'Scope 1 and 2', 2018, 2030, 42, 'yes');
INSERT INTO climate_targets VALUES (2, 2, 'Scope 1 and 2', 2020, 2030, 42, 'yes');
INSERT INTO climate_targets VALUES (3, 3, 'Scope 1 and 2', 2015, 2030, 55, 'yes');
INSERT INTO climate_targets VALUES (4, 5, 'Scope 1 and 2', 2015, 2030, 50, 'no');
INSERT INTO climate_targets VALUES (5, 6, 'Scope 1 and 2', 2018, 2030, 45, 'yes');
INSERT INTO climate_targets VALUES (6, 7, 'Scope 1 and 2', 2018, 2035, 42, 'no');
INSERT INTO climate_targets VALUES (7, 8, 'Scope 1 and 2', 2020, 2030, 30, 'no');
INSERT INTO climate_targets VALUES (8, 8, 'net zero', 2018, 2050, 95, 'no');
INSERT INTO climate_targets VALUES (9, 9, 'Scope 1 and 2', 2018, 2030, 42, 'no');
INSERT INTO climate_targets VALUES (10, 10, 'Scope 1 and 2', 2020, 2030, 45, 'no');
INSERT INTO climate_targets VALUES (11, 10, 'net zero', 2020, 2045, 90, 'yes');
INSERT INTO climate_targets VALUES (12, 12, 'Scope 1 and 2', 2019, 2035, 50, 'yes');
INSERT INTO climate_targets VALUES (13, 12, 'net zero', 2018, 2045, 90, 'no');
COMMIT;
