-- Where a release runs, as its events say; deploys say it as well, in a table of their own.
CREATE TABLE release_environments (
  release_id INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  event_count INTEGER NOT NULL,
  PRIMARY KEY (release_id, project_id, environment)
) STRICT, WITHOUT ROWID;
CREATE INDEX release_environments_by_project ON release_environments (project_id, environment);
