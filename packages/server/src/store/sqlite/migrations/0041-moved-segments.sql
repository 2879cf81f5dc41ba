-- Segments that are counted otherwise than their own rows say, for as long as that is known. Keys as in counted_spans.
CREATE TABLE moved_segments (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  trace INTEGER NOT NULL,
  span INTEGER NOT NULL,
  -- Day of receipt.
  day INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  -- As its own row says it.
  kind TEXT NOT NULL,
  PRIMARY KEY (project_id, trace, span)
) STRICT, WITHOUT ROWID;
CREATE INDEX moved_segments_by_day ON moved_segments (day);
CREATE INDEX moved_segments_by_time ON moved_segments (project_id, at_ms);
