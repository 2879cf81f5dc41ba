-- What an issue's only group has said stands in the issue's row alone: half of what a group took was said twice. How
-- often a key came is the sum of its values and of what was counted as other.

-- Times of facets are milliseconds after it.
ALTER TABLE groups ADD COLUMN base_ms INTEGER NOT NULL DEFAULT 0;
-- Rows of facets.
ALTER TABLE groups ADD COLUMN facet_count INTEGER NOT NULL DEFAULT 0;
-- JSON object: key id to events counted as other (0: tags under keys that are not kept); NULL: none.
ALTER TABLE groups ADD COLUMN facets_other TEXT;
-- The newest event with a payload: 16 bytes, and milliseconds after `base_ms`.
ALTER TABLE groups ADD COLUMN payload_event_id BLOB;
ALTER TABLE groups ADD COLUMN payload_after_ms INTEGER;

UPDATE groups SET
  facet_count = (SELECT count(*) FROM facets f WHERE f.group_id = groups.id),
  facets_other = (SELECT nullif(json_group_object(k.key, json_extract(k.value, '$[2]')), '{}')
    FROM json_each(s.facet_keys) k WHERE json_extract(k.value, '$[2]') > 0),
  payload_event_id = unhex(s.payload_event_id),
  payload_after_ms = s.payload_event_ms
FROM group_state s WHERE s.group_id = groups.id;

-- Of groups that share their issue with others.
CREATE TABLE group_shares (
  group_id INTEGER PRIMARY KEY REFERENCES groups (id) ON DELETE CASCADE,
  first_release TEXT,
  first_release_ms INTEGER,
  last_release TEXT,
  last_release_ms INTEGER,
  -- JSON objects, name to count.
  kinds TEXT NOT NULL,
  routes TEXT NOT NULL,
  -- JSON of StoredFacts of the newest event, and its time.
  facts TEXT NOT NULL,
  facts_ms INTEGER NOT NULL
) STRICT;
INSERT INTO group_shares (group_id, first_release, first_release_ms, last_release, last_release_ms, kinds, routes,
    facts, facts_ms)
  SELECT s.group_id, s.first_release, s.first_release_ms, s.last_release, s.last_release_ms, s.kinds, s.routes,
    f.facts, s.facts_ms
  FROM group_state s JOIN group_facts f ON f.group_id = s.group_id JOIN groups g ON g.id = s.group_id
  WHERE EXISTS (SELECT 1 FROM groups o WHERE o.issue_id = g.issue_id AND o.id <> g.id);
DROP TABLE group_state;
DROP TABLE group_facts;
