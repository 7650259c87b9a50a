-- Invented data. Batch numbers are text; results are text with notes and in several units.
CREATE TABLE batch (batch_no TEXT PRIMARY KEY, alloy TEXT NOT NULL, mass REAL NOT NULL, mass_unit TEXT NOT NULL);
CREATE TABLE test_result (
  id INTEGER PRIMARY KEY,
  batch_no TEXT NOT NULL REFERENCES batch (batch_no),
  property TEXT NOT NULL,
  result TEXT NOT NULL,
  unit TEXT NOT NULL
);
INSERT INTO batch VALUES
  ('0012', 'AX 40', 850, 'kg'), ('012', 'AX 40', 1.2, 't'), ('12', 'BX 15', 640, 'kg'), ('4E2', 'BX 15', 2.5, 't'),
  ('400', 'BX 15', 910, 'kg'), ('0400', 'CX 9', 1.75, 't'), ('771', 'CX 9', 480, 'kg'), ('0771', 'AX 40', 3, 't'),
  ('88', 'CX 9', 1130, 'kg');
INSERT INTO test_result (batch_no, property, result, unit) VALUES
  ('0012', 'tensile strength', '512', 'MPa'), ('012', 'tensile strength', '498', 'MPa'),
  ('12', 'tensile strength', '71.8', 'ksi'), ('4E2', 'tensile strength', '530', 'MPa'),
  ('400', 'tensile strength', '86.0', 'ksi'), ('0400', 'tensile strength', '447', 'MPa'),
  ('771', 'tensile strength', '455', 'MPa'), ('0771', 'tensile strength', '505', 'MPa'),
  ('88', 'tensile strength', '62.4', 'ksi'),
  ('0012', 'lead content', '<5', 'ppm'), ('012', 'lead content', '12', 'ppm'), ('12', 'lead content', '7', 'ppm'),
  ('4E2', 'lead content', '<5', 'ppm'), ('400', 'lead content', '9', 'ppm'), ('0400', 'lead content', '31 max', 'ppm'),
  ('771', 'lead content', '26', 'ppm'), ('0771', 'lead content', '<10', 'ppm'), ('88', 'lead content', '28', 'ppm'),
  ('0012', 'hardness', '142', 'HB'), ('012', 'hardness', '138 (mean of 3)', 'HB'), ('12', 'hardness', '151', 'HB'),
  ('4E2', 'hardness', '163 (mean of 3)', 'HB'), ('400', 'hardness', '170', 'HB'), ('0400', 'hardness', '118', 'HB'),
  ('771', 'hardness', '121', 'HB'), ('0771', 'hardness', '145', 'HB'), ('88', 'hardness', '98', 'HB');
