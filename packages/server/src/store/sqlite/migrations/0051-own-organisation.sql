-- Errata's own project is the operator's: it stands in an organisation of its own that nobody but operators opens, and in no
-- list, team or count of another. Number 0, so that the numbers of all others stay what they would be.
ALTER TABLE organisations ADD COLUMN is_own INTEGER NOT NULL DEFAULT 0;

CREATE TEMP TABLE own AS SELECT id AS project_id, org_id, slug, created_ms FROM projects WHERE is_self = 1 ORDER BY id LIMIT 1;

-- "system" is a page, and so no organisation's; were it, its people would keep it.
INSERT INTO organisations (id, slug, name, created_ms, is_own)
  SELECT 0, CASE WHEN EXISTS (SELECT 1 FROM organisations WHERE slug = 'system')
    THEN 'system-' || lower(hex(randomblob(4))) ELSE 'system' END, 'Errata', created_ms, 1 FROM own;
INSERT INTO memberships (org_id, user_id, role, joined_ms)
  SELECT 0, u.id, 'owner', u.created_ms FROM users u, own WHERE u.is_operator = 1;

-- Rules that name it: of several projects they go on without it; of it alone they are the operator's, by email.
UPDATE alert_rules SET org_id = 0, draft = json_set(draft, '$.projects', NULL,
    '$.notify', json('[{"target":{"to":"members"},"fromLevel":"warning"}]'))
  WHERE draft ->> '$.projects' = (SELECT '[' || project_id || ']' FROM own);
UPDATE alert_rules SET draft = json_set(draft, '$.projects', json((
    SELECT json_group_array(p.value) FROM json_each(draft, '$.projects') p
    WHERE p.value <> (SELECT project_id FROM own))))
  WHERE EXISTS (SELECT 1 FROM json_each(draft, '$.projects') p, own WHERE p.value = own.project_id);

-- Releases that are its alone go with it. Of those that it shares it gets its own, as of versions that others say apart.
UPDATE releases SET org_id = 0
  WHERE id IN (SELECT release_id FROM release_projects WHERE project_id = (SELECT project_id FROM own))
    AND NOT EXISTS (SELECT 1 FROM release_projects o WHERE o.release_id = releases.id
      AND o.project_id <> (SELECT project_id FROM own));
CREATE TEMP TABLE shared AS SELECT rp.release_id AS old_id,
    (SELECT max(id) FROM releases) + row_number() OVER (ORDER BY rp.release_id) AS new_id
  FROM release_projects rp JOIN releases r ON r.id = rp.release_id
  WHERE rp.project_id = (SELECT project_id FROM own) AND r.org_id <> 0;
INSERT INTO releases (id, org_id, version, folded, status, ref, url, created_ms, started_ms, released_ms)
  SELECT s.new_id, 0, version, folded, status, ref, url, created_ms, started_ms, released_ms
  FROM shared s JOIN releases r ON r.id = s.old_id;
UPDATE release_environments SET release_id = (SELECT new_id FROM shared WHERE old_id = release_id)
  WHERE project_id = (SELECT project_id FROM own) AND release_id IN (SELECT old_id FROM shared);
UPDATE release_projects SET release_id = (SELECT new_id FROM shared WHERE old_id = release_id)
  WHERE project_id = (SELECT project_id FROM own) AND release_id IN (SELECT old_id FROM shared);

UPDATE skew_groups SET org_id = 0
  WHERE group_id IN (SELECT id FROM groups WHERE project_id = (SELECT project_id FROM own));
UPDATE former_slugs SET org_id = 0 WHERE project_id = (SELECT project_id FROM own);
UPDATE alert_messages SET org_id = 0 WHERE project_id = (SELECT project_id FROM own);
UPDATE deliveries SET org_id = 0 WHERE project_id = (SELECT project_id FROM own);
UPDATE audit SET org_id = 0 WHERE action LIKE 'project.%'
  AND org_id = (SELECT org_id FROM own) AND detail ->> '$.slug' = (SELECT slug FROM own);

-- Nobody of the organisation that it was in works on its issues.
DELETE FROM team_projects WHERE project_id = (SELECT project_id FROM own);
DELETE FROM guest_projects WHERE project_id = (SELECT project_id FROM own);
UPDATE issues SET assignee_team_id = NULL
  WHERE project_id = (SELECT project_id FROM own) AND assignee_team_id IS NOT NULL;
UPDATE issues SET assignee_id = NULL
  WHERE project_id = (SELECT project_id FROM own) AND assignee_id IN (SELECT id FROM users WHERE is_operator = 0);
UPDATE projects SET org_id = 0 WHERE is_self = 1;

DROP TABLE shared;
DROP TABLE own;

-- Since when the DNS record of a verified email domain is missing, and since when its owners know.
ALTER TABLE sign_in_domains ADD COLUMN missing_ms INTEGER;
ALTER TABLE sign_in_domains ADD COLUMN told_ms INTEGER;
