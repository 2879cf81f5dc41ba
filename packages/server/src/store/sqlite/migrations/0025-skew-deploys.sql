-- Stale clicks of one deploy are one issue, whatever was asked for in vain and whoever tells of it.

-- Groups of stale clicks, and the deploy that each is of. The first of a deploy that owns its issue gets the others.
CREATE TABLE skew_groups (
  group_id INTEGER PRIMARY KEY REFERENCES groups (id) ON DELETE CASCADE,
  org_id INTEGER NOT NULL,
  environment TEXT NOT NULL,
  -- That took the place of the tabs' build.
  release TEXT NOT NULL
) STRICT;
CREATE INDEX skew_groups_by_deploy ON skew_groups (org_id, environment, release);

-- Those of before don't know their groups; their other halves count anew.
DELETE FROM stale_clicks;
