-- Routes that SDKs stated, by which requests are named that are told by their address. Ids are never given twice: the
-- version of the directory goes by them.

CREATE TABLE known_routes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  -- pages, handlers
  sort TEXT NOT NULL,
  route TEXT NOT NULL,
  -- Of receipt, when it was stated last.
  day INTEGER NOT NULL,
  UNIQUE (project_id, sort, route)
) STRICT;
