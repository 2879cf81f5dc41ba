-- Whether new issues go to the author of the commit that may have caused them, before their owners.
ALTER TABLE project_ownership ADD COLUMN assigns_suspects INTEGER NOT NULL DEFAULT 0;

-- JSON array: the projects of a rule that looks at several; NULL where it looks at one, or at all of the organisation.
ALTER TABLE alert_messages ADD COLUMN projects TEXT;
UPDATE alert_messages SET projects = (SELECT json_extract(r.draft, '$.projects') FROM alert_rules r
  WHERE r.id = alert_messages.rule_id) WHERE project_id IS NULL;
