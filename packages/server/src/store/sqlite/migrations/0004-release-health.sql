-- Release health: what became of sessions, by release, environment and hour.

CREATE TABLE health_series (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  release TEXT NOT NULL,
  -- Empty where sessions name none.
  environment TEXT NOT NULL,
  UNIQUE (project_id, release, environment)
) STRICT;

-- Each session is counted once, in the hour of its start, and in at most one column beside the first.
CREATE TABLE health_hours (
  series_id INTEGER NOT NULL REFERENCES health_series (id) ON DELETE CASCADE,
  -- Since 1970.
  hour INTEGER NOT NULL,
  sessions INTEGER NOT NULL,
  errored INTEGER NOT NULL,
  unhandled INTEGER NOT NULL,
  abnormal INTEGER NOT NULL,
  crashed INTEGER NOT NULL,
  PRIMARY KEY (series_id, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX health_hours_by_hour ON health_hours (hour, series_id);

-- Who had sessions: hashes, or a sketch of them.
CREATE TABLE health_people (
  series_id INTEGER NOT NULL REFERENCES health_series (id) ON DELETE CASCADE,
  -- Hours that the row covers: 1 or 24, from `hour` on.
  span INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  is_crashed INTEGER NOT NULL,
  is_exact INTEGER NOT NULL,
  state BLOB NOT NULL,
  PRIMARY KEY (series_id, span, hour, is_crashed)
) STRICT;

-- Sessions that may still change, so that no update counts one again.
CREATE TABLE health_sessions (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  -- First eight bytes of the SHA-256 of its id.
  session BLOB NOT NULL,
  -- May be gone with its release.
  series_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  severity INTEGER NOT NULL,
  -- Hashes of its people, eight bytes each.
  people BLOB NOT NULL,
  PRIMARY KEY (project_id, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX health_sessions_by_hour ON health_sessions (hour);
