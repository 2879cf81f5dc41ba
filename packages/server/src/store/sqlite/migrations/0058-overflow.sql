-- How many of what is applied came from the journal's overflow: what projects sent beyond their share.
INSERT INTO meta (name, value) VALUES ('applied_overflow', 0);
