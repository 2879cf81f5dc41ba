-- What people have to do with issues: who follows one, who bookmarked it, and emails that tell followers of it.
CREATE TABLE issue_people (
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Why they follow it; 'off': they unsubscribed; NULL: never asked for.
  subscription TEXT CHECK (subscription IN ('manual', 'comment', 'assigned', 'mentioned', 'off')),
  is_bookmarked INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (issue_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_people_by_user ON issue_people (user_id, issue_id);

-- Of a comment: when it was changed last, or deleted.
ALTER TABLE activities ADD COLUMN edited_ms INTEGER;

-- Of an email that tells a follower of something: what, and whom. `invitation` is NULL then too.
ALTER TABLE letters ADD COLUMN activity_id INTEGER REFERENCES activities (id) ON DELETE CASCADE;
ALTER TABLE letters ADD COLUMN user_id INTEGER REFERENCES users (id) ON DELETE CASCADE;
-- 1: it names them.
ALTER TABLE letters ADD COLUMN is_mention INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX letters_of_activities ON letters (activity_id, user_id) WHERE activity_id IS NOT NULL;
CREATE INDEX letters_of_people ON letters (user_id) WHERE user_id IS NOT NULL;

-- As a person chose it; NULL: computed when it is read.
ALTER TABLE issues ADD COLUMN priority TEXT CHECK (priority IN ('high', 'medium', 'low'));
ALTER TABLE issues ADD COLUMN priority_set_ms INTEGER;

-- Instead of a person.
ALTER TABLE issues ADD COLUMN assignee_team_id INTEGER REFERENCES teams (id) ON DELETE SET NULL;
CREATE INDEX issues_by_assigned_team ON issues (assignee_team_id) WHERE assignee_team_id IS NOT NULL;
