-- The control store: people, projects, issues and their groups, outcomes, notices, upkeep.
-- Times are whole milliseconds since 1970 UTC. Ids of organisations, projects, users and issues are never reused
-- (AUTOINCREMENT): telemetry rows and tombstones outlive what they name.

-- Single numbers. `applied_seq` is what decides after a crash.
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta (name, value) VALUES ('applied_seq', 0), ('pruned_day', 0);

-- What was decided once for the whole installation. `public_url`: the origin that links and DSNs begin with.
CREATE TABLE installation (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- People.

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL,
  -- Lower-cased by the program (SQLite folds ASCII alone); what addresses are compared by.
  email_folded TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  is_operator INTEGER NOT NULL DEFAULT 0,
  theme TEXT NOT NULL DEFAULT 'system',
  org_id_last INTEGER REFERENCES organisations (id) ON DELETE SET NULL,
  created_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE organisations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE memberships (
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'member', 'viewer')),
  joined_ms INTEGER NOT NULL,
  PRIMARY KEY (org_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memberships_by_user ON memberships (user_id, org_id);

CREATE TABLE teams (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  UNIQUE (org_id, slug)
) STRICT;

CREATE TABLE team_members (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (team_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_members_by_user ON team_members (user_id, team_id);

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL UNIQUE,
  created_ms INTEGER NOT NULL,
  seen_ms INTEGER NOT NULL,
  address TEXT,
  user_agent TEXT
) STRICT;
CREATE INDEX sessions_by_user ON sessions (user_id, seen_ms);

CREATE TABLE password_resets (
  code_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX password_resets_by_user ON password_resets (user_id);

CREATE TABLE invitations (
  code_hash TEXT PRIMARY KEY,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'member', 'viewer')),
  -- JSON array of team ids; teams that are gone by the time of joining are left out.
  teams TEXT NOT NULL,
  -- NULL: an organisation token.
  invited_by INTEGER,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  UNIQUE (org_id, email_folded)
) STRICT, WITHOUT ROWID;

CREATE TABLE tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- JSON array.
  scopes TEXT NOT NULL,
  tail TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  created_ms INTEGER NOT NULL,
  used_ms INTEGER
) STRICT;
CREATE INDEX tokens_by_org ON tokens (org_id, user_id);

-- No foreign keys: what happened stays, whoever it was done by or to.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- NULL: an account without an organisation; nobody reads it through one.
  org_id INTEGER,
  at_ms INTEGER NOT NULL,
  actor TEXT NOT NULL,
  user_id INTEGER,
  token_id INTEGER,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  address TEXT,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_org ON audit (org_id, id);
CREATE INDEX audit_by_action ON audit (action, at_ms);

-- Projects.

CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  platform TEXT,
  -- JSON of ProjectOptions.
  options TEXT NOT NULL,
  is_self INTEGER NOT NULL DEFAULT 0,
  created_ms INTEGER NOT NULL,
  first_event_ms INTEGER,
  -- Number of the newest issue; only counts up.
  issue_counter INTEGER NOT NULL DEFAULT 0,
  -- Issues that began in one hour of receipt, the newest (hours since 1970): what bounds them.
  new_issues_hour INTEGER NOT NULL DEFAULT 0,
  new_issues INTEGER NOT NULL DEFAULT 0,
  UNIQUE (org_id, slug)
) STRICT;

