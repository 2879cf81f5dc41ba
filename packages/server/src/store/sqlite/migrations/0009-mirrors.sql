-- Mirrors of server failures: the browser's half of a failure belongs to the server's issue.

-- The group of the server that this one mirrors, for as long as its issue owns this one. Ids of groups are never reused.
ALTER TABLE groups ADD COLUMN folded_into INTEGER;
CREATE INDEX groups_folded ON groups (folded_into) WHERE folded_into IS NOT NULL;

-- Groups of which every event is a mirror. One that waits owns an issue whose substatus is 'waiting': no list has it, and
-- its number is none of its project's (its id below zero) until it stands alone.
CREATE TABLE mirrors (
  group_id INTEGER PRIMARY KEY REFERENCES groups (id) ON DELETE CASCADE,
  -- When it stands alone, while it waits for the server's half.
  due_ms INTEGER,
  -- While it is folded: 'digest', 'trace' or 'route', how sure that is, and how far apart the halves were.
  matched TEXT,
  confidence TEXT,
  distance_ms INTEGER,
  -- A person said that it is another failure; it stays alone.
  kept_apart_ms INTEGER,
  kept_apart_by TEXT,
  -- The server's issue owns as many groups as one may.
  is_full INTEGER NOT NULL DEFAULT 0,
  -- Of one that stands alone without a digest: 8 bytes of what it says and where, so that a request more is no issue more.
  family INTEGER
) STRICT;
CREATE INDEX mirrors_due ON mirrors (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX mirrors_by_family ON mirrors (family) WHERE family IS NOT NULL;

-- What finds the server's half of a mirror. `trace`: 64 bits; of an event without one, of its id.
CREATE TABLE mirror_sightings (
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  event INTEGER NOT NULL,
  -- NULL: none.
  trace INTEGER,
  -- '': none.
  route TEXT NOT NULL,
  kind TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (group_id, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX mirror_sightings_by_trace ON mirror_sightings (trace) WHERE trace IS NOT NULL;
CREATE INDEX mirror_sightings_by_route ON mirror_sightings (route, at_ms) WHERE trace IS NULL;

-- One a trace and group of a server, of the last days. Rows outlive their group, and lead nowhere then.
CREATE TABLE server_failures (
  trace INTEGER NOT NULL,
  group_id INTEGER NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  route TEXT NOT NULL,
  kind TEXT NOT NULL,
  is_handled INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  -- Day of receipt.
  day INTEGER NOT NULL,
  PRIMARY KEY (trace, group_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX server_failures_by_route ON server_failures (project_id, route, at_ms);
