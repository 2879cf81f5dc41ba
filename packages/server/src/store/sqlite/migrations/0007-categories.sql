-- Where the cause lies, as the newest event says it: server, client, hydration, skew, other. Issues that are older
-- learn it with their next event.
ALTER TABLE issues ADD COLUMN category TEXT NOT NULL DEFAULT 'other';
