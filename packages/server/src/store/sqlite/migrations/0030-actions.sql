-- Figures of server actions within their routes.

-- As request_series and request_sums: what is counted here is counted there too, under the route.
CREATE TABLE action_series (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  -- '': none.
  environment TEXT NOT NULL,
  release TEXT NOT NULL,
  route TEXT NOT NULL,
  -- '': actions that have an id alone, all of them together.
  action TEXT NOT NULL,
  -- Hours since 1970 of the newest figure: what retention goes by.
  last_hour INTEGER NOT NULL,
  UNIQUE (project_id, route, action, environment, release)
) STRICT;

CREATE TABLE action_sums (
  series_id INTEGER NOT NULL REFERENCES action_series (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  hours INTEGER NOT NULL,
  count REAL NOT NULL,
  seen INTEGER NOT NULL,
  failed REAL NOT NULL,
  failed_behind_200 REAL NOT NULL,
  aborted REAL NOT NULL,
  total_ms REAL NOT NULL,
  sketch BLOB NOT NULL,
  PRIMARY KEY (series_id, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX action_sums_by_age ON action_sums (hours, hour);

-- Where a failure behind a good status is counted; NULL for what is no action.
ALTER TABLE counted_spans ADD COLUMN action_series_id INTEGER;

-- Ids of actions as the wrappers in the app name them. `day`: since 1970, when it was told last.
CREATE TABLE action_names (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  action_id TEXT NOT NULL,
  name TEXT NOT NULL,
  day INTEGER NOT NULL,
  PRIMARY KEY (project_id, action_id)
) STRICT, WITHOUT ROWID;
