-- What a person's choice beside the state replaced, assignee and priority: so that it can be taken back.
ALTER TABLE activities ADD COLUMN choices_before TEXT;
