-- Vitals that came before the page that they were measured on, for as long as it may come.
CREATE TABLE waiting_vitals (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  trace INTEGER NOT NULL,
  segment INTEGER NOT NULL,
  span INTEGER NOT NULL,
  day INTEGER NOT NULL,
  series_id INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  vital TEXT NOT NULL,
  value REAL NOT NULL,
  weight REAL NOT NULL,
  PRIMARY KEY (project_id, trace, segment, span)
) STRICT, WITHOUT ROWID;
CREATE INDEX waiting_vitals_by_day ON waiting_vitals (day);
