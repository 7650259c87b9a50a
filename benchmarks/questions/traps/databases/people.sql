-- Invented data. A person is called None, a department NA; a bonus is an amount, 0, NA (not agreed) or not entered.
CREATE TABLE department (code TEXT PRIMARY KEY, title TEXT NOT NULL, floor INTEGER NOT NULL);
CREATE TABLE employee (
  staff_no TEXT PRIMARY KEY,
  first_name TEXT NOT NULL,
  surname TEXT NOT NULL,
  department_code TEXT NOT NULL REFERENCES department (code),
  hired_on TEXT NOT NULL,
  bonus_eur TEXT
);
INSERT INTO department VALUES
  ('NA', 'Nano Analytics', 4), ('IT', 'Information Technology', 2), ('FI', 'Finance', 3), ('LG', 'Logistics', 1),
  ('HR', 'Human Resources', 3), ('QA', 'Quality Assurance', 1), ('PR', 'Public Relations', 4), ('OP', 'Operations', 2);
INSERT INTO employee VALUES
  ('0007', 'Sora', 'None', 'NA', '12.05.2016', '1500'), ('0012', 'Bertil', 'Null', 'IT', '03.09.2018', '0'),
  ('0015', 'Funmi', 'Adebayo', 'NA', '21.01.2020', 'NA'), ('0019', 'Tove', 'Carlsen', 'FI', '07.02.2015', '2000'),
  ('0023', 'Ivo', 'Dimitrov', 'IT', '30.11.2021', NULL), ('0031', 'Lena', 'Ekholm', 'LG', '15.08.2019', '0'),
  ('0034', 'Bence', 'Farkas', 'NA', '02.10.2022', '1200'), ('0038', 'Nina', 'Gallo', 'HR', '18.12.2017', 'NA'),
  ('0042', 'Minh', 'Hoang', 'LG', '09.04.2023', ''), ('0047', 'Ken', 'Ito', 'QA', '25.03.2014', '0'),
  ('0051', 'Wim', 'Jansen', 'FI', '11.06.2023', '2000'), ('0056', 'Uta', 'Klein', 'QA', '01.07.2019', '900');
