-- Invented data. Dates are text, day first, with two digits for the year; quarters are labels.
CREATE TABLE contract (
  contract_no TEXT PRIMARY KEY,
  supplier TEXT NOT NULL,
  signed_on TEXT NOT NULL,
  ends_on TEXT NOT NULL,
  yearly_fee_eur INTEGER NOT NULL
);
CREATE TABLE sales (quarter TEXT PRIMARY KEY, revenue_eur INTEGER NOT NULL, orders INTEGER NOT NULL);
INSERT INTO contract VALUES
  ('K-11', 'Alster Cloud', '14/03/98', '31/12/25', 12000), ('K-12', 'Borg Guard', '02/11/05', '01/11/24', 8400),
  ('K-13', 'Cresta Rail', '27/06/12', '30/06/27', 56000), ('K-14', 'Delta Clean', '05/01/19', '04/01/25', 9600),
  ('K-15', 'Etna Print', '19/09/99', '18/09/24', 4300), ('K-16', 'Fido Lease', '01/12/20', '30/11/26', 22500),
  ('K-17', 'Gaia Seeds', '30/04/16', '29/04/26', 7700), ('K-18', 'Hafen Crane', '08/07/22', '07/07/25', 31000),
  ('K-19', 'Iso Audit', '11/02/23', '10/02/26', 15000);
INSERT INTO sales VALUES
  ('Q1 2021', 410000, 118), ('Q2 2021', 432000, 121), ('Q3 2021', 398000, 109), ('Q4 2021', 520000, 150),
  ('Q1 2022', 441000, 124), ('Q2 2022', 468000, 131), ('Q3 2022', 425000, 113), ('Q4 2022', 577000, 162),
  ('Q1 2023', 459000, 127), ('Q2 2023', 483000, 135);
