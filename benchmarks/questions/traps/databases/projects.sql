-- Invented data. Neither keys nor references are declared; a link table joins people and projects.
CREATE TABLE staff (staff_no TEXT, name TEXT, grade TEXT, team TEXT, monthly_salary_eur INTEGER);
CREATE TABLE project (project_no TEXT, title TEXT, client TEXT, budget_eur INTEGER);
CREATE TABLE assignment (staff_no TEXT, project_no TEXT, share_pct INTEGER);
INSERT INTO staff VALUES
  ('S1', 'Ida Brandt', 'senior', 'Design', 6400), ('S2', 'Jonas Weil', 'junior', 'Design', 3900),
  ('S3', 'Kira Olsen', 'senior', 'Field', 6100), ('S4', 'Liam Hart', 'junior', 'Field', 3600),
  ('S5', 'Mona Peri', 'lead', 'Field', 7800), ('S6', 'Nils Aro', 'senior', 'Lab', 6000),
  ('S7', 'Olga Ruiz', 'junior', 'Lab', 4100), ('S8', 'Pavel Duda', 'lead', 'Design', 8000);
INSERT INTO project VALUES
  ('P10', 'Harbour lights', 'Port of Asgrim', 120000), ('P11', 'Tram depot', 'City of Velden', 310000),
  ('P12', 'Wetland survey', 'City of Velden', 45000), ('P13', 'Bridge sensors', 'Rail Nord', 90000),
  ('P14', 'Noise map', 'Rail Nord', 60000), ('P15', 'School roofs', 'City of Velden', 75000),
  ('P16', 'Cable duct', 'Port of Asgrim', 150000), ('P17', 'Water audit', 'Hotel Lind', 30000);
INSERT INTO assignment VALUES
  ('S1', 'P10', 40), ('S3', 'P10', 30), ('S8', 'P10', 20), ('S1', 'P11', 40), ('S2', 'P11', 60), ('S3', 'P11', 40),
  ('S5', 'P11', 30), ('S8', 'P11', 50), ('S4', 'P12', 100), ('S5', 'P12', 20), ('S7', 'P12', 50), ('S3', 'P13', 30),
  ('S6', 'P13', 60), ('S6', 'P14', 40), ('S5', 'P15', 30), ('S8', 'P15', 30), ('S1', 'P16', 20), ('S5', 'P16', 20),
  ('S7', 'P17', 50);
