-- Archived until so many people were hit, or until a time. Until now: for ever, or until so many more events.

-- The issue's number of users with which it comes back.
ALTER TABLE issues ADD COLUMN archived_users_at INTEGER;
ALTER TABLE issues ADD COLUMN archived_until_ms INTEGER;
CREATE INDEX issues_archived_until ON issues (archived_until_ms) WHERE archived_until_ms IS NOT NULL;
