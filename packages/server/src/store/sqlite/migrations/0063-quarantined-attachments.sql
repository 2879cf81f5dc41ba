-- Attachments of quarantined envelopes: name and bytes of each, so that they are kept as long as their envelope.
ALTER TABLE quarantined ADD COLUMN set_aside TEXT NOT NULL DEFAULT '[]';
