-- Passkeys, authenticator apps, recovery codes, devices that signed in, and when a session was confirmed last.

CREATE TABLE passkeys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- As the authenticator names it, base64url.
  credential_id TEXT NOT NULL UNIQUE,
  -- COSE, base64url. No secret.
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  -- Words of how the browser reaches it, with commas between.
  transports TEXT NOT NULL,
  -- Host it was made for: it works nowhere else.
  host TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  used_ms INTEGER
) STRICT;
CREATE INDEX passkeys_by_user ON passkeys (user_id);

-- One app a person. The secret is sealed with a key that is not in this file.
CREATE TABLE authenticators (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  sealed_secret TEXT NOT NULL,
  -- NULL: shown, not yet tried.
  confirmed_ms INTEGER,
  -- Number of the 30 seconds whose code was used last: no code works twice.
  used_step INTEGER NOT NULL DEFAULT 0
) STRICT;

-- A code that was used is gone.
CREATE TABLE recovery_codes (
  code_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX recovery_codes_by_user ON recovery_codes (user_id);

-- Kinds of browser and system that somebody signed in with: an email tells of others.
CREATE TABLE devices (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  seen_ms INTEGER NOT NULL,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;

-- When password, passkey or code was asked for last.
ALTER TABLE sessions ADD COLUMN confirmed_ms INTEGER NOT NULL DEFAULT 0;

-- 1: who has no second factor sets one up before they see anything of the organisation.
ALTER TABLE organisations ADD COLUMN requires_second_factor INTEGER NOT NULL DEFAULT 0;

-- The device that a letter tells of; NULL: it carries a link.
ALTER TABLE letters ADD COLUMN device TEXT;
