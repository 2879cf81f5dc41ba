-- Tokens of an organisation outlive whoever made them, and say who that was. No foreign key, as in the audit log.

ALTER TABLE tokens ADD COLUMN created_by_id INTEGER;
ALTER TABLE tokens ADD COLUMN created_by TEXT;

-- audit_by_action. Of those there were, as far back as the log goes.
UPDATE tokens SET created_by_id = made.user_id, created_by = made.actor
  FROM (SELECT org_id, at_ms, target, user_id, actor FROM audit WHERE action = 'token.created') AS made
  WHERE tokens.user_id IS NULL AND tokens.client_id IS NULL
    AND made.org_id = tokens.org_id AND made.at_ms = tokens.created_ms AND made.target = tokens.name;
