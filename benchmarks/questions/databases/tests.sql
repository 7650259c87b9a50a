-- Invented data: no firm, person or figure here is real.
PRAGMA foreign_keys = ON;

CREATE TABLE labs (
  lab_id INTEGER PRIMARY KEY,
  lab TEXT NOT NULL,
  city TEXT,
  accredited TEXT
);

CREATE TABLE operators (
  operator_id INTEGER PRIMARY KEY,
  operator TEXT NOT NULL,
  lab_id INTEGER NOT NULL REFERENCES labs(lab_id)
);

CREATE TABLE conditions (
  cond_code TEXT PRIMARY KEY,
  condition TEXT NOT NULL
);

CREATE TABLE heats (
  heat_no TEXT PRIMARY KEY,
  alloy TEXT NOT NULL,
  producer TEXT NOT NULL,
  melt_route TEXT,
  cast_on DATE NOT NULL,
  C_pct REAL,
  Mn_pct REAL,
  Cr_pct REAL
);

CREATE TABLE specimens (
  specimen_id TEXT PRIMARY KEY,
  heat_no TEXT NOT NULL REFERENCES heats(heat_no),
  orientation TEXT,
  cond_code TEXT REFERENCES conditions(cond_code),
  d0_mm REAL,
  remark TEXT
);

CREATE TABLE test_types (
  type_code TEXT PRIMARY KEY,
  test_name TEXT NOT NULL,
  unit TEXT NOT NULL,
  standard TEXT
);

CREATE TABLE tensile (
  tensile_id INTEGER PRIMARY KEY,
  specimen_id TEXT NOT NULL REFERENCES specimens(specimen_id),
  operator_id INTEGER NOT NULL REFERENCES operators(operator_id),
  tested_on DATE,
  T_C INTEGER,
  Rm_MPa INTEGER,
  Rp02_MPa INTEGER,
  A5_pct REAL,
  Z_pct REAL,
  E_GPa REAL,
  result TEXT
);

CREATE TABLE other_results (
  result_id INTEGER PRIMARY KEY,
  specimen_id TEXT NOT NULL REFERENCES specimens(specimen_id),
  type_code TEXT NOT NULL REFERENCES test_types(type_code),
  operator_id INTEGER NOT NULL REFERENCES operators(operator_id),
  tested_on DATE,
  T_C INTEGER,
  value REAL,
  result TEXT
);

