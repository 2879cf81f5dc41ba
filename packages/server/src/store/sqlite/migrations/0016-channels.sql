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
  last_delivered INTEGER,
  last_says TEXT,
  last_ms INTEGER,
  UNIQUE (org_id, kind, name)
) STRICT;

-- Each goes to one channel or one person. No foreign keys to rule, firing, channel and person: they may go, what was sent
-- stays.
CREATE TABLE alert_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  -- NULL: of several projects.
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  rule_id INTEGER,
  firing_id INTEGER,
  channel_id INTEGER,
  user_id INTEGER,
  kind TEXT NOT NULL,
  -- What the receiver was called then.
  receiver TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  -- JSON of AlertMessage; of one that others were gathered in, as it was sent.
  message TEXT NOT NULL,
  headline TEXT NOT NULL,
  level TEXT NOT NULL,
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
CREATE INDEX alert_messages_to_channel ON alert_messages (channel_id, at_ms) WHERE channel_id IS NOT NULL;
CREATE INDEX alert_messages_to_person ON alert_messages (user_id, at_ms) WHERE user_id IS NOT NULL;

-- What a service calls the first message of a story.
CREATE TABLE alert_threads (
  channel_id INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  story TEXT NOT NULL,
  thread TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (channel_id, story)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_threads_by_age ON alert_threads (at_ms);
