-- Releases that made room for newer ones, by project: how many, and when the last of them went.
CREATE TABLE releases_let_go (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  count INTEGER NOT NULL,
  last_ms INTEGER NOT NULL
) STRICT;

-- What accept and process know of projects, by project: every change of it has a row, whichever process made it, so that
-- whoever follows reads what changed alone. `project_id` NULL: of organisations. Of older changes than the table holds
-- all is read anew; no id is given twice.
CREATE TABLE directory_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER
) STRICT;
CREATE TRIGGER directory_changes_kept AFTER INSERT ON directory_changes BEGIN
  DELETE FROM directory_changes WHERE id <= NEW.id - 10000;
END;
CREATE TRIGGER directory_organisation_made AFTER INSERT ON organisations BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NULL);
END;
CREATE TRIGGER directory_organisation_changed AFTER UPDATE OF slug, is_own ON organisations BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NULL);
END;
CREATE TRIGGER directory_organisation_gone AFTER DELETE ON organisations BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NULL);
END;
CREATE TRIGGER directory_project_made AFTER INSERT ON projects BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NEW.id);
END;
CREATE TRIGGER directory_project_changed
  AFTER UPDATE OF org_id, slug, name, platform, options, is_self, first_event_ms ON projects BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NEW.id);
END;
CREATE TRIGGER directory_project_gone AFTER DELETE ON projects BEGIN
  INSERT INTO directory_changes (project_id) VALUES (OLD.id);
END;
CREATE TRIGGER directory_key_made AFTER INSERT ON project_keys BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NEW.project_id);
END;
CREATE TRIGGER directory_key_changed
  AFTER UPDATE OF project_id, public, name, is_active, rate_limit ON project_keys BEGIN
  INSERT INTO directory_changes (project_id) VALUES (OLD.project_id);
  INSERT INTO directory_changes (project_id) SELECT NEW.project_id WHERE NEW.project_id <> OLD.project_id;
END;
CREATE TRIGGER directory_key_gone AFTER DELETE ON project_keys BEGIN
  INSERT INTO directory_changes (project_id) VALUES (OLD.project_id);
END;
CREATE TRIGGER directory_route_made AFTER INSERT ON known_routes BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NEW.project_id);
END;
CREATE TRIGGER directory_route_gone AFTER DELETE ON known_routes BEGIN
  INSERT INTO directory_changes (project_id) VALUES (OLD.project_id);
END;
CREATE TRIGGER directory_release_made AFTER INSERT ON release_projects BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NEW.project_id);
END;
CREATE TRIGGER directory_release_moved AFTER UPDATE OF release_id ON release_projects BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NEW.project_id);
END;
CREATE TRIGGER directory_release_gone AFTER DELETE ON release_projects BEGIN
  INSERT INTO directory_changes (project_id) VALUES (OLD.project_id);
END;
CREATE TRIGGER directory_environment_made AFTER INSERT ON release_environments BEGIN
  INSERT INTO directory_changes (project_id) VALUES (NEW.project_id);
END;
CREATE TRIGGER directory_deploy_made AFTER INSERT ON deploys BEGIN
  INSERT INTO directory_changes (project_id)
    SELECT project_id FROM release_projects WHERE release_id = NEW.release_id;
END;
