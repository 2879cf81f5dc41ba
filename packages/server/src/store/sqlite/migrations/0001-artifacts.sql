-- What build tools uploaded, in a database of its own: written by the thread that holds the files, read by whoever
-- resolves frames. Times are whole milliseconds since 1970 UTC. Organisations and projects are those of the control store.

CREATE TABLE bundles (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('bundle', 'debug_file')),
  -- SHA-1 of all of its bytes: the name of its file.
  sha1 TEXT NOT NULL,
  name TEXT NOT NULL,
  release TEXT,
  dist TEXT,
  bytes INTEGER NOT NULL,
  uploaded_ms INTEGER NOT NULL,
  uploaded_by TEXT NOT NULL,
  used_ms INTEGER
) STRICT;
CREATE UNIQUE INDEX bundles_by_bytes ON bundles (org_id, sha1, kind, coalesce(release, ''), coalesce(dist, ''));
CREATE INDEX bundles_by_release ON bundles (org_id, release);

CREATE TABLE bundle_projects (
  bundle_id INTEGER NOT NULL REFERENCES bundles (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL,
  PRIMARY KEY (bundle_id, project_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bundle_projects_by_project ON bundle_projects (project_id, bundle_id);

CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  bundle_id INTEGER NOT NULL REFERENCES bundles (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('minified_source', 'source_map', 'source', 'other')),
  url TEXT NOT NULL,
  debug_id TEXT,
  map_reference TEXT,
  bytes INTEGER NOT NULL,
  -- Of a map, and of a minified file whose map is in the same bundle.
  map_key TEXT
) STRICT;
CREATE INDEX files_by_bundle ON files (bundle_id);
CREATE INDEX files_by_debug_id ON files (debug_id) WHERE debug_id IS NOT NULL;
CREATE INDEX files_by_url ON files (url) WHERE url <> '';
CREATE INDEX files_by_map ON files (map_key) WHERE map_key IS NOT NULL;

-- What is made of maps, once for all bundles of an organisation that hold the same one.
CREATE TABLE maps (
  org_id INTEGER NOT NULL,
  map_key TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'ready', 'damaged')),
  bytes INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  -- How often it was begun: one that ends the process each time is not tried for ever.
  tries INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (org_id, map_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX maps_waiting ON maps (state) WHERE state = 'waiting';

CREATE TABLE failed_uploads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL,
  -- JSON array of project ids.
  projects TEXT NOT NULL,
  release TEXT,
  at_ms INTEGER NOT NULL,
  what TEXT NOT NULL,
  reason TEXT NOT NULL,
  uploaded_by TEXT NOT NULL
) STRICT;
CREATE INDEX failed_uploads_by_org ON failed_uploads (org_id, id);

-- Uploads whose stored events are still to be looked at, once their maps are ready. Each giving to projects is a new row.
CREATE TABLE late_bundles (
  mark INTEGER PRIMARY KEY AUTOINCREMENT,
  bundle_id INTEGER NOT NULL UNIQUE REFERENCES bundles (id) ON DELETE CASCADE
) STRICT;