BEGIN;
INSERT INTO labs VALUES (1, 'Werkstofflabor Hain', 'Chemnitz', 'yes');
INSERT INTO labs VALUES (2, 'Marsh Lane Testing', 'Sheffield', 'yes');
INSERT INTO labs VALUES (3, 'Lab Tecnico Orsini', 'Brescia', 'no');
INSERT INTO operators VALUES (1, 'D. Kessel', 1);
INSERT INTO operators VALUES (2, 'R. Oyelaran', 2);
INSERT INTO operators VALUES (3, 'M. Fabbri', 3);
INSERT INTO operators VALUES (4, 'H. Lindner', 1);
INSERT INTO operators VALUES (5, 'S. Whitcombe', 2);
INSERT INTO operators VALUES (6, 'G. Pavesi', 3);
INSERT INTO conditions VALUES ('AR', 'as rolled');
INSERT INTO conditions VALUES ('N', 'normalised');
INSERT INTO conditions VALUES ('QT', 'quenched and tempered');
INSERT INTO conditions VALUES ('SA', 'solution annealed');
INSERT INTO conditions VALUES ('T6', 'solution treated and aged');
INSERT INTO heats VALUES ('H7101', '42CrMo4', 'Pennick Metals', 'EAF+VD', '2022-02-01', 0.434, 1.14, 1.04);
INSERT INTO heats VALUES ('H7105', 'S355J2', 'Hütte Sternau', 'ESR', '2022-02-20', 0.17, 0.97, NULL);
INSERT INTO heats VALUES ('H7109', '1.4404', 'Norrmark Steelworks', 'EAF', '2022-03-11', 0.02, 0.73, 16.6);
INSERT INTO heats VALUES ('H7113', '1.4462', 'Acciaieria Valdora', 'BOF', '2022-03-30', 0.02, 1.84, 21.77);
INSERT INTO heats VALUES ('H7117', 'EN AW-6082', 'Norrmark Steelworks', NULL, '2022-04-18', NULL, 1.05, NULL);
INSERT INTO heats VALUES ('H7121', '42CrMo4', 'Acciaieria Valdora', 'BOF', '2022-05-07', 0.412, 0.87, 1.06);
INSERT INTO heats VALUES ('H7125', 'S355J2', 'Pennick Metals', 'EAF+VD', '2022-05-26', 0.166, 1.46, NULL);
INSERT INTO heats VALUES ('H7129', '1.4404', 'Norrmark Steelworks', 'BOF', '2022-06-14', 0.021, 0.9, 16.74);
INSERT INTO heats VALUES ('H7133', '1.4462', 'Acciaieria Valdora', 'BOF', '2022-07-03', 0.019, 1.87, 21.54);
INSERT INTO heats VALUES ('H7137', 'EN AW-6082', 'Pennick Metals', NULL, '2022-07-22', NULL, 0.65, NULL);
INSERT INTO heats VALUES ('H7141', '42CrMo4', 'Hütte Sternau', 'BOF', '2022-08-10', 0.45, 1.44, 1.07);
INSERT INTO heats VALUES ('H7145', 'S355J2', 'Acciaieria Valdora', 'EAF+VD', '2022-08-29', 0.176, 1.36, NULL);
INSERT INTO heats VALUES ('H7149', '1.4404', 'Pennick Metals', 'EAF+VD', '2022-09-17', 0.019, 1.24, 16.62);
INSERT INTO heats VALUES ('H7153', '1.4462', 'Norrmark Steelworks', 'ESR', '2022-10-06', 0.019, 1.45, 22.25);
INSERT INTO heats VALUES ('H7157', 'EN AW-6082', 'Acciaieria Valdora', NULL, '2022-10-25', NULL, 1.17, NULL);
INSERT INTO heats VALUES ('H7161', '42CrMo4', 'Norrmark Steelworks', 'EAF+VD', '2022-11-13', 0.393, 1.04, 1.01);
INSERT INTO heats VALUES ('H7165', 'S355J2', 'Norrmark Steelworks', 'BOF', '2022-12-02', 0.169, 1.01, NULL);
INSERT INTO heats VALUES ('H7169', '1.4404', 'Norrmark Steelworks', 'BOF', '2022-12-21', 0.019, 1.74, 16.61);
INSERT INTO heats VALUES ('H7173', '1.4462', 'Norrmark Steelworks', 'BOF', '2023-01-09', 0.022, 1.16, 21.84);
INSERT INTO heats VALUES ('H7177', 'EN AW-6082', 'Norrmark Steelworks', NULL, '2023-01-28', NULL, 0.59, NULL);
INSERT INTO heats VALUES ('H7181', '42CrMo4', 'Acciaieria Valdora', 'BOF', '2023-02-16', 0.45, 1.75, 1.05);
INSERT INTO heats VALUES ('H7185', 'S355J2', 'Norrmark Steelworks', 'EAF+VD', '2023-03-07', 0.167, 1.17, NULL);
INSERT INTO heats VALUES ('H7189', '1.4404', 'Acciaieria Valdora', 'ESR', '2023-03-26', 0.019, 0.58, 16.85);
INSERT INTO heats VALUES ('H7193', '1.4462', 'Hütte Sternau', 'EAF', '2023-04-14', 0.019, 1.35, 21.85);
INSERT INTO heats VALUES ('H7197', 'EN AW-6082', 'Acciaieria Valdora', NULL, '2023-05-03', NULL, 1.59, NULL);
INSERT INTO heats VALUES ('H7201', '42CrMo4', 'Hütte Sternau', 'ESR', '2023-05-22', 0.413, 1.47, 1.06);
INSERT INTO heats VALUES ('H7205', 'S355J2', 'Norrmark Steelworks', 'EAF', '2023-06-10', 0.176, 1.23, NULL);
INSERT INTO heats VALUES ('H7209', '1.4404', 'Acciaieria Valdora', 'BOF', '2023-06-29', 0.02, 1.79, 16.51);
INSERT INTO heats VALUES ('H7213', '1.4462', 'Norrmark Steelworks', 'EAF', '2023-07-18', 0.02, 0.96, 22.27);
INSERT INTO heats VALUES ('H7217', 'EN AW-6082', 'Acciaieria Valdora', NULL, '2023-08-06', NULL, 1.03, NULL);
INSERT INTO specimens VALUES ('P001', 'H7101', 'L', 'QT', 10.0, NULL);
INSERT INTO specimens VALUES ('P002', 'H7101', 'T', 'QT', 10.0, NULL);
INSERT INTO specimens VALUES ('P003', 'H7105', 'T', 'AR', 10.0, NULL);
INSERT INTO specimens VALUES ('P004', 'H7105', 'T', 'N', 12.5, NULL);
INSERT INTO specimens VALUES ('P005', 'H7109', 'L', 'SA', 6.0, NULL);
INSERT INTO specimens VALUES ('P006', 'H7109', 'L', 'SA', 10.0, NULL);
INSERT INTO specimens VALUES ('P007', 'H7113', 'T', 'SA', 10.0, NULL);
INSERT INTO specimens VALUES ('P008', 'H7113', 'L', 'SA', 10.0, NULL);
INSERT INTO specimens VALUES ('P009', 'H7117', 'L', 'T6', 6.0, NULL);
INSERT INTO specimens VALUES ('P010', 'H7117', 'L', 'T6', 10.0, NULL);
INSERT INTO specimens VALUES ('P011', 'H7121', 'L', 'QT', 12.5, NULL);
INSERT INTO specimens VALUES ('P012', 'H7121', 'L', 'QT', 10.0, NULL);
INSERT INTO specimens VALUES ('P013', 'H7125', 'L', 'N', 12.5, NULL);
INSERT INTO specimens VALUES ('P014', 'H7125', 'S', 'N', 12.5, NULL);
INSERT INTO specimens VALUES ('P015', 'H7129', 'T', 'SA', 8.0, NULL);
INSERT INTO specimens VALUES ('P016', 'H7129', 'T', 'SA', 12.5, NULL);
INSERT INTO specimens VALUES ('P017', 'H7129', 'L', 'SA', 6.0, NULL);
INSERT INTO specimens VALUES ('P018', 'H7133', 'T', 'SA', 6.0, NULL);
INSERT INTO specimens VALUES ('P019', 'H7133', 'L', 'SA', 10.0, NULL);
INSERT INTO specimens VALUES ('P020', 'H7137', 'S', 'T6', 12.5, NULL);
INSERT INTO specimens VALUES ('P021', 'H7137', 'L', 'T6', 10.0, 're-machined');
INSERT INTO specimens VALUES ('P022', 'H7137', 'T', 'T6', 6.0, NULL);
INSERT INTO specimens VALUES ('P023', 'H7141', 'L', 'QT', 8.0, NULL);
INSERT INTO specimens VALUES ('P024', 'H7141', 'L', 'AR', 8.0, NULL);
INSERT INTO specimens VALUES ('P025', 'H7145', 'T', 'N', 10.0, NULL);
INSERT INTO specimens VALUES ('P026', 'H7145', 'L', 'N', 12.5, NULL);
INSERT INTO specimens VALUES ('P027', 'H7149', 'L', 'SA', 12.5, NULL);
INSERT INTO specimens VALUES ('P028', 'H7149', 'L', 'AR', 10.0, NULL);
INSERT INTO specimens VALUES ('P029', 'H7149', 'L', 'SA', 10.0, NULL);
INSERT INTO specimens VALUES ('P030', 'H7153', 'S', 'SA', 8.0, NULL);
INSERT INTO specimens VALUES ('P031', 'H7153', 'L', 'SA', 12.5, NULL);
INSERT INTO specimens VALUES ('P032', 'H7153', 'T', 'SA', 8.0, NULL);
INSERT INTO specimens VALUES ('P033', 'H7157', 'L', 'T6', 8.0, 'surface scratch');
INSERT INTO specimens VALUES ('P034', 'H7157', 'L', 'T6', 10.0, NULL);
INSERT INTO specimens VALUES ('P035', 'H7161', 'L', 'QT', 6.0, NULL);
INSERT INTO specimens VALUES ('P036', 'H7161', 'L', 'QT', 8.0, 'surface scratch');
INSERT INTO specimens VALUES ('P037', 'H7161', 'L', 'QT', 10.0, NULL);
INSERT INTO specimens VALUES ('P038', 'H7165', 'L', 'N', 8.0, NULL);
INSERT INTO specimens VALUES ('P039', 'H7165', 'T', 'AR', 12.5, 're-machined');
INSERT INTO specimens VALUES ('P040', 'H7169', 'T', 'SA', 10.0, NULL);
INSERT INTO specimens VALUES ('P041', 'H7169', 'S', 'SA', 10.0, NULL);
INSERT INTO specimens VALUES ('P042', 'H7169', 'L', 'SA', 12.5, NULL);
INSERT INTO specimens VALUES ('P043', 'H7173', 'T', 'SA', 12.5, NULL);
INSERT INTO specimens VALUES ('P044', 'H7173', 'L', 'SA', 10.0, NULL);
INSERT INTO specimens VALUES ('P045', 'H7177', 'L', 'T6', 8.0, NULL);
INSERT INTO specimens VALUES ('P046', 'H7177', 'L', 'T6', 10.0, NULL);
INSERT INTO specimens VALUES ('P047', 'H7181', 'S', 'QT', 12.5, NULL);
INSERT INTO specimens VALUES ('P048', 'H7181', 'L', 'QT', 10.0, NULL);
INSERT INTO specimens VALUES ('P049', 'H7185', 'T', 'N', 10.0, 'surface scratch');
INSERT INTO specimens VALUES ('P050', 'H7185', 'L', 'N', 6.0, NULL);
INSERT INTO specimens VALUES ('P051', 'H7189', 'S', 'SA', 8.0, NULL);
INSERT INTO specimens VALUES ('P052', 'H7189', 'L', 'SA', 12.5, 'surface scratch');
INSERT INTO specimens VALUES ('P053', 'H7193', 'T', 'SA', 12.5, NULL);
INSERT INTO specimens VALUES ('P054', 'H7193', 'L', 'SA', 10.0, 're-machined');
INSERT INTO specimens VALUES ('P055', 'H7197', 'L', 'AR', 6.0, NULL);
INSERT INTO specimens VALUES ('P056', 'H7197', 'L', 'AR', 8.0, NULL);
INSERT INTO specimens VALUES ('P057', 'H7201', 'L', 'QT', 8.0, NULL);
INSERT INTO specimens VALUES ('P058', 'H7201', 'L', 'QT', 6.0, NULL);
INSERT INTO specimens VALUES ('P059', 'H7205', 'S', 'N', 8.0, NULL);
INSERT INTO specimens VALUES ('P060', 'H7205', 'S', 'AR', 6.0, NULL);
INSERT INTO specimens VALUES ('P061', 'H7209', 'L', 'SA', 8.0, NULL);
INSERT INTO specimens VALUES ('P062', 'H7209', 'T', 'SA', 8.0, NULL);
INSERT INTO specimens VALUES ('P063', 'H7213', 'L', 'SA', 10.0, NULL);
INSERT INTO specimens VALUES ('P064', 'H7213', 'L', 'SA', 10.0, NULL);
INSERT INTO specimens VALUES ('P065', 'H7217', 'S', 'T6', 12.5, NULL);
INSERT INTO specimens VALUES ('P066', 'H7217', 'T', 'T6', 8.0, NULL);
INSERT INTO specimens VALUES ('P067', 'H7217', 'L', 'T6', 8.0, 'surface scratch');
INSERT INTO test_types VALUES ('HV10', 'Vickers hardness', 'HV', 'ISO 6507-1');
INSERT INTO test_types VALUES ('KV', 'Charpy impact energy', 'J', 'ISO 148-1');
INSERT INTO test_types VALUES ('FAT', 'fatigue limit, 10^7 cycles', 'MPa', 'ISO 1143');
INSERT INTO test_types VALUES ('COR', 'corrosion rate', 'mm/year', 'ASTM G31');
INSERT INTO tensile VALUES (1, 'P001', 5, '2022-03-26', 20, 1140, 1009, 12.9, 57.6, 201.3, 'pass');
INSERT INTO tensile VALUES (2, 'P001', 3, '2022-02-21', 300, 856, 772, 10.3, NULL, 168.7, 'pass');
INSERT INTO tensile VALUES (3, 'P002', 2, '2022-03-02', 20, 1130, 982, 10.5, NULL, 199.7, 'pass');
INSERT INTO tensile VALUES (4, 'P003', 6, '2022-03-17', 20, 546, 374, 19.8, 40.4, NULL, 'pass');
INSERT INTO tensile VALUES (5, 'P004', 4, '2022-03-22', 20, 562, 396, 26.7, 50.6, 203.5, 'fail');
INSERT INTO tensile VALUES (6, 'P005', 6, '2022-05-01', 20, 577, 319, 48.6, 64.3, NULL, 'pass');
INSERT INTO tensile VALUES (7, 'P005', 2, '2022-04-04', 450, 440, 213, 49.1, 64.5, 157.5, 'pass');
INSERT INTO tensile VALUES (8, 'P006', 2, '2022-04-24', 20, 634, 291, 37.7, 52.9, 206.2, 'pass');
INSERT INTO tensile VALUES (9, 'P007', 1, '2022-05-12', 20, 723, 581, 34.4, NULL, 202.2, 'pass');
INSERT INTO tensile VALUES (10, 'P008', 4, '2022-04-26', 20, 716, 561, 26.2, 65.5, 201.2, 'fail');
INSERT INTO tensile VALUES (11, 'P010', 6, '2022-05-24', 20, 316, 296, 12.1, 66.4, 71.5, 'fail');
INSERT INTO tensile VALUES (12, 'P012', 2, '2022-06-10', 20, 1099, 956, 15.2, 44.4, 200.1, 'pass');
INSERT INTO tensile VALUES (13, 'P012', 1, '2022-06-01', 300, 873, 773, 11.2, 57.3, NULL, 'pass');
INSERT INTO tensile VALUES (14, 'P013', 4, '2022-07-01', 20, 529, 352, 26.5, 47.2, NULL, 'pass');
INSERT INTO tensile VALUES (15, 'P013', 1, '2022-07-03', 300, 429, 348, 29.6, 57.7, NULL, 'pass');
INSERT INTO tensile VALUES (16, 'P014', 5, '2022-06-27', 20, 579, 361, 29.5, 62.3, 212.7, 'pass');
INSERT INTO tensile VALUES (17, 'P014', 2, '2022-07-09', 450, 421, 310, 25.4, 48.0, 148.3, 'pass');
INSERT INTO tensile VALUES (18, 'P015', 1, '2022-07-20', 20, 619, 304, 43.9, 50.7, 199.3, 'fail');
INSERT INTO tensile VALUES (19, 'P015', 1, '2022-07-07', 300, 466, 242, 51.5, NULL, 176.4, 'pass');
INSERT INTO tensile VALUES (20, 'P016', 1, '2022-07-01', 20, 588, 267, 38.4, 49.2, NULL, 'pass');
INSERT INTO tensile VALUES (21, 'P017', 2, '2022-08-06', 20, 561, 296, 51.8, NULL, NULL, 'pass');
INSERT INTO tensile VALUES (22, 'P017', 5, '2022-08-05', 300, 502, 228, 52.0, 47.6, 172.2, 'pass');
INSERT INTO tensile VALUES (23, 'P018', 6, '2022-07-21', 20, 755, 571, 28.6, 45.2, NULL, 'pass');
INSERT INTO tensile VALUES (24, 'P019', 3, '2022-08-05', 20, 790, 587, 30.9, 44.8, 209.0, 'pass');
INSERT INTO tensile VALUES (25, 'P020', 6, '2022-08-24', 20, 315, 283, 9.7, 61.2, 71.1, 'pass');
INSERT INTO tensile VALUES (26, 'P020', 2, '2022-08-11', 300, 279, 247, 12.8, 33.8, 57.6, 'pass');
INSERT INTO tensile VALUES (27, 'P022', 5, '2022-08-15', 20, 333, 316, 10.8, 33.0, 70.8, 'pass');
INSERT INTO tensile VALUES (28, 'P023', 3, '2022-09-19', 20, 1116, 923, 15.5, 56.0, 205.7, 'pass');
INSERT INTO tensile VALUES (29, 'P023', 2, '2022-10-01', 300, 863, 775, 14.3, 34.9, 171.3, 'pass');
INSERT INTO tensile VALUES (30, 'P024', 5, '2022-09-10', 20, 1032, 1001, 15.3, 63.3, NULL, 'pass');
INSERT INTO tensile VALUES (31, 'P024', 6, '2022-09-27', 450, 781, 661, 11.0, 42.3, 150.8, 'pass');
INSERT INTO tensile VALUES (32, 'P025', 3, '2022-10-17', 20, 558, 392, 28.9, 34.2, 205.4, 'pass');
INSERT INTO tensile VALUES (33, 'P026', 4, '2022-10-09', 20, 583, 405, 24.2, NULL, NULL, 'fail');
INSERT INTO tensile VALUES (34, 'P026', 5, '2022-10-01', 450, 430, 283, 20.0, NULL, 147.5, 'pass');
INSERT INTO tensile VALUES (35, 'P027', 5, '2022-10-02', 20, 557, 315, 39.7, 59.1, 199.9, 'pass');
INSERT INTO tensile VALUES (36, 'P027', 5, '2022-11-11', 300, 496, 236, 55.9, 31.7, NULL, 'pass');
INSERT INTO tensile VALUES (37, 'P028', 2, '2022-11-02', 20, 565, 286, 52.2, 69.3, 207.9, 'pass');
INSERT INTO tensile VALUES (38, 'P028', 6, '2022-10-29', 300, 503, 249, 38.6, 52.3, 170.5, 'pass');
INSERT INTO tensile VALUES (39, 'P029', 5, '2022-10-02', 20, 558, 264, 50.6, 61.7, NULL, 'pass');
INSERT INTO tensile VALUES (40, 'P031', 1, '2022-11-15', 20, 808, 564, 31.8, 32.3, NULL, 'pass');
INSERT INTO tensile VALUES (41, 'P032', 6, '2022-11-30', 20, 796, 489, 30.0, 36.0, NULL, 'pass');
INSERT INTO tensile VALUES (42, 'P033', 6, '2022-11-11', 20, 332, 286, 9.4, 30.5, 68.9, 'pass');
INSERT INTO tensile VALUES (43, 'P034', 1, '2022-12-17', 20, 345, 295, 9.3, 53.5, NULL, 'fail');
INSERT INTO tensile VALUES (44, 'P034', 2, '2022-11-16', 450, 249, 204, 12.9, 44.3, 51.2, 'pass');
INSERT INTO tensile VALUES (45, 'P035', 6, '2022-12-10', 20, 1114, 925, 13.7, 67.4, 199.6, 'pass');
INSERT INTO tensile VALUES (46, 'P035', 4, '2022-12-22', 300, 970, 850, 11.7, 46.2, 172.4, 'pass');
INSERT INTO tensile VALUES (47, 'P036', 1, '2023-01-06', 20, 1086, 940, 13.3, 30.8, NULL, 'pass');
INSERT INTO tensile VALUES (48, 'P036', 3, '2022-11-28', 300, 908, 745, 13.3, 64.2, 176.9, 'pass');
INSERT INTO tensile VALUES (49, 'P037', 5, '2022-12-05', 20, 1118, 997, 13.0, 63.9, 213.1, 'pass');
INSERT INTO tensile VALUES (50, 'P037', 5, '2023-01-11', 300, 929, 769, 15.6, 41.0, NULL, 'pass');
INSERT INTO tensile VALUES (51, 'P038', 3, '2023-01-01', 20, 516, 348, 20.2, 47.0, 210.7, 'pass');
INSERT INTO tensile VALUES (52, 'P039', 1, '2023-01-15', 20, 575, 405, 29.9, 31.7, 203.4, 'pass');
INSERT INTO tensile VALUES (53, 'P040', 5, '2023-02-14', 20, 573, 296, 51.6, 50.0, NULL, 'pass');
INSERT INTO tensile VALUES (54, 'P040', 6, '2023-01-22', 450, 464, 235, 55.9, 61.6, 148.4, 'pass');
INSERT INTO tensile VALUES (55, 'P041', 3, '2023-01-21', 20, 616, 299, 39.9, 71.7, 206.6, 'pass');
INSERT INTO tensile VALUES (56, 'P041', 5, '2023-02-19', 450, 435, 200, 49.3, 66.5, NULL, 'pass');
INSERT INTO tensile VALUES (57, 'P042', 4, '2023-01-16', 20, 560, 263, 53.1, 36.7, 199.6, 'pass');
INSERT INTO tensile VALUES (58, 'P042', 3, '2023-01-11', 300, 483, 256, 37.8, 48.0, 173.7, 'pass');
INSERT INTO tensile VALUES (59, 'P043', 6, '2023-01-30', 20, 788, 540, 30.4, 46.0, 206.4, 'pass');
INSERT INTO tensile VALUES (60, 'P044', 5, '2023-02-08', 20, 778, 579, 25.4, 67.7, 210.2, 'pass');
INSERT INTO tensile VALUES (61, 'P044', 1, '2023-02-15', 450, 571, 426, 34.1, 60.0, 149.6, 'pass');
INSERT INTO tensile VALUES (62, 'P045', 2, '2023-03-23', 20, 326, 311, 10.1, 44.4, 71.5, 'fail');
INSERT INTO tensile VALUES (63, 'P047', 2, '2023-04-10', 20, 1112, 984, 13.8, 45.1, NULL, 'pass');
INSERT INTO tensile VALUES (64, 'P049', 1, '2023-04-02', 20, 538, 376, 26.1, 61.9, 212.0, 'pass');
INSERT INTO tensile VALUES (65, 'P049', 3, '2023-03-22', 450, 414, 296, 19.6, 70.0, NULL, 'pass');
INSERT INTO tensile VALUES (66, 'P051', 2, '2023-05-01', 20, 576, 261, 48.8, 33.0, NULL, 'pass');
INSERT INTO tensile VALUES (67, 'P051', 4, '2023-05-01', 450, 466, 197, 57.1, 36.9, 155.2, 'pass');
INSERT INTO tensile VALUES (68, 'P052', 5, '2023-05-07', 20, 635, 317, 55.8, NULL, NULL, 'pass');
INSERT INTO tensile VALUES (69, 'P053', 5, '2023-05-16', 20, 743, 585, 26.9, 59.0, 210.2, 'pass');
INSERT INTO tensile VALUES (70, 'P054', 6, '2023-06-11', 20, 757, 526, 23.8, 38.6, NULL, 'pass');
INSERT INTO tensile VALUES (71, 'P054', 4, '2023-05-15', 450, 605, 416, 27.6, 31.6, 147.7, 'pass');
INSERT INTO tensile VALUES (72, 'P055', 1, '2023-06-25', 20, 359, 280, 12.7, 40.3, 70.7, 'pass');
INSERT INTO tensile VALUES (73, 'P055', 3, '2023-06-18', 300, 281, 261, 8.7, 58.2, NULL, 'pass');
INSERT INTO tensile VALUES (74, 'P056', 5, '2023-06-10', 20, 332, 307, 12.2, 62.8, 70.2, 'pass');
INSERT INTO tensile VALUES (75, 'P056', 3, '2023-06-06', 300, 299, 255, 9.2, 33.7, 58.0, 'pass');
INSERT INTO tensile VALUES (76, 'P057', 3, '2023-07-13', 20, 1069, 947, 14.7, 51.0, NULL, 'pass');
INSERT INTO tensile VALUES (77, 'P058', 3, '2023-07-19', 20, 1039, 958, 14.0, 30.1, 202.4, 'pass');
INSERT INTO tensile VALUES (78, 'P058', 2, '2023-07-12', 450, 758, 635, 13.4, 42.0, NULL, 'pass');
INSERT INTO tensile VALUES (79, 'P060', 3, '2023-08-04', 20, 509, 384, 23.4, 32.7, 204.9, 'pass');
INSERT INTO tensile VALUES (80, 'P060', 4, '2023-08-02', 300, 475, 295, 26.9, 41.2, 171.6, 'pass');
INSERT INTO tensile VALUES (81, 'P061', 4, '2023-07-19', 20, 559, 280, 47.3, 54.1, NULL, 'pass');
INSERT INTO tensile VALUES (82, 'P061', 2, '2023-07-25', 450, 433, 205, 42.4, 34.0, 150.9, 'pass');
INSERT INTO tensile VALUES (83, 'P062', 5, '2023-07-27', 20, 600, 281, 44.6, 58.7, 209.3, 'pass');
INSERT INTO tensile VALUES (84, 'P062', 4, '2023-08-23', 450, 451, 209, 43.9, 61.9, 150.7, 'pass');
INSERT INTO tensile VALUES (85, 'P063', 6, '2023-08-21', 20, 754, 499, 29.6, 39.1, NULL, 'pass');
INSERT INTO tensile VALUES (86, 'P064', 6, '2023-09-16', 20, 819, 585, 27.6, 60.3, 200.2, 'pass');
INSERT INTO tensile VALUES (87, 'P064', 6, '2023-09-09', 300, 626, 494, 29.0, 60.4, 174.0, 'pass');
INSERT INTO tensile VALUES (88, 'P065', 1, '2023-09-16', 20, 313, 275, 11.7, 55.1, NULL, 'fail');
INSERT INTO tensile VALUES (89, 'P067', 1, '2023-09-01', 20, 325, 279, 9.0, 35.8, 69.5, 'pass');
INSERT INTO other_results VALUES (1, 'P001', 'HV10', 4, '2022-03-01', 20, 312, 'pass');
INSERT INTO other_results VALUES (2, 'P001', 'FAT', 3, '2022-05-05', 20, 515, NULL);
INSERT INTO other_results VALUES (3, 'P002', 'HV10', 4, '2022-02-27', 20, 336, 'pass');
INSERT INTO other_results VALUES (4, 'P002', 'KV', 3, '2022-03-04', 20, 63, NULL);
INSERT INTO other_results VALUES (5, 'P003', 'KV', 2, '2022-03-14', -40, 95, NULL);
INSERT INTO other_results VALUES (6, 'P005', 'HV10', 5, '2022-03-28', 20, 171, 'pass');
INSERT INTO other_results VALUES (7, 'P005', 'KV', 5, '2022-04-20', 20, 185, 'fail');
INSERT INTO other_results VALUES (8, 'P005', 'COR', 5, '2022-06-10', 50, 0.34, NULL);
INSERT INTO other_results VALUES (9, 'P006', 'HV10', 4, '2022-04-23', 20, 178, 'pass');
INSERT INTO other_results VALUES (10, 'P006', 'KV', 5, '2022-03-23', -20, 143, 'fail');
INSERT INTO other_results VALUES (11, 'P006', 'COR', 3, '2022-07-06', 50, 0.232, NULL);
INSERT INTO other_results VALUES (12, 'P007', 'HV10', 1, '2022-04-09', 20, 274, 'pass');
INSERT INTO other_results VALUES (13, 'P007', 'KV', 2, '2022-05-13', -40, 93, NULL);
INSERT INTO other_results VALUES (14, 'P007', 'COR', 5, '2022-06-12', 50, 0.226, NULL);
INSERT INTO other_results VALUES (15, 'P008', 'HV10', 4, '2022-04-19', 20, 246, 'pass');
INSERT INTO other_results VALUES (16, 'P008', 'KV', 3, '2022-05-03', 20, 140, 'fail');
INSERT INTO other_results VALUES (17, 'P008', 'COR', 4, '2022-07-25', 50, 0.023, NULL);
INSERT INTO other_results VALUES (18, 'P009', 'HV10', 2, '2022-05-17', 20, 109, 'fail');
INSERT INTO other_results VALUES (19, 'P010', 'HV10', 6, '2022-05-30', 20, 101, 'pass');
INSERT INTO other_results VALUES (20, 'P011', 'HV10', 5, '2022-06-15', 20, 326, 'pass');
INSERT INTO other_results VALUES (21, 'P011', 'KV', 4, '2022-05-24', -20, 49, 'pass');
INSERT INTO other_results VALUES (22, 'P011', 'FAT', 2, '2022-08-16', 20, 453, NULL);
INSERT INTO other_results VALUES (23, 'P014', 'HV10', 2, '2022-06-05', 20, 177, 'pass');
INSERT INTO other_results VALUES (24, 'P015', 'HV10', 6, '2022-07-06', 20, 161, 'pass');
INSERT INTO other_results VALUES (25, 'P015', 'KV', 6, '2022-07-12', -20, 124, 'fail');
INSERT INTO other_results VALUES (26, 'P016', 'HV10', 1, '2022-07-26', 20, 185, 'pass');
INSERT INTO other_results VALUES (27, 'P016', 'KV', 6, '2022-07-17', -20, 145, NULL);
INSERT INTO other_results VALUES (28, 'P017', 'HV10', 3, '2022-07-17', 20, 174, 'pass');
INSERT INTO other_results VALUES (29, 'P017', 'FAT', 3, '2022-09-11', 20, 282, NULL);
INSERT INTO other_results VALUES (30, 'P017', 'COR', 1, '2022-09-29', 50, 0.03, NULL);
INSERT INTO other_results VALUES (31, 'P018', 'COR', 4, '2022-09-18', 50, 0.151, NULL);
INSERT INTO other_results VALUES (32, 'P019', 'FAT', 5, '2022-09-25', 20, 338, NULL);
INSERT INTO other_results VALUES (33, 'P019', 'COR', 2, '2022-10-12', 50, 0.274, NULL);
INSERT INTO other_results VALUES (34, 'P020', 'HV10', 3, '2022-08-17', 20, 103, 'pass');
INSERT INTO other_results VALUES (35, 'P022', 'HV10', 4, '2022-08-16', 20, 110, 'pass');
INSERT INTO other_results VALUES (36, 'P023', 'HV10', 2, '2022-08-27', 20, 341, 'pass');
INSERT INTO other_results VALUES (37, 'P023', 'KV', 5, '2022-09-16', 20, 46, 'pass');
INSERT INTO other_results VALUES (38, 'P024', 'HV10', 2, '2022-09-15', 20, 310, 'pass');
INSERT INTO other_results VALUES (39, 'P024', 'KV', 4, '2022-09-12', 20, 37, NULL);
INSERT INTO other_results VALUES (40, 'P025', 'KV', 5, '2022-09-10', -20, 65, 'fail');
INSERT INTO other_results VALUES (41, 'P026', 'HV10', 3, '2022-09-16', 20, 164, 'pass');
INSERT INTO other_results VALUES (42, 'P027', 'HV10', 5, '2022-10-04', 20, 170, 'fail');
INSERT INTO other_results VALUES (43, 'P027', 'KV', 5, '2022-11-06', -20, 133, 'pass');
INSERT INTO other_results VALUES (44, 'P028', 'HV10', 6, '2022-10-21', 20, 173, 'pass');
INSERT INTO other_results VALUES (45, 'P028', 'KV', 6, '2022-10-06', 20, 169, 'fail');
INSERT INTO other_results VALUES (46, 'P028', 'COR', 3, '2022-12-21', 50, 0.309, NULL);
INSERT INTO other_results VALUES (47, 'P029', 'KV', 4, '2022-10-31', -20, 138, 'pass');
INSERT INTO other_results VALUES (48, 'P030', 'HV10', 5, '2022-11-02', 20, 245, 'fail');
INSERT INTO other_results VALUES (49, 'P030', 'KV', 3, '2022-11-24', -40, 75, 'pass');
INSERT INTO other_results VALUES (50, 'P030', 'COR', 6, '2023-01-29', 50, 0.205, NULL);
INSERT INTO other_results VALUES (51, 'P031', 'HV10', 6, '2022-10-19', 20, 250, 'pass');
INSERT INTO other_results VALUES (52, 'P032', 'HV10', 6, '2022-11-22', 20, 256, 'pass');
INSERT INTO other_results VALUES (53, 'P032', 'KV', 6, '2022-11-11', 20, 173, NULL);
INSERT INTO other_results VALUES (54, 'P032', 'COR', 4, '2022-12-27', 50, 0.22, NULL);
INSERT INTO other_results VALUES (55, 'P033', 'HV10', 3, '2022-11-25', 20, 112, 'pass');
INSERT INTO other_results VALUES (56, 'P034', 'HV10', 4, '2022-11-07', 20, 107, 'pass');
INSERT INTO other_results VALUES (57, 'P035', 'HV10', 3, '2022-12-10', 20, 310, 'pass');
INSERT INTO other_results VALUES (58, 'P035', 'KV', 5, '2022-12-19', -40, 30, 'fail');
INSERT INTO other_results VALUES (59, 'P036', 'FAT', 1, '2023-03-10', 20, 462, NULL);
INSERT INTO other_results VALUES (60, 'P037', 'HV10', 2, '2022-12-05', 20, 326, 'pass');
INSERT INTO other_results VALUES (61, 'P037', 'KV', 6, '2022-12-06', 20, 62, 'fail');
INSERT INTO other_results VALUES (62, 'P038', 'HV10', 4, '2023-01-09', 20, 158, 'pass');
INSERT INTO other_results VALUES (63, 'P038', 'FAT', 3, '2023-03-27', 20, 209, NULL);
INSERT INTO other_results VALUES (64, 'P039', 'HV10', 2, '2023-01-12', 20, 156, 'pass');
INSERT INTO other_results VALUES (65, 'P040', 'HV10', 1, '2023-01-01', 20, 172, 'pass');
INSERT INTO other_results VALUES (66, 'P040', 'COR', 1, '2023-03-30', 50, 0.317, NULL);
INSERT INTO other_results VALUES (67, 'P041', 'HV10', 3, '2023-01-26', 20, 185, 'fail');
INSERT INTO other_results VALUES (68, 'P041', 'KV', 3, '2023-01-05', -40, 130, 'pass');
INSERT INTO other_results VALUES (69, 'P041', 'COR', 1, '2023-03-28', 50, 0.095, NULL);
INSERT INTO other_results VALUES (70, 'P042', 'HV10', 2, '2023-01-25', 20, 163, 'fail');
INSERT INTO other_results VALUES (71, 'P042', 'KV', 2, '2023-02-01', -20, 137, 'pass');
INSERT INTO other_results VALUES (72, 'P042', 'COR', 1, '2023-04-20', 50, 0.269, NULL);
INSERT INTO other_results VALUES (73, 'P043', 'HV10', 6, '2023-02-28', 20, 266, 'fail');
INSERT INTO other_results VALUES (74, 'P043', 'COR', 6, '2023-04-25', 50, 0.102, NULL);
INSERT INTO other_results VALUES (75, 'P044', 'HV10', 2, '2023-01-31', 20, 235, 'pass');
INSERT INTO other_results VALUES (76, 'P044', 'FAT', 4, '2023-04-12', 20, 333, NULL);
INSERT INTO other_results VALUES (77, 'P045', 'HV10', 4, '2023-03-14', 20, 100, 'pass');
INSERT INTO other_results VALUES (78, 'P045', 'FAT', 1, '2023-05-07', 20, 166, NULL);
INSERT INTO other_results VALUES (79, 'P046', 'HV10', 4, '2023-02-18', 20, 103, 'pass');
INSERT INTO other_results VALUES (80, 'P046', 'FAT', 3, '2023-04-30', 20, 129, NULL);
INSERT INTO other_results VALUES (81, 'P047', 'HV10', 5, '2023-03-28', 20, 347, 'fail');
INSERT INTO other_results VALUES (82, 'P049', 'FAT', 2, '2023-06-02', 20, 241, NULL);
INSERT INTO other_results VALUES (83, 'P050', 'HV10', 5, '2023-04-04', 20, 170, 'pass');
INSERT INTO other_results VALUES (84, 'P051', 'HV10', 1, '2023-04-23', 20, 163, 'pass');
INSERT INTO other_results VALUES (85, 'P051', 'KV', 4, '2023-05-07', 20, 213, NULL);
INSERT INTO other_results VALUES (86, 'P051', 'COR', 6, '2023-06-26', 50, 0.157, NULL);
INSERT INTO other_results VALUES (87, 'P052', 'HV10', 6, '2023-04-08', 20, 162, 'pass');
INSERT INTO other_results VALUES (88, 'P052', 'KV', 5, '2023-05-02', -20, 142, 'pass');
INSERT INTO other_results VALUES (89, 'P053', 'HV10', 5, '2023-05-08', 20, 263, 'fail');
INSERT INTO other_results VALUES (90, 'P053', 'KV', 6, '2023-05-23', -40, 100, NULL);
INSERT INTO other_results VALUES (91, 'P054', 'HV10', 3, '2023-05-26', 20, 237, 'pass');
INSERT INTO other_results VALUES (92, 'P054', 'KV', 3, '2023-04-29', -20, 88, 'pass');
INSERT INTO other_results VALUES (93, 'P054', 'COR', 4, '2023-07-04', 50, 0.37, NULL);
INSERT INTO other_results VALUES (94, 'P055', 'HV10', 2, '2023-05-16', 20, 106, 'pass');
INSERT INTO other_results VALUES (95, 'P056', 'HV10', 1, '2023-05-18', 20, 114, 'pass');
INSERT INTO other_results VALUES (96, 'P057', 'KV', 6, '2023-06-01', -20, 28, 'pass');
INSERT INTO other_results VALUES (97, 'P058', 'HV10', 4, '2023-06-18', 20, 344, 'fail');
INSERT INTO other_results VALUES (98, 'P058', 'KV', 3, '2023-07-08', 20, 39, NULL);
INSERT INTO other_results VALUES (99, 'P059', 'HV10', 4, '2023-07-30', 20, 167, 'fail');
INSERT INTO other_results VALUES (100, 'P059', 'KV', 4, '2023-06-26', -20, 69, 'pass');
INSERT INTO other_results VALUES (101, 'P060', 'HV10', 1, '2023-06-25', 20, 153, 'pass');
INSERT INTO other_results VALUES (102, 'P061', 'HV10', 5, '2023-07-19', 20, 161, 'pass');
INSERT INTO other_results VALUES (103, 'P062', 'HV10', 2, '2023-07-19', 20, 168, 'pass');
INSERT INTO other_results VALUES (104, 'P062', 'KV', 6, '2023-07-16', -20, 117, 'pass');
INSERT INTO other_results VALUES (105, 'P063', 'HV10', 5, '2023-08-23', 20, 252, 'pass');
INSERT INTO other_results VALUES (106, 'P063', 'FAT', 2, '2023-10-11', 20, 323, NULL);
INSERT INTO other_results VALUES (107, 'P064', 'HV10', 2, '2023-08-31', 20, 239, 'pass');
INSERT INTO other_results VALUES (108, 'P064', 'KV', 3, '2023-08-09', -20, 153, 'pass');
INSERT INTO other_results VALUES (109, 'P065', 'HV10', 5, '2023-09-08', 20, 101, 'pass');
INSERT INTO other_results VALUES (110, 'P066', 'HV10', 1, '2023-08-28', 20, 101, 'pass');
COMMIT;
