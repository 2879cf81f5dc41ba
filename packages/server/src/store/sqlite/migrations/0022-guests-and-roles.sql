-- Guests of chosen projects, roles within teams, and the role that new people get.

-- SQLite changes no CHECK: both tables are written anew. Nothing refers to memberships; letters refer to invitations.
CREATE TABLE memberships_next (
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'member', 'viewer', 'guest')),
  joined_ms INTEGER NOT NULL,
  PRIMARY KEY (org_id, user_id)
) STRICT, WITHOUT ROWID;
INSERT INTO memberships_next SELECT org_id, user_id, role, joined_ms FROM memberships;
DROP TABLE memberships;
ALTER TABLE memberships_next RENAME TO memberships;
CREATE INDEX memberships_by_user ON memberships (user_id, org_id);

-- What a guest sees. Whoever is no guest any more has no rows here.
CREATE TABLE guest_projects (
  org_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  PRIMARY KEY (org_id, user_id, project_id),
  FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX guest_projects_by_project ON guest_projects (project_id);

CREATE TABLE letters_kept AS SELECT * FROM letters WHERE invitation IS NOT NULL;
DELETE FROM letters WHERE invitation IS NOT NULL;
CREATE TABLE invitations_next (
  code_hash TEXT PRIMARY KEY,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'member', 'viewer', 'guest')),
  -- JSON array of team ids; teams that are gone by the time of joining are left out.
  teams TEXT NOT NULL,
  -- NULL: an organisation token.
  invited_by INTEGER,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  -- JSON array of ids, of a guest.
  projects TEXT NOT NULL DEFAULT '[]',
  UNIQUE (org_id, email_folded)
) STRICT, WITHOUT ROWID;
INSERT INTO invitations_next
  SELECT code_hash, org_id, email, email_folded, role, teams, invited_by, created_ms, expires_ms, '[]'
  FROM invitations;
DROP TABLE invitations;
ALTER TABLE invitations_next RENAME TO invitations;
INSERT INTO letters SELECT * FROM letters_kept;
DROP TABLE letters_kept;

ALTER TABLE team_members ADD COLUMN role TEXT NOT NULL DEFAULT 'contributor'
  CHECK (role IN ('contributor', 'admin'));

-- Of whoever joins, where nothing says more; neither owner nor guest.
ALTER TABLE organisations ADD COLUMN role_default TEXT NOT NULL DEFAULT 'member'
  CHECK (role_default IN ('manager', 'member', 'viewer'));
