-- Notices of new and returned issues, and their deliveries by mail and webhook.

-- A project without a row has the defaults of the port.
CREATE TABLE notice_settings (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  mail INTEGER NOT NULL,
  quiet_hours INTEGER NOT NULL,
  webhook_url TEXT,
  -- Readable, because every delivery is signed with it. The file is for its owner alone.
  webhook_secret TEXT,
  webhook_changed_ms INTEGER,
  CHECK ((webhook_url IS NULL) = (webhook_secret IS NULL))
) STRICT;

-- People who switched mail off.
CREATE TABLE notice_mail_off (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE notices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('new', 'regressed', 'unarchived', 'summary', 'test')),
  -- No foreign key: the issue may be merged or deleted, the notice stays. The number leads to what it was merged into.
  issue_id INTEGER,
  issue_number INTEGER,
  -- 1: the issue is an echo of a server failure; held until its exception had time to arrive.
  is_mirror INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  -- When its deliveries are made; NULL once they are, or it is dropped.
  due_ms INTEGER,
  -- Why it was told to nobody.
  dropped TEXT,
  -- Times the issue came back within the quiet hours after it.
  held_back INTEGER NOT NULL DEFAULT 0,
  -- Of a summary.
  new_issues INTEGER NOT NULL DEFAULT 0,
  returned_issues INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX notices_by_project ON notices (project_id, at_ms);
CREATE INDEX notices_by_issue ON notices (issue_id, at_ms) WHERE issue_id IS NOT NULL;
CREATE INDEX notices_due ON notices (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX notices_by_age ON notices (at_ms);

CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  notice_id INTEGER NOT NULL REFERENCES notices (id) ON DELETE CASCADE,
  channel TEXT NOT NULL CHECK (channel IN ('mail', 'webhook')),
  -- NULL for the webhook.
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  -- What receivers tell a repeat by: the same for every try.
  key TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'failed', 'cancelled')),
  tries INTEGER NOT NULL DEFAULT 0,
  -- While waiting: the next try. While sending: when the lease ends. NULL once settled.
  due_ms INTEGER,
  lease TEXT,
  says TEXT,
  settled_ms INTEGER
) STRICT;
CREATE INDEX deliveries_by_notice ON deliveries (notice_id, channel, state);
CREATE INDEX deliveries_due ON deliveries (due_ms) WHERE due_ms IS NOT NULL;

-- What was not told one by one, per hour.
CREATE TABLE notices_held_back (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('quiet', 'mirror', 'summarised')),
  count INTEGER NOT NULL,
  PRIMARY KEY (project_id, hour, reason)
) STRICT, WITHOUT ROWID;
