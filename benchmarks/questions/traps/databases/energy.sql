-- Invented figures. Countries, their regions and the world stand in one table.
CREATE TABLE area (code TEXT PRIMARY KEY, name TEXT NOT NULL, level TEXT NOT NULL, part_of TEXT REFERENCES area (code));
CREATE TABLE electricity_use (
  area_code TEXT NOT NULL REFERENCES area (code),
  year INTEGER NOT NULL,
  use_twh REAL NOT NULL,
  renewable_share_pct REAL NOT NULL,
  PRIMARY KEY (area_code, year)
);
INSERT INTO area VALUES
  ('W', 'World', 'world', NULL),
  ('R1', 'Nordics', 'region', 'W'), ('R2', 'Iberia', 'region', 'W'), ('R3', 'Southern Africa', 'region', 'W'),
  ('NO', 'Norway', 'country', 'R1'), ('SE', 'Sweden', 'country', 'R1'), ('FI', 'Finland', 'country', 'R1'),
  ('PT', 'Portugal', 'country', 'R2'), ('ES', 'Spain', 'country', 'R2'),
  ('NA', 'Namibia', 'country', 'R3'), ('BW', 'Botswana', 'country', 'R3'), ('ZA', 'South Africa', 'country', 'R3');
INSERT INTO electricity_use VALUES
  ('W', 2021, 868, 41.5), ('R1', 2021, 351, 79.2), ('R2', 2021, 295, 47.9), ('R3', 2021, 222, 9.8),
  ('NO', 2021, 128, 98.4), ('SE', 2021, 137, 66.1), ('FI', 2021, 86, 52.3), ('PT', 2021, 49, 58.6),
  ('ES', 2021, 246, 45.8), ('NA', 2021, 4, 71.0), ('BW', 2021, 4, 2.2), ('ZA', 2021, 214, 8.8),
  ('W', 2022, 848, 43.6), ('R1', 2022, 339, 81.0), ('R2', 2022, 290, 49.6), ('R3', 2022, 219, 11.1),
  ('NO', 2022, 124, 98.7), ('SE', 2022, 133, 68.0), ('FI', 2022, 82, 55.1), ('PT', 2022, 50, 61.2),
  ('ES', 2022, 240, 47.2), ('NA', 2022, 4, 73.5), ('BW', 2022, 5, 2.9), ('ZA', 2022, 210, 10.0);
