-- Sign-in with an organisation's own identity provider, and people and groups that it provisions.

CREATE TABLE sign_in_providers (
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  -- JSON of SignInProvider.
  settings TEXT NOT NULL,
  client_secret TEXT NOT NULL,
  PRIMARY KEY (org_id, kind)
) STRICT, WITHOUT ROWID;

-- Whom a provider means by a subject. Another issuer means others by the same one.
CREATE TABLE sign_in_identities (
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (org_id, issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_identities_by_user ON sign_in_identities (user_id);

-- Of a session that an organisation's provider began: it opens this organisation alone. NULL: all of the account's.
ALTER TABLE sessions ADD COLUMN org_id INTEGER REFERENCES organisations (id) ON DELETE CASCADE;

-- What SCIM knows of people beside their account. Who is inactive has no membership.
CREATE TABLE directory_users (
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  external_id TEXT,
  is_active INTEGER NOT NULL,
  PRIMARY KEY (org_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX directory_users_by_user ON directory_users (user_id);

CREATE TABLE directory_groups (
  team_id INTEGER PRIMARY KEY REFERENCES teams (id) ON DELETE CASCADE,
  external_id TEXT NOT NULL
) STRICT;
