-- The control store as of version 55: people, projects, issues and their groups, outcomes, notices, upkeep. What a table is
-- for, and what its columns hold, is said in `model/tables`, from which all of it up to the indices of words was made once:
-- this file stays as it is, and what changes afterwards is a file of its own.
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE installation (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE jobs (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  due_ms INTEGER NOT NULL,
  next_ms INTEGER NOT NULL,
  asked_ms INTEGER,
  payload TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  lease TEXT,
  says TEXT,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_next ON jobs (kind, next_ms);
CREATE TABLE upkeep_runs (
  kind TEXT PRIMARY KEY CHECK (kind IN ('retention', 'compaction')),
  begun_ms INTEGER NOT NULL,
  ended_ms INTEGER NOT NULL,
  files INTEGER NOT NULL,
  freed_bytes INTEGER NOT NULL,
  failure TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE file_states (
  kind TEXT NOT NULL,
  day INTEGER NOT NULL,
  retention_days INTEGER NOT NULL,
  payload_bytes INTEGER NOT NULL,
  column_seq INTEGER NOT NULL,
  tombstone_id INTEGER NOT NULL,
  person_id INTEGER NOT NULL,
  compacted_ms INTEGER NOT NULL,
  PRIMARY KEY (kind, day, retention_days)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE tombstones (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  hash BLOB,
  up_to_seq INTEGER NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX tombstones_by_group ON tombstones (project_id, hash);
CREATE TABLE person_tombstones (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  person TEXT NOT NULL,
  up_to_seq INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  UNIQUE (project_id, person)
) STRICT;
CREATE TABLE quarantined (
  seq INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL,
  received_ms INTEGER NOT NULL,
  reason TEXT NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
CREATE TABLE outcomes (
  project_id INTEGER NOT NULL,
  bucket_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  category TEXT NOT NULL,
  reason TEXT NOT NULL,
  key_id INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  example TEXT,
  PRIMARY KEY (project_id, bucket_ms, outcome, category, reason, key_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcomes_by_age ON outcomes (bucket_ms);
CREATE TABLE outcome_minutes (
  minute_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  PRIMARY KEY (minute_ms, outcome)
) STRICT, WITHOUT ROWID;
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL,
  name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  is_operator INTEGER NOT NULL DEFAULT 0,
  theme TEXT NOT NULL DEFAULT 'system',
  org_id_last INTEGER REFERENCES organisations (id) ON DELETE SET NULL,
  created_ms INTEGER NOT NULL,
  org_id_managing INTEGER REFERENCES organisations (id) ON DELETE SET NULL,
  landing TEXT NOT NULL DEFAULT 'overview' CHECK (landing IN ('overview', 'issues')),
  UNIQUE (email_folded)
) STRICT;
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  seen_ms INTEGER NOT NULL,
  address TEXT,
  user_agent TEXT,
  confirmed_ms INTEGER NOT NULL DEFAULT 0,
  org_id INTEGER REFERENCES organisations (id) ON DELETE CASCADE,
  UNIQUE (token_hash)
) STRICT;
CREATE INDEX sessions_by_user ON sessions (user_id, seen_ms);
CREATE TABLE password_resets (
  code_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_ms INTEGER NOT NULL,
  letter_id INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX password_resets_by_user ON password_resets (user_id);
CREATE TABLE passkeys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  credential_id TEXT NOT NULL,
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  host TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  used_ms INTEGER,
  UNIQUE (credential_id)
) STRICT;
CREATE INDEX passkeys_by_user ON passkeys (user_id);
CREATE TABLE authenticators (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  sealed_secret TEXT NOT NULL,
  confirmed_ms INTEGER,
  used_step INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE recovery_codes (
  code_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX recovery_codes_by_user ON recovery_codes (user_id);
CREATE TABLE devices (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  seen_ms INTEGER NOT NULL,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE letters (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invitation TEXT REFERENCES invitations (code_hash) ON DELETE CASCADE,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL,
  key TEXT NOT NULL,
  code_hash TEXT,
  actor TEXT NOT NULL,
  address TEXT,
  expires_ms INTEGER NOT NULL,
  state TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  due_ms INTEGER,
  lease TEXT,
  says TEXT,
  settled_ms INTEGER,
  activity_id INTEGER REFERENCES activities (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  is_mention INTEGER NOT NULL DEFAULT 0,
  device TEXT,
  UNIQUE (invitation),
  UNIQUE (code_hash)
) STRICT;
CREATE INDEX letters_due ON letters (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX letters_of_resets ON letters (email_folded) WHERE invitation IS NULL;
CREATE UNIQUE INDEX letters_of_activities ON letters (activity_id, user_id) WHERE activity_id IS NOT NULL;
CREATE INDEX letters_of_people ON letters (user_id) WHERE user_id IS NOT NULL;
CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
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
CREATE TABLE organisations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  artifact_quota TEXT,
  requires_second_factor INTEGER NOT NULL DEFAULT 0,
  role_default TEXT NOT NULL DEFAULT 'member' CHECK (role_default IN ('manager', 'member', 'viewer')),
  is_own INTEGER NOT NULL DEFAULT 0,
  UNIQUE (slug)
) STRICT;
CREATE TABLE memberships (
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'member', 'viewer', 'guest')),
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
  role TEXT NOT NULL DEFAULT 'contributor' CHECK (role IN ('contributor', 'admin')),
  PRIMARY KEY (team_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_members_by_user ON team_members (user_id, team_id);
CREATE TABLE guest_projects (
  org_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  PRIMARY KEY (org_id, user_id, project_id),
  FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX guest_projects_by_project ON guest_projects (project_id);
CREATE TABLE invitations (
  code_hash TEXT PRIMARY KEY,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'member', 'viewer', 'guest')),
  teams TEXT NOT NULL,
  invited_by INTEGER,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  projects TEXT NOT NULL DEFAULT '[]',
  UNIQUE (org_id, email_folded)
) STRICT, WITHOUT ROWID;
CREATE TABLE tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  tail TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  used_ms INTEGER,
  expires_ms INTEGER,
  client_id TEXT REFERENCES agent_clients (id) ON DELETE CASCADE,
  family_hash TEXT,
  refresh_hash TEXT,
  refresh_expires_ms INTEGER,
  created_by_id INTEGER,
  created_by TEXT,
  address TEXT,
  UNIQUE (token_hash)
) STRICT;
CREATE INDEX tokens_by_org ON tokens (org_id, user_id);
CREATE UNIQUE INDEX tokens_by_family ON tokens (family_hash) WHERE family_hash IS NOT NULL;
CREATE INDEX tokens_by_client ON tokens (client_id) WHERE client_id IS NOT NULL;
CREATE TABLE agent_clients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  redirect_uris TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  connected_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE sign_in_providers (
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  settings TEXT NOT NULL,
  client_secret TEXT NOT NULL,
  PRIMARY KEY (org_id, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE sign_in_identities (
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (org_id, issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_identities_by_user ON sign_in_identities (user_id);
CREATE TABLE sign_in_domains (
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  domain TEXT NOT NULL,
  token TEXT NOT NULL,
  proved_ms INTEGER,
  missing_ms INTEGER,
  told_ms INTEGER,
  PRIMARY KEY (org_id, domain)
) STRICT, WITHOUT ROWID;
CREATE TABLE directory_users (
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  external_id TEXT,
  is_active INTEGER NOT NULL,
  name TEXT NOT NULL DEFAULT '',
  is_waiting INTEGER NOT NULL DEFAULT 0,
  given_name TEXT,
  PRIMARY KEY (org_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX directory_users_by_user ON directory_users (user_id);
CREATE TABLE directory_groups (
  team_id INTEGER PRIMARY KEY REFERENCES teams (id) ON DELETE CASCADE,
  external_id TEXT NOT NULL
) STRICT;
CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  platform TEXT,
  options TEXT NOT NULL,
  is_self INTEGER NOT NULL DEFAULT 0,
  created_ms INTEGER NOT NULL,
  first_event_ms INTEGER,
  issue_counter INTEGER NOT NULL DEFAULT 0,
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
  public TEXT NOT NULL,
  name TEXT NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  rate_limit TEXT,
  created_ms INTEGER NOT NULL,
  used_ms INTEGER,
  UNIQUE (public)
) STRICT;
CREATE INDEX project_keys_by_project ON project_keys (project_id, id);
CREATE TABLE former_keys (
  public TEXT PRIMARY KEY,
  project_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE former_slugs (
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  slug TEXT NOT NULL,
  project_id INTEGER REFERENCES projects (id) ON DELETE SET NULL,
  last_number INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (org_id, slug)
) STRICT;
CREATE INDEX former_slugs_by_project ON former_slugs (project_id);
CREATE TABLE environments (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  is_hidden INTEGER NOT NULL DEFAULT 0,
  position INTEGER,
  PRIMARY KEY (project_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE known_routes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  sort TEXT NOT NULL,
  route TEXT NOT NULL,
  day INTEGER NOT NULL,
  UNIQUE (project_id, sort, route)
) STRICT;
CREATE TABLE directory_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER
) STRICT;
CREATE TABLE project_ownership (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  rules TEXT NOT NULL,
  code_owners TEXT NOT NULL,
  is_auto_assigned INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL,
  assigns_suspects INTEGER NOT NULL DEFAULT 0,
  cut_issues INTEGER NOT NULL DEFAULT 0,
  cut_ms INTEGER
) STRICT;
CREATE TABLE issues (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('unresolved', 'resolved', 'archived')),
  substatus TEXT,
  archived_events_left INTEGER,
  archived_users_at INTEGER,
  archived_until_ms INTEGER,
  status_changed_ms INTEGER NOT NULL,
  assignee_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  level TEXT NOT NULL,
  first_seen_ms INTEGER NOT NULL,
  last_seen_ms INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  mirror_count INTEGER NOT NULL,
  payload_count INTEGER NOT NULL DEFAULT 0,
  window_hour INTEGER NOT NULL DEFAULT 0,
  window_events INTEGER NOT NULL DEFAULT 0,
  user_count INTEGER NOT NULL,
  users_exact INTEGER NOT NULL,
  group_count INTEGER NOT NULL,
  comment_count INTEGER NOT NULL DEFAULT 0,
  first_release TEXT,
  first_release_ms INTEGER,
  own_last_release TEXT,
  own_last_release_ms INTEGER,
  facts_ms INTEGER NOT NULL,
  own_title TEXT NOT NULL,
  type TEXT NOT NULL,
  value TEXT NOT NULL,
  filename TEXT,
  function TEXT,
  culprit TEXT NOT NULL,
  platform TEXT NOT NULL,
  logger TEXT,
  handled INTEGER,
  kinds TEXT NOT NULL,
  routes TEXT NOT NULL,
  resolved_in TEXT,
  category TEXT NOT NULL DEFAULT 'other',
  priority TEXT CHECK (priority IN ('high', 'medium', 'low')),
  priority_set_ms INTEGER,
  assignee_team_id INTEGER REFERENCES teams (id) ON DELETE SET NULL,
  title TEXT AS (iif(own_title = '' AND type <> '', type || ': ' || value, own_title)),
  last_release TEXT AS (coalesce(own_last_release, first_release)),
  last_release_ms INTEGER AS (coalesce(own_last_release_ms, first_release_ms)),
  UNIQUE (project_id, number)
) STRICT;
CREATE INDEX issues_for_list ON issues (project_id, last_seen_ms, first_seen_ms, status, substatus, level, assignee_id, event_count, user_count);
CREATE INDEX issues_archived_until ON issues (archived_until_ms) WHERE archived_until_ms IS NOT NULL;
CREATE INDEX issues_by_assignee ON issues (assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX issues_resolved_in ON issues (project_id) WHERE resolved_in IS NOT NULL;
CREATE INDEX issues_by_first_release ON issues (project_id, first_release);
CREATE INDEX issues_by_assigned_team ON issues (assignee_team_id) WHERE assignee_team_id IS NOT NULL;
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
  state_before TEXT,
  edited_ms INTEGER,
  choices_before TEXT
) STRICT;
CREATE INDEX activities_by_issue ON activities (issue_id, id);
CREATE INDEX activities_regressed ON activities (json_extract(detail, '$.release'), issue_id) WHERE kind = 'regressed';
CREATE TABLE issue_people (
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  subscription TEXT CHECK (subscription IN ('manual', 'comment', 'assigned', 'mentioned', 'off')),
  is_bookmarked INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (issue_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_people_by_user ON issue_people (user_id, issue_id);
CREATE TABLE issue_owners (
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  team_id INTEGER REFERENCES teams (id) ON DELETE CASCADE,
  rule TEXT NOT NULL,
  PRIMARY KEY (issue_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_owners_by_user ON issue_owners (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX issue_owners_by_team ON issue_owners (team_id) WHERE team_id IS NOT NULL;
CREATE TABLE issue_shares (
  issue_id INTEGER PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL,
  sealed_token TEXT,
  expires_ms INTEGER,
  created_ms INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  UNIQUE (token_hash)
) STRICT;
CREATE TABLE issue_own_texts (
  issue_id INTEGER PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  text TEXT NOT NULL
) STRICT;
CREATE TABLE merges (
  issue_id INTEGER PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  kept TEXT NOT NULL
) STRICT;
CREATE INDEX merges_by_age ON merges (at_ms);
CREATE TABLE groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  hash BLOB NOT NULL,
  kind TEXT NOT NULL,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  event_count INTEGER NOT NULL,
  mirror_count INTEGER NOT NULL,
  first_seen_ms INTEGER NOT NULL,
  last_seen_ms INTEGER NOT NULL,
  payload_count INTEGER NOT NULL DEFAULT 0,
  payload_event_id BLOB,
  payload_after_ms INTEGER,
  base_ms INTEGER NOT NULL DEFAULT 0,
  facet_count INTEGER NOT NULL DEFAULT 0,
  facets_other TEXT,
  facets_full INTEGER NOT NULL DEFAULT 0,
  folded_into INTEGER,
  UNIQUE (project_id, hash)
) STRICT;
CREATE INDEX groups_by_issue ON groups (issue_id, id);
CREATE INDEX groups_facets_full ON groups (project_id) WHERE facets_full = 1;
CREATE INDEX groups_folded ON groups (folded_into) WHERE folded_into IS NOT NULL;
CREATE TABLE group_shares (
  group_id INTEGER PRIMARY KEY REFERENCES groups (id) ON DELETE CASCADE,
  first_release TEXT,
  first_release_ms INTEGER,
  last_release TEXT,
  last_release_ms INTEGER,
  kinds TEXT NOT NULL,
  routes TEXT NOT NULL,
  facts TEXT NOT NULL,
  facts_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE group_users (
  group_id INTEGER PRIMARY KEY REFERENCES groups (id) ON DELETE CASCADE,
  is_exact INTEGER NOT NULL,
  state BLOB NOT NULL,
  aliases BLOB
) STRICT;
CREATE TABLE group_hours (
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (group_id, hour)
) STRICT, WITHOUT ROWID;
CREATE TABLE group_files (
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  retention_days INTEGER NOT NULL,
  events INTEGER,
  first_ms INTEGER,
  last_ms INTEGER,
  PRIMARY KEY (group_id, day, retention_days)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_files_uncounted ON group_files (day, retention_days) WHERE events IS NULL;
CREATE TABLE digests (
  id INTEGER PRIMARY KEY,
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  digest TEXT NOT NULL,
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
CREATE TABLE tag_keys (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  UNIQUE (key)
) STRICT;
CREATE TABLE facets (
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  key_id INTEGER NOT NULL,
  value TEXT NOT NULL,
  count INTEGER NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  PRIMARY KEY (group_id, key_id, value)
) STRICT, WITHOUT ROWID;
CREATE TABLE facets_lacking (
  key_id INTEGER NOT NULL,
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  PRIMARY KEY (key_id, group_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX facets_lacking_by_group ON facets_lacking (group_id);
CREATE TABLE packed_facets (
  group_id INTEGER PRIMARY KEY REFERENCES groups (id) ON DELETE CASCADE,
  facets TEXT NOT NULL
) STRICT;
CREATE TABLE facet_values (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  key_id INTEGER NOT NULL,
  value TEXT NOT NULL,
  UNIQUE (project_id, key_id, value)
) STRICT;
CREATE TABLE project_facets (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  key_id INTEGER NOT NULL,
  value TEXT NOT NULL,
  count INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  PRIMARY KEY (project_id, key_id, value)
) STRICT, WITHOUT ROWID;
CREATE TABLE project_facet_keys (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  key_id INTEGER NOT NULL,
  other_count INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, key_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE mirrors (
  group_id INTEGER PRIMARY KEY REFERENCES groups (id) ON DELETE CASCADE,
  due_ms INTEGER,
  matched TEXT,
  confidence TEXT,
  distance_ms INTEGER,
  kept_apart_ms INTEGER,
  kept_apart_by TEXT,
  is_full INTEGER NOT NULL DEFAULT 0,
  family INTEGER
) STRICT;
CREATE INDEX mirrors_due ON mirrors (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX mirrors_by_family ON mirrors (family) WHERE family IS NOT NULL;
CREATE TABLE mirror_sightings (
  group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  event INTEGER NOT NULL,
  trace INTEGER,
  route TEXT NOT NULL,
  kind TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  place INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (group_id, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX mirror_sightings_by_trace ON mirror_sightings (trace) WHERE trace IS NOT NULL;
CREATE INDEX mirror_sightings_by_route ON mirror_sightings (route, at_ms) WHERE trace IS NULL;
CREATE TABLE server_failures (
  trace INTEGER NOT NULL,
  group_id INTEGER NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  is_handled INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  day INTEGER NOT NULL,
  place INTEGER NOT NULL DEFAULT 0,
  of_span INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (trace, group_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX server_failures_by_place ON server_failures (project_id, place, at_ms);
CREATE INDEX server_failures_of_spans ON server_failures (trace, project_id) WHERE of_span = 1;
CREATE TABLE stale_series (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  release TEXT NOT NULL,
  from_release TEXT NOT NULL,
  failure TEXT NOT NULL,
  route TEXT NOT NULL,
  example TEXT NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  UNIQUE (project_id, environment, release, from_release, failure, route)
) STRICT;
CREATE TABLE stale_slots (
  series_id INTEGER NOT NULL REFERENCES stale_series (id) ON DELETE CASCADE,
  slot INTEGER NOT NULL,
  count INTEGER NOT NULL,
  users BLOB NOT NULL,
  users_exact INTEGER NOT NULL,
  PRIMARY KEY (series_id, slot)
) STRICT, WITHOUT ROWID;
CREATE TABLE stale_clicks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  trace TEXT,
  series_id INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  click TEXT NOT NULL
) STRICT;
CREATE INDEX stale_clicks_by_trace ON stale_clicks (project_id, trace);
CREATE INDEX stale_clicks_by_time ON stale_clicks (project_id, at_ms);
CREATE INDEX stale_clicks_by_day ON stale_clicks (day);
CREATE TABLE skew_groups (
  group_id INTEGER PRIMARY KEY REFERENCES groups (id) ON DELETE CASCADE,
  org_id INTEGER NOT NULL,
  environment TEXT NOT NULL,
  release TEXT NOT NULL
) STRICT;
CREATE INDEX skew_groups_by_deploy ON skew_groups (org_id, environment, release);
CREATE TABLE releases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  version TEXT NOT NULL,
  folded TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'archived')),
  ref TEXT,
  url TEXT,
  created_ms INTEGER NOT NULL,
  started_ms INTEGER,
  released_ms INTEGER
) STRICT;
CREATE INDEX releases_by_version ON releases (org_id, version);
CREATE TABLE release_projects (
  release_id INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  first_event_ms INTEGER,
  last_event_ms INTEGER,
  event_count INTEGER NOT NULL DEFAULT 0,
  recent_day INTEGER,
  recent_events INTEGER NOT NULL DEFAULT 0,
  recent_before INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (release_id, project_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX release_projects_by_project ON release_projects (project_id, release_id);
CREATE TABLE release_commits (
  release_id INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  commit_id TEXT NOT NULL,
  repository TEXT,
  message TEXT,
  author_name TEXT,
  author_email TEXT,
  email_folded TEXT,
  at_ms INTEGER,
  files TEXT NOT NULL,
  PRIMARY KEY (release_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX release_commits_by_id ON release_commits (commit_id, release_id);
CREATE TABLE release_environments (
  release_id INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  event_count INTEGER NOT NULL,
  PRIMARY KEY (release_id, project_id, environment)
) STRICT, WITHOUT ROWID;
CREATE INDEX release_environments_by_project ON release_environments (project_id, environment);
CREATE TABLE deploys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  release_id INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  name TEXT,
  url TEXT,
  started_ms INTEGER,
  finished_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX deploys_by_release ON deploys (release_id, id);
CREATE TABLE releases_let_go (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  count INTEGER NOT NULL,
  last_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE health_series (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  release TEXT NOT NULL,
  environment TEXT NOT NULL,
  UNIQUE (project_id, release, environment)
) STRICT;
CREATE TABLE health_hours (
  series_id INTEGER NOT NULL REFERENCES health_series (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  sessions INTEGER NOT NULL,
  errored INTEGER NOT NULL,
  unhandled INTEGER NOT NULL,
  abnormal INTEGER NOT NULL,
  crashed INTEGER NOT NULL,
  PRIMARY KEY (series_id, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX health_hours_by_hour ON health_hours (hour, series_id);
CREATE TABLE health_people (
  series_id INTEGER NOT NULL REFERENCES health_series (id) ON DELETE CASCADE,
  span INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  is_crashed INTEGER NOT NULL,
  is_exact INTEGER NOT NULL,
  state BLOB NOT NULL,
  PRIMARY KEY (series_id, span, hour, is_crashed)
) STRICT;
CREATE TABLE health_sessions (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  session BLOB NOT NULL,
  series_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  severity INTEGER NOT NULL,
  people BLOB NOT NULL,
  PRIMARY KEY (project_id, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX health_sessions_by_hour ON health_sessions (hour);
CREATE TABLE request_series (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  release TEXT NOT NULL,
  route TEXT NOT NULL,
  kind TEXT NOT NULL,
  last_hour INTEGER NOT NULL,
  UNIQUE (project_id, kind, route, environment, release)
) STRICT;
CREATE TABLE request_sums (
  series_id INTEGER NOT NULL REFERENCES request_series (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  hours INTEGER NOT NULL,
  count REAL NOT NULL,
  seen INTEGER NOT NULL,
  failed REAL NOT NULL,
  failed_behind_200 REAL NOT NULL,
  aborted REAL NOT NULL,
  total_ms REAL NOT NULL,
  sketch BLOB NOT NULL,
  failed_sketch BLOB,
  PRIMARY KEY (series_id, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_sums_by_age ON request_sums (hours, hour);
CREATE TABLE vital_sums (
  series_id INTEGER NOT NULL REFERENCES request_series (id) ON DELETE CASCADE,
  vital TEXT NOT NULL,
  hour INTEGER NOT NULL,
  hours INTEGER NOT NULL,
  count REAL NOT NULL,
  good REAL NOT NULL,
  poor REAL NOT NULL,
  sketch BLOB NOT NULL,
  PRIMARY KEY (series_id, vital, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX vital_sums_by_age ON vital_sums (hours, hour);
CREATE TABLE action_series (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  release TEXT NOT NULL,
  route TEXT NOT NULL,
  action TEXT NOT NULL,
  last_hour INTEGER NOT NULL,
  UNIQUE (project_id, route, action, environment, release)
) STRICT;
CREATE TABLE action_sums (
  series_id INTEGER NOT NULL REFERENCES action_series (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  hours INTEGER NOT NULL,
  count REAL NOT NULL,
  seen INTEGER NOT NULL,
  failed REAL NOT NULL,
  failed_behind_200 REAL NOT NULL,
  aborted REAL NOT NULL,
  total_ms REAL NOT NULL,
  sketch BLOB NOT NULL,
  failed_sketch BLOB,
  PRIMARY KEY (series_id, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX action_sums_by_age ON action_sums (hours, hour);
CREATE TABLE action_names (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  action_id TEXT NOT NULL,
  name TEXT NOT NULL,
  day INTEGER NOT NULL,
  PRIMARY KEY (project_id, action_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE counted_spans (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  trace INTEGER NOT NULL,
  span INTEGER NOT NULL,
  day INTEGER NOT NULL,
  series_id INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  ended TEXT NOT NULL,
  is_behind INTEGER NOT NULL DEFAULT 0,
  duration_ms INTEGER NOT NULL DEFAULT 0,
  weight REAL NOT NULL,
  action_series_id INTEGER,
  took_ms REAL,
  PRIMARY KEY (project_id, trace, span)
) STRICT, WITHOUT ROWID;
CREATE INDEX counted_spans_by_day ON counted_spans (day);
CREATE TABLE request_failures (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  trace INTEGER NOT NULL,
  event INTEGER NOT NULL,
  day INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  span INTEGER,
  distance REAL,
  place INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, trace, event)
) STRICT, WITHOUT ROWID;
CREATE TABLE segment_hints (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  trace INTEGER NOT NULL,
  span INTEGER NOT NULL,
  day INTEGER NOT NULL,
  kind TEXT NOT NULL,
  work TEXT NOT NULL,
  PRIMARY KEY (project_id, trace, span)
) STRICT, WITHOUT ROWID;
CREATE INDEX segment_hints_by_day ON segment_hints (day);
CREATE TABLE moved_segments (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  trace INTEGER NOT NULL,
  span INTEGER NOT NULL,
  day INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  PRIMARY KEY (project_id, trace, span)
) STRICT, WITHOUT ROWID;
CREATE INDEX moved_segments_by_day ON moved_segments (day);
CREATE INDEX moved_segments_by_time ON moved_segments (project_id, at_ms);
CREATE TABLE span_costs (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  route TEXT NOT NULL,
  kind TEXT NOT NULL,
  op TEXT NOT NULL,
  description TEXT NOT NULL,
  count INTEGER NOT NULL,
  total_ms REAL NOT NULL,
  failed INTEGER NOT NULL,
  repeated_in INTEGER NOT NULL,
  slowest_ms REAL NOT NULL,
  slowest_trace TEXT NOT NULL,
  slowest_span TEXT NOT NULL,
  PRIMARY KEY (project_id, day, route, kind, op, description)
) STRICT, WITHOUT ROWID;
CREATE TABLE saved_searches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  owner_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  sort TEXT NOT NULL,
  is_shared INTEGER NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX saved_searches_by_org ON saved_searches (org_id, is_shared, owner_id);
CREATE TABLE list_preferences (
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  default_search INTEGER REFERENCES saved_searches (id) ON DELETE SET NULL,
  density TEXT NOT NULL,
  hidden_columns TEXT NOT NULL,
  PRIMARY KEY (org_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX list_preferences_by_search ON list_preferences (default_search);
CREATE TABLE notice_settings (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  mail INTEGER NOT NULL,
  quiet_hours INTEGER NOT NULL,
  webhook_url TEXT,
  webhook_secret TEXT,
  webhook_changed_ms INTEGER,
  CHECK ((webhook_url IS NULL) = (webhook_secret IS NULL))
) STRICT;
CREATE TABLE notice_mail_off (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  at_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE notices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('new', 'regressed', 'unarchived', 'summary', 'test')),
  issue_id INTEGER,
  issue_number INTEGER,
  is_mirror INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  due_ms INTEGER,
  dropped TEXT,
  echo_of INTEGER,
  held_back INTEGER NOT NULL DEFAULT 0,
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
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'failed', 'cancelled')),
  tries INTEGER NOT NULL DEFAULT 0,
  due_ms INTEGER,
  lease TEXT,
  says TEXT,
  settled_ms INTEGER,
  org_id INTEGER,
  project_id INTEGER
) STRICT;
CREATE INDEX deliveries_by_notice ON deliveries (notice_id, channel, state);
CREATE INDEX deliveries_due ON deliveries (channel, due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX deliveries_of_org ON deliveries (org_id, due_ms) WHERE due_ms IS NOT NULL AND channel = 'mail';
CREATE INDEX deliveries_of_project ON deliveries (project_id, due_ms) WHERE due_ms IS NOT NULL AND channel = 'webhook';
CREATE TABLE notices_held_back (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('quiet', 'mirror', 'summarised')),
  count INTEGER NOT NULL,
  PRIMARY KEY (project_id, hour, reason)
) STRICT, WITHOUT ROWID;
CREATE TABLE inbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  read_ms INTEGER,
  activity_id INTEGER REFERENCES activities (id) ON DELETE CASCADE,
  issue_id INTEGER REFERENCES issues (id) ON DELETE CASCADE,
  rule_id INTEGER,
  headline TEXT,
  level TEXT,
  channel_id INTEGER REFERENCES channels (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX inbox_of_person ON inbox (user_id, id);
CREATE INDEX inbox_unread ON inbox (user_id) WHERE read_ms IS NULL;
CREATE UNIQUE INDEX inbox_by_activity ON inbox (activity_id, user_id);
CREATE INDEX inbox_by_issue ON inbox (issue_id, user_id);
CREATE INDEX inbox_by_channel ON inbox (channel_id, user_id);
CREATE INDEX inbox_by_project ON inbox (project_id);
CREATE INDEX inbox_by_org ON inbox (org_id);
CREATE INDEX inbox_by_age ON inbox (at_ms);
CREATE TABLE inbox_off (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  PRIMARY KEY (user_id, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE channels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  settings TEXT NOT NULL,
  secrets TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL,
  last_delivered INTEGER,
  last_says TEXT,
  last_ms INTEGER,
  UNIQUE (org_id, kind, name)
) STRICT;
CREATE TABLE slack_people (
  id INTEGER PRIMARY KEY,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  app TEXT NOT NULL,
  slack_user TEXT NOT NULL,
  slack_name TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  by_provider INTEGER NOT NULL,
  linked_ms INTEGER NOT NULL,
  UNIQUE (org_id, app, slack_user)
) STRICT;
CREATE INDEX slack_people_by_user ON slack_people (user_id);
CREATE TABLE alert_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  rule_id INTEGER,
  firing_id INTEGER,
  channel_id INTEGER,
  user_id INTEGER,
  kind TEXT NOT NULL,
  receiver TEXT NOT NULL,
  key TEXT NOT NULL,
  message TEXT NOT NULL,
  headline TEXT NOT NULL,
  level TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'failed', 'cancelled', 'gathered')),
  at_ms INTEGER NOT NULL,
  held_until_ms INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  due_ms INTEGER,
  lease TEXT,
  says TEXT,
  settled_ms INTEGER,
  tried TEXT NOT NULL DEFAULT '[]',
  gathered_in INTEGER,
  projects TEXT,
  issue_id INTEGER,
  occasion TEXT,
  occasion_ms INTEGER,
  UNIQUE (key)
) STRICT;
CREATE INDEX alert_messages_by_org ON alert_messages (org_id, id);
CREATE INDEX alert_messages_by_age ON alert_messages (at_ms);
CREATE INDEX alert_messages_due ON alert_messages (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX alert_messages_to_channel ON alert_messages (channel_id, at_ms) WHERE channel_id IS NOT NULL;
CREATE INDEX alert_messages_to_person ON alert_messages (user_id, at_ms) WHERE user_id IS NOT NULL;
CREATE INDEX alert_messages_of_channel ON alert_messages (channel_id, due_ms) WHERE due_ms IS NOT NULL AND kind <> 'email';
CREATE INDEX alert_messages_of_org ON alert_messages (org_id, due_ms) WHERE due_ms IS NOT NULL AND kind = 'email';
CREATE INDEX alert_messages_of_firing ON alert_messages (firing_id, id) WHERE due_ms IS NOT NULL;
CREATE INDEX alert_messages_of_issue ON alert_messages (issue_id, user_id) WHERE user_id IS NOT NULL AND issue_id IS NOT NULL;
CREATE INDEX alert_messages_of_incidents ON alert_messages (issue_id) WHERE channel_id IS NOT NULL AND issue_id IS NOT NULL;
CREATE TABLE alert_threads (
  channel_id INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  story TEXT NOT NULL,
  thread TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (channel_id, story)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_threads_by_age ON alert_threads (at_ms);
CREATE TABLE alert_rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  draft TEXT NOT NULL,
  is_preset INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_by_id INTEGER,
  created_ms INTEGER NOT NULL,
  changed_by TEXT NOT NULL,
  changed_ms INTEGER NOT NULL,
  mute TEXT
) STRICT;
CREATE INDEX alert_rules_by_org ON alert_rules (org_id, id);
CREATE TABLE alert_states (
  rule_id INTEGER PRIMARY KEY REFERENCES alert_rules (id) ON DELETE CASCADE,
  level TEXT NOT NULL CHECK (level IN ('ok', 'warning', 'critical')),
  since_ms INTEGER NOT NULL,
  value REAL,
  firing_id INTEGER,
  told_ms INTEGER,
  storm_ms INTEGER
) STRICT;
CREATE TABLE alert_firings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  rule_id INTEGER NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  issue_id INTEGER,
  issue_number INTEGER,
  level TEXT NOT NULL CHECK (level IN ('info', 'warning', 'critical')),
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  extreme REAL,
  headline TEXT NOT NULL,
  because TEXT NOT NULL,
  untold TEXT
) STRICT;
CREATE INDEX alert_firings_by_rule ON alert_firings (rule_id, started_ms);
CREATE INDEX alert_firings_by_issue ON alert_firings (rule_id, issue_id, started_ms);
CREATE TABLE alert_candidates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  moment TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  facts TEXT NOT NULL,
  UNIQUE (issue_id, moment)
) STRICT;
CREATE TABLE alert_slots (
  key TEXT NOT NULL,
  width INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  count REAL NOT NULL,
  failed REAL NOT NULL,
  users_exact INTEGER NOT NULL,
  users BLOB NOT NULL,
  sketch BLOB,
  aliases BLOB,
  PRIMARY KEY (key, width, slot)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_slots_by_age ON alert_slots (width, slot);
CREATE TABLE alert_quiet_hours (
  org_id INTEGER PRIMARY KEY REFERENCES organisations (id) ON DELETE CASCADE,
  hours TEXT NOT NULL
) STRICT;
CREATE TABLE alert_email_off (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  moment TEXT NOT NULL,
  PRIMARY KEY (user_id, moment)
) STRICT, WITHOUT ROWID;
CREATE TABLE trackers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  settings TEXT NOT NULL,
  secrets TEXT NOT NULL,
  resolves_here INTEGER NOT NULL,
  closes_there INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL,
  heard_ms INTEGER,
  UNIQUE (org_id, kind, name)
) STRICT;
CREATE TABLE tracker_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  tracker_id INTEGER NOT NULL REFERENCES trackers (id) ON DELETE CASCADE,
  ref TEXT NOT NULL,
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'closed', 'missing')),
  remote_ms INTEGER,
  checked_ms INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  UNIQUE (issue_id, tracker_id, ref)
) STRICT;
CREATE INDEX tracker_links_by_ref ON tracker_links (tracker_id, ref);
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
  due_ms INTEGER,
  lease TEXT,
  says TEXT,
  settled_ms INTEGER,
  tried TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX tracker_work_due ON tracker_work (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX tracker_work_of_link ON tracker_work (link_id) WHERE due_ms IS NOT NULL;
CREATE INDEX tracker_work_of_tracker ON tracker_work (tracker_id, id);
CREATE INDEX tracker_work_by_age ON tracker_work (at_ms);

INSERT INTO meta (name, value) VALUES ('applied_seq', 0), ('pruned_day', 0), ('alerts_version', 1);

-- Groups by the values of their tags, words as `facet-words.ts` writes them, which fills it. A document is a group; every
-- sign of ASCII that ends no word is part of one.
CREATE VIRTUAL TABLE facet_words USING fts5 (
  words, content = '', detail = none, columnsize = 0,
  tokenize = "ascii tokenchars ' !""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);

-- Which texts have a trigram, without its places in them: texts that have all of a search's trigrams are read and compared.
-- Texts of issues follow from their rows, so that the index need not keep them again.
CREATE VIEW issue_texts (id, text) AS
  SELECT i.id, coalesce(o.text, lower(i.title) || char(10) || lower(i.culprit))
  FROM issues i LEFT JOIN issue_own_texts o ON o.issue_id = i.id;
CREATE VIRTUAL TABLE issue_text USING fts5 (
  text, content = 'issue_texts', content_rowid = 'id', tokenize = 'trigram case_sensitive 1', detail = none,
  columnsize = 0
);

CREATE TRIGGER project_keys_deleted AFTER DELETE ON project_keys BEGIN
  INSERT OR REPLACE INTO former_keys (public, project_id) VALUES (old.public, old.project_id);
END;

-- Every change of what accept and process know of projects has a row, whichever process made it.
CREATE TRIGGER directory_changes_kept AFTER INSERT ON directory_changes BEGIN
  DELETE FROM directory_changes WHERE id <= NEW.id - 10000;
END;
CREATE TRIGGER directory_organisation_made AFTER INSERT ON organisations BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NULL);
END;
CREATE TRIGGER directory_organisation_changed AFTER UPDATE OF slug, is_own ON organisations BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NULL);
END;
CREATE TRIGGER directory_organisation_gone AFTER DELETE ON organisations BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NULL);
END;
CREATE TRIGGER directory_project_made AFTER INSERT ON projects BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NEW.id);
END;
CREATE TRIGGER directory_project_changed
  AFTER UPDATE OF org_id, slug, name, platform, options, is_self, first_event_ms ON projects BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NEW.id);
END;
CREATE TRIGGER directory_project_gone AFTER DELETE ON projects BEGIN
  INSERT INTO directory_changes (project_id) VALUES (OLD.id);
END;
CREATE TRIGGER directory_key_made AFTER INSERT ON project_keys BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NEW.project_id);
END;
CREATE TRIGGER directory_key_changed
  AFTER UPDATE OF project_id, public, name, is_active, rate_limit ON project_keys BEGIN
  INSERT INTO directory_changes (project_id) VALUES (OLD.project_id);
  INSERT INTO directory_changes (project_id) SELECT NEW.project_id WHERE NEW.project_id <> OLD.project_id;
END;
CREATE TRIGGER directory_key_gone AFTER DELETE ON project_keys BEGIN
  INSERT INTO directory_changes (project_id) VALUES (OLD.project_id);
END;
CREATE TRIGGER directory_route_made AFTER INSERT ON known_routes BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NEW.project_id);
END;
CREATE TRIGGER directory_route_gone AFTER DELETE ON known_routes BEGIN
  INSERT INTO directory_changes (project_id) VALUES (OLD.project_id);
END;
CREATE TRIGGER directory_release_made AFTER INSERT ON release_projects BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NEW.project_id);
END;
CREATE TRIGGER directory_release_moved AFTER UPDATE OF release_id ON release_projects BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NEW.project_id);
END;
CREATE TRIGGER directory_release_gone AFTER DELETE ON release_projects BEGIN
  INSERT INTO directory_changes (project_id) VALUES (OLD.project_id);
END;
CREATE TRIGGER directory_environment_made AFTER INSERT ON release_environments BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NEW.project_id);
END;
CREATE TRIGGER directory_deploy_made AFTER INSERT ON deploys BEGIN
  INSERT INTO directory_changes (project_id)
    SELECT project_id FROM release_projects WHERE release_id = NEW.release_id;
END;
