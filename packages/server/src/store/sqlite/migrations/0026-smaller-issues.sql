-- Less room for what issues and failures are found by.

-- Which texts have a trigram, without its places in them: a third of the bytes. Texts that have all of a search's trigrams
-- are read and compared.
CREATE VIRTUAL TABLE issue_text_small USING fts5 (
  text, tokenize = 'trigram case_sensitive 1', detail = none, columnsize = 0
);
INSERT INTO issue_text_small (rowid, text) SELECT rowid, text FROM issue_text ORDER BY rowid;
DROP TABLE issue_text;
ALTER TABLE issue_text_small RENAME TO issue_text;

-- Failures are found by where they happened, and nobody reads it there: `place` is 48 bits of it, 0 for none. What came
-- before has none, which the days that these rows are kept for put right.
DROP INDEX server_failures_by_route;
ALTER TABLE server_failures DROP COLUMN route;
ALTER TABLE server_failures ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
CREATE INDEX server_failures_by_place ON server_failures (project_id, place, at_ms);
ALTER TABLE mirror_sightings ADD COLUMN place INTEGER NOT NULL DEFAULT 0;

-- Once a day all of them are looked through.
DROP INDEX request_failures_by_day;
ALTER TABLE request_failures DROP COLUMN kind;
ALTER TABLE request_failures DROP COLUMN route;
ALTER TABLE request_failures ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
