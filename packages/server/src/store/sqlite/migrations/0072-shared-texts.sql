-- What several people are told is stored once: a firing for 2,000 people stored its text 2,000 times.
CREATE TABLE alert_texts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  message TEXT NOT NULL
) STRICT;
CREATE INDEX alert_texts_by_org ON alert_texts (org_id);
CREATE INDEX alert_texts_by_project ON alert_texts (project_id) WHERE project_id IS NOT NULL;
ALTER TABLE alert_messages ADD COLUMN text_id INTEGER REFERENCES alert_texts (id) ON DELETE CASCADE;
CREATE INDEX alert_messages_by_text ON alert_messages (text_id) WHERE text_id IS NOT NULL;
