-- Issue trackers, links of issues to theirs, and what is asked of trackers because of it.

CREATE TABLE trackers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  -- JSON objects, field to value. Secrets are readable, because every call is made with them; never read back.
  settings TEXT NOT NULL,
  secrets TEXT NOT NULL,
  resolves_here INTEGER NOT NULL,
  closes_there INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL,
  -- When a signed webhook came last.
  heard_ms INTEGER,
  UNIQUE (org_id, kind, name)
) STRICT;

CREATE TABLE tracker_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  tracker_id INTEGER NOT NULL REFERENCES trackers (id) ON DELETE CASCADE,
  -- As the tracker's calls name its issue.
  ref TEXT NOT NULL,
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'closed', 'missing')),
  -- When the issue changed last, by the tracker's clock.
  remote_ms INTEGER,
  checked_ms INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  UNIQUE (issue_id, tracker_id, ref)
) STRICT;
CREATE INDEX tracker_links_by_ref ON tracker_links (tracker_id, ref);

-- No foreign key to link and issue: they may go, what was closed stays in the log. A refresh is gone once it is settled.
CREATE TABLE tracker_work (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tracker_id INTEGER NOT NULL REFERENCES trackers (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  link_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  what TEXT NOT NULL CHECK (what IN ('close', 'refresh')),
  ref TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'failed', 'cancelled')),
  at_ms INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  -- While waiting: the next try. While sending: when the lease ends. NULL once settled.
  due_ms INTEGER,
  lease TEXT,
  says TEXT,
  settled_ms INTEGER,
  -- JSON array of MessageTry.
  tried TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX tracker_work_due ON tracker_work (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX tracker_work_of_link ON tracker_work (link_id) WHERE due_ms IS NOT NULL;
CREATE INDEX tracker_work_of_tracker ON tracker_work (tracker_id, id);
CREATE INDEX tracker_work_by_age ON tracker_work (at_ms);