CREATE TABLE team_projects (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  PRIMARY KEY (team_id, project_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_projects_by_project ON team_projects (project_id, team_id);

CREATE TABLE project_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  public TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  -- JSON of RateLimit.
  rate_limit TEXT,
  created_ms INTEGER NOT NULL,
  used_ms INTEGER
) STRICT;
CREATE INDEX project_keys_by_project ON project_keys (project_id, id);

-- Issues. Every number is the sum or union over the issue's groups, kept here so that a list reads one row an issue.

CREATE TABLE issues (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('unresolved', 'resolved', 'archived')),
  -- As stored; `new` reads as `ongoing` once the issue is older than `issueNewDays`.
  substatus TEXT,
  -- While archived until so many more events: those still to come.
  archived_events_left INTEGER,
  -- The number of users with which it comes back.
  archived_users_at INTEGER,
  archived_until_ms INTEGER,
  status_changed_ms INTEGER NOT NULL,
  assignee_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  level TEXT NOT NULL,
  first_seen_ms INTEGER NOT NULL,
  last_seen_ms INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  mirror_count INTEGER NOT NULL,
  -- Events that keep their payload.
  payload_count INTEGER NOT NULL DEFAULT 0,
  -- Events in one hour of receipt, the newest (hours since 1970): what caps payloads.
  window_hour INTEGER NOT NULL DEFAULT 0,
  window_events INTEGER NOT NULL DEFAULT 0,
  user_count INTEGER NOT NULL,
  users_exact INTEGER NOT NULL,
  group_count INTEGER NOT NULL,
  comment_count INTEGER NOT NULL DEFAULT 0,
  first_release TEXT,
  first_release_ms INTEGER,
  last_release TEXT,
  last_release_ms INTEGER,
  -- Time of the event that the title facts are taken from: the newest.
  facts_ms INTEGER NOT NULL,
  title TEXT NOT NULL,
  type TEXT NOT NULL,
  value TEXT NOT NULL,
  filename TEXT,
  function TEXT,
  culprit TEXT NOT NULL,
  platform TEXT NOT NULL,
  logger TEXT,
  handled INTEGER,
  -- JSON objects, name to count.
  kinds TEXT NOT NULL,
  routes TEXT NOT NULL,
  UNIQUE (project_id, number)
) STRICT;
-- Covers every filter and sort of the issue list, so that a page touches wide rows only for what it shows.
CREATE INDEX issues_for_list ON issues (
  project_id, last_seen_ms, first_seen_ms, status, substatus, level, assignee_id, event_count, user_count
);
CREATE INDEX issues_archived_until ON issues (archived_until_ms) WHERE archived_until_ms IS NOT NULL;
CREATE INDEX issues_by_assignee ON issues (assignee_id) WHERE assignee_id IS NOT NULL;

-- Title and culprit, folded by the program. Trigrams answer "contains" for three characters and more.
CREATE VIRTUAL TABLE issue_text USING fts5 (text, tokenize = 'trigram case_sensitive 1', detail = full);

-- Where the links of a merged issue lead.
CREATE TABLE issue_redirects (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  UNIQUE (project_id, number)
) STRICT;
CREATE INDEX issue_redirects_by_issue ON issue_redirects (issue_id);

CREATE TABLE activities (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  user_id INTEGER,
  actor TEXT NOT NULL,
  detail TEXT NOT NULL,
  -- JSON of the state that a person's change replaced, so that it can be taken back; NULL where no state changed.
  state_before TEXT
) STRICT;
CREATE INDEX activities_by_issue ON activities (issue_id, id);

-- Groups: what the commit counts. Narrow, because filters by tag pass through it.

CREATE TABLE groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  -- 16 bytes.
  hash BLOB NOT NULL,
  -- Of its items; it names their files.
  kind TEXT NOT NULL,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  event_count INTEGER NOT NULL,
  mirror_count INTEGER NOT NULL,
  first_seen_ms INTEGER NOT NULL,
  last_seen_ms INTEGER NOT NULL,
  -- Events that keep their payload, and the newest of them: 16 bytes, and milliseconds after `base_ms`. NULL: it is the
  -- newest event.
  payload_count INTEGER NOT NULL DEFAULT 0,
  payload_event_id BLOB,
  payload_after_ms INTEGER,
  -- What the times of its facets and of its payload count from.
  base_ms INTEGER NOT NULL DEFAULT 0,
  -- Rows of facets.
  facet_count INTEGER NOT NULL DEFAULT 0,
  -- JSON object: key id to events counted as other (0: tags under keys that are not kept); NULL: none.
  facets_other TEXT,
  -- 1 when a tag key was left out because `facetKeysMax` were kept already.
  facets_full INTEGER NOT NULL DEFAULT 0,
  UNIQUE (project_id, hash)
) STRICT;
CREATE INDEX groups_by_issue ON groups (issue_id, id);
CREATE INDEX groups_facets_full ON groups (project_id) WHERE facets_full = 1;

