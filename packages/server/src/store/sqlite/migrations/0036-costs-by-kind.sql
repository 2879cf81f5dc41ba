-- What time goes to, by the kind of request as well. Rows of before are of all kinds together: ''.
CREATE TABLE span_costs_by_kind (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  route TEXT NOT NULL,
  kind TEXT NOT NULL,
  op TEXT NOT NULL,
  description TEXT NOT NULL,
  count INTEGER NOT NULL,
  total_ms REAL NOT NULL,
  failed INTEGER NOT NULL,
  repeated_in INTEGER NOT NULL,
  slowest_ms REAL NOT NULL,
  slowest_trace TEXT NOT NULL,
  slowest_span TEXT NOT NULL,
  PRIMARY KEY (project_id, day, route, kind, op, description)
) STRICT, WITHOUT ROWID;

INSERT INTO span_costs_by_kind
  SELECT project_id, day, route, '', op, description, count, total_ms, failed, repeated_in, slowest_ms, slowest_trace,
    slowest_span FROM span_costs;
DROP TABLE span_costs;
ALTER TABLE span_costs_by_kind RENAME TO span_costs;
