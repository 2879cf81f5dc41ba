-- Alert rules, their states and firings, and the counters that they are evaluated from.

CREATE TABLE alert_rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  -- JSON of RuleDraft.
  draft TEXT NOT NULL,
  is_preset INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_by_id INTEGER,
  created_ms INTEGER NOT NULL,
  changed_by TEXT NOT NULL,
  changed_ms INTEGER NOT NULL,
  -- JSON of RuleMute; NULL: not muted.
  mute TEXT
) STRICT;
CREATE INDEX alert_rules_by_org ON alert_rules (org_id, id);

-- Of metric rules: what they are now. Of issue rules: a storm that is still to be told of.
CREATE TABLE alert_states (
  rule_id INTEGER PRIMARY KEY REFERENCES alert_rules (id) ON DELETE CASCADE,
  level TEXT NOT NULL CHECK (level IN ('ok', 'warning', 'critical')),
  since_ms INTEGER NOT NULL,
  value REAL,
  -- The firing that lasts, and when it was last told of.
  firing_id INTEGER,
  told_ms INTEGER,
  storm_ms INTEGER
) STRICT;

CREATE TABLE alert_firings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  rule_id INTEGER NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
  -- NULL: of a metric over several projects.
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  -- No foreign key: the issue may be merged or deleted.
  issue_id INTEGER,
  issue_number INTEGER,
  level TEXT NOT NULL CHECK (level IN ('info', 'warning', 'critical')),
  started_ms INTEGER NOT NULL,
  -- NULL while a metric is still away from normal.
  ended_ms INTEGER,
  -- The worst value of a metric.
  extreme REAL,
  headline TEXT NOT NULL,
  because TEXT NOT NULL,
  -- Why nobody was told: muted, or storm; NULL where messages were queued.
  untold TEXT
) STRICT;
CREATE INDEX alert_firings_by_rule ON alert_firings (rule_id, started_ms);
CREATE INDEX alert_firings_by_issue ON alert_firings (rule_id, issue_id, started_ms);

-- What happened to issues that rules watch, still to be looked at; a moment of an issue waits once.
CREATE TABLE alert_candidates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  moment TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  -- JSON of SeenFacts.
  facts TEXT NOT NULL,
  UNIQUE (issue_id, moment)
) STRICT;

-- Counters by time of receipt, of what rules look at and of nothing else. `key`: see `alerts/rules/slots.ts`.
CREATE TABLE alert_slots (
  key TEXT NOT NULL,
  -- Minutes of a slot; `slot` counts them since 1970.
  width INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  count REAL NOT NULL,
  failed REAL NOT NULL,
  users_exact INTEGER NOT NULL,
  users BLOB NOT NULL,
  sketch BLOB,
  PRIMARY KEY (key, width, slot)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_slots_by_age ON alert_slots (width, slot);

CREATE TABLE alert_quiet_hours (
  org_id INTEGER PRIMARY KEY REFERENCES organisations (id) ON DELETE CASCADE,
  -- JSON of QuietHours.
  hours TEXT NOT NULL
) STRICT;

-- What people switched off; email as a whole is in `notice_mail_off`.
CREATE TABLE alert_email_off (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  moment TEXT NOT NULL,
  PRIMARY KEY (user_id, moment)
) STRICT, WITHOUT ROWID;

-- Counts changes of rules, so that the commit reads them again only then.
INSERT INTO meta (name, value) VALUES ('alerts_version', 1);


-- What organisations that begin later are given too.
INSERT INTO alert_rules (org_id, draft, is_preset, created_by, created_ms, changed_by, changed_ms)
  SELECT o.id, preset.value, 1, 'Errata', o.created_ms, 'Errata', o.created_ms FROM organisations o, json_each(json_array(
    '{"projects":null,"if":{"match":"all","conditions":[]},"notify":[{"target":{"to":"members"},"fromLevel":"warning"}],"everyMinutes":60,"isQuiet":true,"name":"Regressed issue","isOn":false,"kind":"issue","when":[{"on":"regressed"}]}',
    '{"projects":null,"if":{"match":"all","conditions":[{"is":"age","than":"newer","minutes":1440}]},"notify":[{"target":{"to":"members"},"fromLevel":"warning"}],"everyMinutes":1440,"isQuiet":true,"name":"New issue seen by many","isOn":false,"kind":"issue","when":[{"on":"frequency","of":"users","atLeast":25,"withinMinutes":60}]}',
    '{"projects":null,"if":{"match":"all","conditions":[]},"notify":[{"target":{"to":"members"},"fromLevel":"warning"}],"everyMinutes":1440,"isQuiet":true,"name":"Escalating","isOn":true,"kind":"issue","when":[{"on":"escalating"}]}',
    '{"projects":null,"if":{"match":"all","conditions":[]},"notify":[{"target":{"to":"members"},"fromLevel":"warning"}],"everyMinutes":0,"isQuiet":true,"name":"Events are dropped","isOn":true,"kind":"metric","when":{"measure":{"of":"outcomes","outcomes":["rate_limited","invalid"]},"windowMinutes":60,"direction":"above","critical":null,"warning":1000,"resolved":100,"atLeast":0,"timesLastWeek":null}}'
  )) preset ORDER BY o.id, preset.key;
