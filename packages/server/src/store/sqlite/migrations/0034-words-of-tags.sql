-- Less room for what single issues are found by.

-- Groups by the values of their tags, words as `facet-words.ts` writes them, which fills it. A document is a group; every
-- sign of ASCII that ends no word is part of one.
CREATE VIRTUAL TABLE facet_words USING fts5 (
  words, content = '', detail = none, columnsize = 0,
  tokenize = "ascii tokenchars ' !""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);
DROP INDEX facets_by_value;

-- Facets of a group that has one event, until it has another: a list in JSON instead of a row each. A number is a row of
-- facet_values, a text is `key id:value`.
CREATE TABLE packed_facets (
  group_id INTEGER PRIMARY KEY REFERENCES groups (id) ON DELETE CASCADE,
  facets TEXT NOT NULL
) STRICT;

-- Values that packed facets name by number: the first of each key.
CREATE TABLE facet_values (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  key_id INTEGER NOT NULL,
  value TEXT NOT NULL,
  UNIQUE (project_id, key_id, value)
) STRICT;

-- What an issue says twice stands once: '' for a title that is `type: value`, NULL for a last release that is the first.
ALTER TABLE issues RENAME COLUMN title TO own_title;
ALTER TABLE issues RENAME COLUMN last_release TO own_last_release;
ALTER TABLE issues RENAME COLUMN last_release_ms TO own_last_release_ms;
ALTER TABLE issues ADD COLUMN title TEXT AS (iif(own_title = '' AND type <> '', type || ': ' || value, own_title));
ALTER TABLE issues ADD COLUMN last_release TEXT AS (coalesce(own_last_release, first_release));
ALTER TABLE issues ADD COLUMN last_release_ms INTEGER AS (coalesce(own_last_release_ms, first_release_ms));
UPDATE issues SET own_title = iif(type <> '' AND own_title = type || ': ' || value, '', own_title),
  own_last_release = nullif(own_last_release, first_release),
  own_last_release_ms = nullif(own_last_release_ms, first_release_ms);

-- Texts of issues follow from their rows, so that the index need not keep them again: folded by SQLite where they are ASCII,
-- and as the program folded them where they are not.
CREATE TABLE issue_own_texts (
  issue_id INTEGER PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  text TEXT NOT NULL
) STRICT;
INSERT INTO issue_own_texts (issue_id, text)
  SELECT i.id, t.text FROM issue_text t JOIN issues i ON i.id = t.rowid
  WHERE t.text <> lower(i.title) || char(10) || lower(i.culprit);
CREATE VIEW issue_texts (id, text) AS
  SELECT i.id, coalesce(o.text, lower(i.title) || char(10) || lower(i.culprit))
  FROM issues i LEFT JOIN issue_own_texts o ON o.issue_id = i.id;
CREATE VIRTUAL TABLE issue_text_without USING fts5 (
  text, content = 'issue_texts', content_rowid = 'id', tokenize = 'trigram case_sensitive 1', detail = none,
  columnsize = 0
);
INSERT INTO issue_text_without (rowid, text)
  SELECT v.id, v.text FROM issue_text t JOIN issue_texts v ON v.id = t.rowid ORDER BY v.id;
DROP TABLE issue_text;
ALTER TABLE issue_text_without RENAME TO issue_text;
