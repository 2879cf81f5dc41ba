-- What people say of environments, and what search asks of releases.

-- Of those that events and deploys name; one without a row is shown, behind those that have a place.
CREATE TABLE environments (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  is_hidden INTEGER NOT NULL DEFAULT 0,
  -- From 0; NULL: nobody gave it one.
  position INTEGER,
  PRIMARY KEY (project_id, name)
) STRICT, WITHOUT ROWID;

-- Events of the newest day that has any, and of the day before it. Days since 1970 of the events’ own time.
ALTER TABLE release_projects ADD COLUMN recent_day INTEGER;
ALTER TABLE release_projects ADD COLUMN recent_events INTEGER NOT NULL DEFAULT 0;
ALTER TABLE release_projects ADD COLUMN recent_before INTEGER NOT NULL DEFAULT 0;
