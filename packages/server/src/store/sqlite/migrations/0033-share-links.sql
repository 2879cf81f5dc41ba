-- Links to issues are known by their hash, and end. Those there were go on without an end; nobody is shown them again.

CREATE TABLE shares_of_issues (
  issue_id INTEGER PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL UNIQUE,
  -- To show the link again: sealed with a key that this database does not hold.
  sealed_token TEXT,
  -- NULL: until it is revoked.
  expires_ms INTEGER,
  created_ms INTEGER NOT NULL,
  created_by TEXT NOT NULL
) STRICT;

INSERT INTO shares_of_issues (issue_id, token_hash, created_ms, created_by)
  SELECT issue_id, secret_hash(token), created_ms, created_by FROM issue_shares;

DROP TABLE issue_shares;
ALTER TABLE shares_of_issues RENAME TO issue_shares;

-- A merge that is undone later brings back everything but the link.
UPDATE merges SET kept = json_set(kept, '$.issues', (
  SELECT json_group_array(json_set(value, '$.below.issue_shares', json('[]')))
  FROM json_each(merges.kept, '$.issues')
));