-- Of groups that share their issue with others; what an issue's only group has said stands in the issue's row.
CREATE TABLE group_shares (
  group_id INTEGER PRIMARY KEY REFERENCES groups (id) ON DELETE CASCADE,
  first_release TEXT,
  first_release_ms INTEGER,
  last_release TEXT,
  last_release_ms INTEGER,
  -- JSON objects, name to count.
  kinds TEXT NOT NULL,
  routes TEXT NOT NULL,
  -- JSON of StoredFacts of the newest event, and its time.
  facts TEXT NOT NULL,
  facts_ms INTEGER NOT NULL
) STRICT;

-- Sorted 64-bit hashes while exact, registers of a sketch after.
CREATE TABLE group_users (
  group_id INTEGER PRIMARY KEY REFERENCES groups (id) ON DELETE CASCADE,
  is_exact INTEGER NOT NULL,
  state BLOB NOT NULL
) STRICT;

-- Events per hour of event time; `hour` counts hours since 1970.
CREATE TABLE group_hours (
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (group_id, hour)
) STRICT, WITHOUT ROWID;

-- Days of receipt and retention classes: the files that hold the group, and what of it is in each, so that reads open
-- few of them.
CREATE TABLE group_files (
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  retention_days INTEGER NOT NULL,
  -- NULL: not known until upkeep has counted the file. Times are the events' own, rounded down.
  events INTEGER,
  first_ms INTEGER,
  last_ms INTEGER,
  PRIMARY KEY (group_id, day, retention_days)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_files_uncounted ON group_files (day, retention_days) WHERE events IS NULL;

CREATE TABLE tag_keys (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE facets (
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  key_id INTEGER NOT NULL,
  value TEXT NOT NULL,
  count INTEGER NOT NULL,
  -- Milliseconds after the group's `base_ms`.
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  PRIMARY KEY (group_id, key_id, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX facets_by_value ON facets (key_id, value, group_id);

-- Keys of a group with more values than are kept apart: what filters by facets cannot answer alone.
CREATE TABLE facets_lacking (
  key_id INTEGER NOT NULL,
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  PRIMARY KEY (key_id, group_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX facets_lacking_by_group ON facets_lacking (group_id);

-- Known values of a key over a project, for suggestions and menus.
CREATE TABLE project_facets (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  key_id INTEGER NOT NULL,
  value TEXT NOT NULL,
  count INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  PRIMARY KEY (project_id, key_id, value)
) STRICT, WITHOUT ROWID;

-- Which keys a project has values of: the bound, and what search suggests as keys.
CREATE TABLE project_facet_keys (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  -- 0: all keys beyond those that it keeps.
  key_id INTEGER NOT NULL,
  -- Events whose value is not among those that the project keeps apart.
  other_count INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, key_id)
) STRICT, WITHOUT ROWID;

-- One row a release, so that a digest seen again after a deploy shows both.
CREATE TABLE digests (
  id INTEGER PRIMARY KEY,
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  digest TEXT NOT NULL,
  -- '' when unknown.
  release TEXT NOT NULL,
  environment TEXT,
  route TEXT,
  request_kind TEXT NOT NULL,
  event_id TEXT NOT NULL,
  trace_id TEXT,
  count INTEGER NOT NULL,
  mirror_count INTEGER NOT NULL,
  verified INTEGER,
  first_seen_ms INTEGER NOT NULL,
  last_seen_ms INTEGER NOT NULL,
  UNIQUE (group_id, digest, release)
) STRICT;
CREATE INDEX digests_by_digest ON digests (digest, group_id);
CREATE INDEX digests_by_age ON digests (group_id, last_seen_ms);

-- Ingest: outcomes in buckets of 15 minutes of receipt. No foreign keys: 0 stands for "none", and a removed key's counts stay.

CREATE TABLE outcomes (
  project_id INTEGER NOT NULL,
  bucket_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  category TEXT NOT NULL,
  -- '' for none.
  reason TEXT NOT NULL,
  key_id INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  example TEXT,
  PRIMARY KEY (project_id, bucket_ms, outcome, category, reason, key_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcomes_by_age ON outcomes (bucket_ms);

-- Of the whole installation, for the last hours.
CREATE TABLE outcome_minutes (
  minute_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  PRIMARY KEY (minute_ms, outcome)
) STRICT, WITHOUT ROWID;

-- Envelopes that could not be processed, set aside as files.
CREATE TABLE quarantined (
  seq INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL,
  received_ms INTEGER NOT NULL,
  reason TEXT NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;

-- Notices: of new and returned issues, and their deliveries by mail and webhook.

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
  -- Of a dropped echo: the issue of its exception. Not everybody who reads the notice may read that one, so its name is
  -- no part of the stored sentence.
  echo_of INTEGER,
  -- Times the issue came back within the quiet hours after it.
  held_back INTEGER NOT NULL DEFAULT 0,
  -- Of a summary; echoes are in neither of the first two.
  new_issues INTEGER NOT NULL DEFAULT 0,
  returned_issues INTEGER NOT NULL DEFAULT 0,
  echo_issues INTEGER NOT NULL DEFAULT 0
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
CREATE INDEX deliveries_due ON deliveries (channel, due_ms) WHERE due_ms IS NOT NULL;

-- What was not told one by one, per hour.
CREATE TABLE notices_held_back (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('quiet', 'mirror', 'summarised')),
  count INTEGER NOT NULL,
  PRIMARY KEY (project_id, hour, reason)
) STRICT, WITHOUT ROWID;

-- Upkeep: retention, deletion and compaction of what lies outside of this database.

-- Ids that only count up: a file is clean of every deletion up to an id, and may be so before it is written down.
CREATE TABLE tombstones (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  -- NULL: every group of the project.
  hash BLOB,
  up_to_seq INTEGER NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX tombstones_by_group ON tombstones (project_id, hash);

-- A person's events of one project. The name stands here until compaction has removed what it names.
CREATE TABLE person_tombstones (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  -- As EventRow.people: `id:…`, `email:…`, `username:…` or `ip:…`.
  person TEXT NOT NULL,
  up_to_seq INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  UNIQUE (project_id, person)
) STRICT;

-- What compaction has done to the files of a day and class; one that has changed since is seen by its marks.
CREATE TABLE file_states (
  kind TEXT NOT NULL,
  day INTEGER NOT NULL,
  retention_days INTEGER NOT NULL,
  payload_bytes INTEGER NOT NULL,
  column_seq INTEGER NOT NULL,
  -- Clean of deletions up to these ids.
  tombstone_id INTEGER NOT NULL,
  person_id INTEGER NOT NULL,
  compacted_ms INTEGER NOT NULL,
  PRIMARY KEY (kind, day, retention_days)
) STRICT, WITHOUT ROWID;

-- Files that retention removed or is removing; `ended_ms` NULL: begun, and finished at the next start at the latest.
CREATE TABLE removals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  day INTEGER NOT NULL,
  retention_days INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('age', 'disk', 'empty')),
  bytes INTEGER NOT NULL,
  begun_ms INTEGER NOT NULL,
  ended_ms INTEGER
) STRICT;
CREATE INDEX removals_by_file ON removals (kind, day, retention_days);

-- The last run of each kind of upkeep.
CREATE TABLE upkeep_runs (
  kind TEXT PRIMARY KEY CHECK (kind IN ('retention', 'compaction')),
  begun_ms INTEGER NOT NULL,
  ended_ms INTEGER NOT NULL,
  files INTEGER NOT NULL,
  freed_bytes INTEGER NOT NULL,
  -- NULL: it went well.
  failure TEXT
) STRICT, WITHOUT ROWID;

-- Work that runs by the clock.

CREATE TABLE jobs (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  -- When it was to run.
  due_ms INTEGER NOT NULL,
  -- When it can be claimed: the same while it waits, the end of its lease while it is under way.
  next_ms INTEGER NOT NULL,
  -- Scheduled anew while it was under way: when its next run is due.
  asked_ms INTEGER,
  payload TEXT NOT NULL,
  -- Since it was last done.
  tries INTEGER NOT NULL DEFAULT 0,
  lease TEXT,
  -- Why the try before failed.
  says TEXT,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_next ON jobs (kind, next_ms);
