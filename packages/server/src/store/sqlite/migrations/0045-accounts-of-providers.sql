-- Which organisation made an account that nobody signs in to by themselves: its provider or SCIM may call it something else.
ALTER TABLE users ADD COLUMN org_id_managing INTEGER REFERENCES organisations (id) ON DELETE SET NULL;
UPDATE users SET org_id_managing = (SELECT m.org_id FROM memberships m WHERE m.user_id = users.id)
  WHERE password_hash = '' AND is_operator = 0
    AND NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = users.id)
    AND 1 = (SELECT count(*) FROM memberships m WHERE m.user_id = users.id);

-- Of a person whose account exists: what the directory calls them until they agree to join.
ALTER TABLE directory_users ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE directory_users ADD COLUMN is_waiting INTEGER NOT NULL DEFAULT 0;

-- Email domains that an organisation names, each with the text that its DNS record holds. Only a proved one counts.
CREATE TABLE sign_in_domains (
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  domain TEXT NOT NULL,
  token TEXT NOT NULL,
  proved_ms INTEGER,
  PRIMARY KEY (org_id, domain)
) STRICT, WITHOUT ROWID;
