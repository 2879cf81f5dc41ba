-- Rules that cannot be evaluated say so where people see them. NULL: it can.
ALTER TABLE alert_states ADD COLUMN failed_ms INTEGER;
-- Moments that are dropped because too many wait are counted apart from those that a summary tells.
CREATE TABLE notices_held_back_wider (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('quiet', 'mirror', 'summarised', 'dropped')),
  count INTEGER NOT NULL,
  PRIMARY KEY (project_id, hour, reason)
) STRICT, WITHOUT ROWID;
INSERT INTO notices_held_back_wider (project_id, hour, reason, count)
  SELECT project_id, hour, reason, count FROM notices_held_back;
DROP TABLE notices_held_back;
ALTER TABLE notices_held_back_wider RENAME TO notices_held_back;
