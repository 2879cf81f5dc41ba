-- Lanes of delivery: what waits is found by its receiver, so that one that hangs delays nobody else.

ALTER TABLE deliveries ADD COLUMN org_id INTEGER;
ALTER TABLE deliveries ADD COLUMN project_id INTEGER;
UPDATE deliveries SET (org_id, project_id) = (
  SELECT p.org_id, p.id FROM notices n JOIN projects p ON p.id = n.project_id WHERE n.id = deliveries.notice_id)
  WHERE due_ms IS NOT NULL;
CREATE INDEX deliveries_of_org ON deliveries (org_id, due_ms) WHERE due_ms IS NOT NULL AND channel = 'mail';
CREATE INDEX deliveries_of_project ON deliveries (project_id, due_ms) WHERE due_ms IS NOT NULL AND channel = 'webhook';

CREATE INDEX alert_messages_of_channel ON alert_messages (channel_id, due_ms) WHERE due_ms IS NOT NULL AND kind <> 'email';
CREATE INDEX alert_messages_of_org ON alert_messages (org_id, due_ms) WHERE due_ms IS NOT NULL AND kind = 'email';
CREATE INDEX alert_messages_of_firing ON alert_messages (firing_id, id) WHERE due_ms IS NOT NULL;

-- What a message tells of, and since when it is so: a person is emailed of it once, whatever rules name them.
ALTER TABLE alert_messages ADD COLUMN issue_id INTEGER;
ALTER TABLE alert_messages ADD COLUMN occasion TEXT;
ALTER TABLE alert_messages ADD COLUMN occasion_ms INTEGER;
CREATE INDEX alert_messages_of_issue ON alert_messages (issue_id, user_id) WHERE user_id IS NOT NULL AND issue_id IS NOT NULL;
CREATE INDEX alert_messages_of_incidents ON alert_messages (issue_id) WHERE channel_id IS NOT NULL AND issue_id IS NOT NULL;
