-- Channels, where alerts go, and messages on their way there.

CREATE TABLE channels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  -- JSON objects, field to value. Secrets are readable, because every message is sent with them; never read back.
  settings TEXT NOT NULL,
  secrets TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL,
  -- What the receiver answered last.
  last_ok INTEGER,
  last_says TEXT,
  last_ms INTEGER,
  UNIQUE (org_id, kind, name)
) STRICT;

CREATE TABLE alert_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  -- NULL: of several projects.
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  -- No foreign keys: a rule, a firing and a channel may go, what was sent stays.
  rule_id INTEGER,
  rule_name TEXT,
  firing_id INTEGER,
  channel_id INTEGER,
  -- JSON of AlertTarget; one receiver has one text.
  target TEXT NOT NULL,
  kind TEXT NOT NULL,
  receiver TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  -- JSON of AlertMessage; of those gathered their own.
  message TEXT NOT NULL,
  headline TEXT NOT NULL,
  level TEXT NOT NULL,
  moment TEXT NOT NULL,
  story TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'failed', 'cancelled', 'gathered')),
  at_ms INTEGER NOT NULL,
  held_until_ms INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  -- While waiting: the next try. While sending: when the lease ends. NULL once settled.
  due_ms INTEGER,
  lease TEXT,
  says TEXT,
  settled_ms INTEGER,
  -- JSON array of MessageTry.
  tried TEXT NOT NULL DEFAULT '[]',
  gathered_in INTEGER
) STRICT;
CREATE INDEX alert_messages_by_org ON alert_messages (org_id, id);
CREATE INDEX alert_messages_by_age ON alert_messages (at_ms);
CREATE INDEX alert_messages_due ON alert_messages (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX alert_messages_open ON alert_messages (target, due_ms) WHERE due_ms IS NOT NULL;

-- What a service calls the first message of a story.
CREATE TABLE alert_threads (
  channel_id INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  story TEXT NOT NULL,
  thread TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (channel_id, story)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_threads_by_age ON alert_threads (at_ms);
