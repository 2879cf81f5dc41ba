-- Clicks in tabs of an old build: counted per deploy, build, failure and route.

-- What clicks are counted apart by. '': nobody says.
CREATE TABLE stale_series (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  -- The release that answered, and the one that the tab ran.
  release TEXT NOT NULL,
  from_release TEXT NOT NULL,
  failure TEXT NOT NULL,
  route TEXT NOT NULL,
  -- JSON of StaleExample, of the newest click.
  example TEXT NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  UNIQUE (project_id, environment, release, from_release, failure, route)
) STRICT;

-- `slot`: spans of ten minutes since 1970.
CREATE TABLE stale_slots (
  series_id INTEGER NOT NULL REFERENCES stale_series (id) ON DELETE CASCADE,
  slot INTEGER NOT NULL,
  count INTEGER NOT NULL,
  -- As those of a group.
  users BLOB NOT NULL,
  users_exact INTEGER NOT NULL,
  PRIMARY KEY (series_id, slot)
) STRICT, WITHOUT ROWID;

-- Clicks of the last days one by one, so that their other half, which may come first or later, is not counted again.
CREATE TABLE stale_clicks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  -- Day of receipt.
  day INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  trace TEXT,
  series_id INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  -- JSON of StaleClick.
  click TEXT NOT NULL
) STRICT;
CREATE INDEX stale_clicks_by_trace ON stale_clicks (project_id, trace);
CREATE INDEX stale_clicks_by_time ON stale_clicks (project_id, at_ms);
CREATE INDEX stale_clicks_by_day ON stale_clicks (day);
