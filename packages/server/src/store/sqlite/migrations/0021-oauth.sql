-- Agents that people sign in by browser: who registered, and what people connected. A connection is a token that is
-- worth something to agents alone; what is made by hand has no client_id.

CREATE TABLE agent_clients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- JSON list.
  redirect_uris TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  -- When somebody connected it last. NULL: nobody did.
  connected_ms INTEGER
) STRICT, WITHOUT ROWID;

ALTER TABLE tokens ADD COLUMN client_id TEXT REFERENCES agent_clients (id) ON DELETE CASCADE;
-- What every refresh token of one connection begins with: one that was used already is told by it.
ALTER TABLE tokens ADD COLUMN family_hash TEXT;
ALTER TABLE tokens ADD COLUMN refresh_hash TEXT;
-- The connection ends then, unless it is refreshed before.
ALTER TABLE tokens ADD COLUMN refresh_expires_ms INTEGER;
CREATE UNIQUE INDEX tokens_by_family ON tokens (family_hash) WHERE family_hash IS NOT NULL;
CREATE INDEX tokens_by_client ON tokens (client_id) WHERE client_id IS NOT NULL;
