-- Quiet hours of people, what is kept for the email after them, issues that a person muted, and channels of teams.
CREATE TABLE person_quiet_hours (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  hours TEXT NOT NULL
) STRICT;
CREATE TABLE held_emails (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  letter_id INTEGER NOT NULL REFERENCES letters (id) ON DELETE CASCADE,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  issue_id INTEGER REFERENCES issues (id) ON DELETE CASCADE,
  activity_id INTEGER REFERENCES activities (id) ON DELETE CASCADE,
  is_mention INTEGER NOT NULL DEFAULT 0,
  firing_id INTEGER,
  rule_id INTEGER,
  headline TEXT,
  at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX held_emails_by_letter ON held_emails (letter_id, id);
CREATE INDEX held_emails_by_issue ON held_emails (issue_id) WHERE issue_id IS NOT NULL;
CREATE INDEX held_emails_by_activity ON held_emails (activity_id) WHERE activity_id IS NOT NULL;
CREATE INDEX held_emails_by_org ON held_emails (org_id);
CREATE INDEX held_emails_by_project ON held_emails (project_id);
ALTER TABLE issue_people ADD COLUMN is_muted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE teams ADD COLUMN channel_id INTEGER REFERENCES channels (id) ON DELETE SET NULL;
CREATE INDEX teams_by_channel ON teams (channel_id) WHERE channel_id IS NOT NULL;
