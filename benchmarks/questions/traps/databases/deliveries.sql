-- Invented data. A consignment has several kinds of parcels and several scans.
CREATE TABLE depot (postcode TEXT PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL);
CREATE TABLE consignment (
  id INTEGER PRIMARY KEY,
  customer TEXT NOT NULL,
  depot_postcode TEXT NOT NULL REFERENCES depot (postcode),
  freight_eur NUMERIC NOT NULL,
  weight_kg INTEGER NOT NULL
);
CREATE TABLE parcel (
  id INTEGER PRIMARY KEY,
  consignment_id INTEGER NOT NULL REFERENCES consignment (id),
  packaging TEXT NOT NULL,
  pieces INTEGER NOT NULL
);
CREATE TABLE scan (
  id INTEGER PRIMARY KEY,
  consignment_id INTEGER NOT NULL REFERENCES consignment (id),
  status TEXT NOT NULL,
  scanned_on DATE NOT NULL
);
INSERT INTO depot VALUES
  ('01067', 'Elbe', 'DE'), ('1067', 'Ring', 'NL'), ('08001', 'Rambla', 'ES'), ('8001', 'Sihl', 'CH'),
  ('20095', 'Alster', 'DE'), ('0150', 'Fjord', 'NO'), ('75010', 'Canal', 'FR'), ('00184', 'Colle', 'IT');
INSERT INTO consignment VALUES
  (501, 'Ahlen Optik', '01067', 420, 310), (502, 'Bonet Wines', '08001', 660, 900),
  (503, 'Bonet Wines', '8001', 240, 150), (504, 'Cordes Tools', '1067', 380, 275),
  (505, 'Cordes Tools', '01067', 510, 480), (506, 'Dahl Fish', '0150', 890, 1200),
  (507, 'Ahlen Optik', '20095', 150, 60), (508, 'Esposito Pasta', '00184', 730, 1010),
  (509, 'Fabre Cheese', '75010', 305, 220), (510, 'Dahl Fish', '0150', 620, 700);
INSERT INTO parcel (consignment_id, packaging, pieces) VALUES
  (501, 'pallet', 1), (501, 'box', 4), (502, 'pallet', 3), (503, 'box', 6), (504, 'pallet', 1), (504, 'box', 2),
  (504, 'crate', 1), (505, 'pallet', 2), (505, 'crate', 3), (506, 'crate', 8), (506, 'pallet', 2), (507, 'box', 3),
  (508, 'pallet', 4), (508, 'box', 5), (509, 'box', 7), (510, 'crate', 5);
INSERT INTO scan (consignment_id, status, scanned_on) VALUES
  (501, 'loaded', '2024-02-01'), (501, 'delayed', '2024-02-02'), (501, 'delivered', '2024-02-05'),
  (502, 'loaded', '2024-02-03'), (502, 'delivered', '2024-02-07'),
  (503, 'loaded', '2024-02-06'), (503, 'delivered', '2024-02-08'),
  (504, 'loaded', '2024-02-12'), (504, 'delayed', '2024-02-13'), (504, 'delayed', '2024-02-15'),
  (504, 'delivered', '2024-02-19'),
  (505, 'loaded', '2024-02-14'), (505, 'delivered', '2024-02-16'),
  (506, 'loaded', '2024-02-20'), (506, 'delayed', '2024-02-21'), (506, 'delivered', '2024-02-24'),
  (507, 'loaded', '2024-02-22'), (507, 'delivered', '2024-02-23'),
  (508, 'loaded', '2024-02-26'), (508, 'delayed', '2024-02-27'), (508, 'delayed', '2024-02-29'),
  (508, 'delivered', '2024-03-04'),
  (509, 'loaded', '2024-03-05'), (509, 'delivered', '2024-03-06'),
  (510, 'loaded', '2024-03-07'), (510, 'delivered', '2024-03-11');
