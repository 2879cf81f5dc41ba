-- Mails that carry a link for one person, and tokens that end. The link's code is made when the mail is sent; only its
-- hash is kept.
CREATE TABLE letters (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- NULL: a link that resets the password of whoever has the address, if anybody has.
  invitation TEXT UNIQUE REFERENCES invitations (code_hash) ON DELETE CASCADE,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL,
  -- Names the letter for every try; no secret.
  key TEXT NOT NULL,
  -- Of an invitation's link as it was sent last.
  code_hash TEXT UNIQUE,
  -- Who asked, for the audit log.
  actor TEXT NOT NULL,
  address TEXT,
  expires_ms INTEGER NOT NULL,
  state TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  due_ms INTEGER,
  lease TEXT,
  says TEXT,
  settled_ms INTEGER
) STRICT;
CREATE INDEX letters_due ON letters (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX letters_of_resets ON letters (email_folded) WHERE invitation IS NULL;

-- Of the letter that carries the link; NULL: an operator made it.
ALTER TABLE password_resets ADD COLUMN letter_id INTEGER;

-- NULL: until it is revoked.
ALTER TABLE tokens ADD COLUMN expires_ms INTEGER;
