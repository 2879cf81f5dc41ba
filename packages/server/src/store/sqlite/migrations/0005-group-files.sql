-- What of a group is in each file, so that reads open few of them.

-- NULL: written by an older version, until upkeep has counted the file.
ALTER TABLE group_files ADD COLUMN events INTEGER;
-- Of the events' own time, in milliseconds, rounded down.
ALTER TABLE group_files ADD COLUMN first_ms INTEGER;
ALTER TABLE group_files ADD COLUMN last_ms INTEGER;
CREATE INDEX group_files_uncounted ON group_files (day, retention_days) WHERE events IS NULL;
