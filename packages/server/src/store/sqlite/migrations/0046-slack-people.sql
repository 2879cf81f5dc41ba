-- Who somebody is in Slack, as they said while they were signed in. Of an app: whoever signs with another secret is another.
CREATE TABLE slack_people (
  id INTEGER PRIMARY KEY,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  app TEXT NOT NULL,
  slack_user TEXT NOT NULL,
  slack_name TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- 1: said in a session that the organisation's provider began.
  by_provider INTEGER NOT NULL,
  linked_ms INTEGER NOT NULL,
  UNIQUE (org_id, app, slack_user)
) STRICT;
CREATE INDEX slack_people_by_user ON slack_people (user_id);
