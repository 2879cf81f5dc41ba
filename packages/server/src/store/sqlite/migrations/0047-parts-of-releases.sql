-- What is said of a release belongs to the projects that it is said of: an organisation has a version once for each set of
-- projects whose people say it together, so the version alone is not unique any more. Children first: a table that others
-- refer to takes their rows along when it is dropped.
CREATE TABLE releases_anew (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  version TEXT NOT NULL,
  -- Folded by the program, for searching.
  folded TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'archived')),
  ref TEXT,
  url TEXT,
  created_ms INTEGER NOT NULL,
  started_ms INTEGER,
  released_ms INTEGER
) STRICT;
INSERT INTO releases_anew SELECT id, org_id, version, folded, status, ref, url, created_ms, started_ms, released_ms
  FROM releases;

CREATE TABLE release_projects_anew (
  release_id INTEGER NOT NULL REFERENCES releases_anew (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  -- Of the events’ own time.
  first_event_ms INTEGER,
  last_event_ms INTEGER,
  event_count INTEGER NOT NULL DEFAULT 0,
  recent_day INTEGER,
  recent_events INTEGER NOT NULL DEFAULT 0,
  recent_before INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (release_id, project_id)
) STRICT, WITHOUT ROWID;
INSERT INTO release_projects_anew SELECT release_id, project_id, first_event_ms, last_event_ms, event_count, recent_day,
  recent_events, recent_before FROM release_projects;

CREATE TABLE release_commits_anew (
  release_id INTEGER NOT NULL REFERENCES releases_anew (id) ON DELETE CASCADE,
  -- 0: the newest.
  position INTEGER NOT NULL,
  commit_id TEXT NOT NULL,
  repository TEXT,
  message TEXT,
  author_name TEXT,
  author_email TEXT,
  -- Folded by the program: what members are found by.
  email_folded TEXT,
  at_ms INTEGER,
  -- JSON array of [path, type].
  files TEXT NOT NULL,
  PRIMARY KEY (release_id, position)
) STRICT, WITHOUT ROWID;
INSERT INTO release_commits_anew SELECT release_id, position, commit_id, repository, message, author_name, author_email,
  email_folded, at_ms, files FROM release_commits;

CREATE TABLE deploys_anew (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  release_id INTEGER NOT NULL REFERENCES releases_anew (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  name TEXT,
  url TEXT,
  started_ms INTEGER,
  finished_ms INTEGER NOT NULL
) STRICT;
INSERT INTO deploys_anew SELECT id, release_id, environment, name, url, started_ms, finished_ms FROM deploys;

CREATE TABLE release_environments_anew (
  release_id INTEGER NOT NULL REFERENCES releases_anew (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  event_count INTEGER NOT NULL,
  PRIMARY KEY (release_id, project_id, environment)
) STRICT, WITHOUT ROWID;
INSERT INTO release_environments_anew SELECT release_id, project_id, environment, event_count FROM release_environments;

DROP TABLE release_environments;
DROP TABLE deploys;
DROP TABLE release_commits;
DROP TABLE release_projects;
DROP TABLE releases;
ALTER TABLE releases_anew RENAME TO releases;
ALTER TABLE release_projects_anew RENAME TO release_projects;
ALTER TABLE release_commits_anew RENAME TO release_commits;
ALTER TABLE deploys_anew RENAME TO deploys;
ALTER TABLE release_environments_anew RENAME TO release_environments;
CREATE INDEX releases_by_version ON releases (org_id, version);
CREATE INDEX release_projects_by_project ON release_projects (project_id, release_id);
CREATE INDEX release_commits_by_id ON release_commits (commit_id, release_id);
CREATE INDEX deploys_by_release ON deploys (release_id, id);
CREATE INDEX release_environments_by_project ON release_environments (project_id, environment);
