-- Server actions as their build names them: the id that browsers ask for, and where the app defines it. They go with
-- the upload that told them.
CREATE TABLE actions (
  bundle_id INTEGER NOT NULL REFERENCES bundles (id) ON DELETE CASCADE,
  action_id TEXT NOT NULL,
  file TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (bundle_id, action_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX actions_by_id ON actions (action_id, bundle_id);
