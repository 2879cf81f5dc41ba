-- Public keys that were deleted, and whose they were: clients that send them still never become another project's.
CREATE TABLE former_keys (
  public TEXT PRIMARY KEY,
  project_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER project_keys_deleted AFTER DELETE ON project_keys BEGIN
  INSERT OR REPLACE INTO former_keys (public, project_id) VALUES (old.public, old.project_id);
END;
