-- Attachments of events: what is shown of them. Their content lies in large blobs.
CREATE TABLE attachments (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  attachment BLOB NOT NULL,
  event BLOB NOT NULL,
  seq INTEGER NOT NULL,
  received_ms INTEGER NOT NULL,
  day INTEGER NOT NULL,
  retention_days INTEGER NOT NULL,
  name TEXT NOT NULL,
  content_type TEXT,
  type TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  content_hash BLOB NOT NULL,
  group_hash BLOB,
  people TEXT NOT NULL,
  PRIMARY KEY (project_id, attachment)
) STRICT, WITHOUT ROWID;
CREATE INDEX attachments_by_event ON attachments (project_id, event);
CREATE INDEX attachments_by_group ON attachments (project_id, group_hash, received_ms);
CREATE INDEX attachments_by_day ON attachments (day, retention_days, bytes);
