-- What spans said of a segment that they came apart from, for as long as it may come. Keys as in counted_spans.
CREATE TABLE segment_hints (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  trace INTEGER NOT NULL,
  span INTEGER NOT NULL,
  -- Day of receipt.
  day INTEGER NOT NULL,
  -- '': they don't say.
  kind TEXT NOT NULL,
  work TEXT NOT NULL,
  PRIMARY KEY (project_id, trace, span)
) STRICT, WITHOUT ROWID;
CREATE INDEX segment_hints_by_day ON segment_hints (day);

-- Of segments that may be counted elsewhere yet: what their sums were given. NULL for all others.
ALTER TABLE counted_spans ADD COLUMN took_ms REAL;
