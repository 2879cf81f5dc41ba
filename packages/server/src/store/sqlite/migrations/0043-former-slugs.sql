-- Slugs that projects had: they lead to their project, and no other takes them.

CREATE TABLE former_slugs (
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  slug TEXT NOT NULL,
  -- NULL: the project was deleted. Whoever takes the slug goes on counting behind the last issue that was called by it.
  project_id INTEGER REFERENCES projects (id) ON DELETE SET NULL,
  last_number INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (org_id, slug)
) STRICT;

CREATE INDEX former_slugs_by_project ON former_slugs (project_id);
