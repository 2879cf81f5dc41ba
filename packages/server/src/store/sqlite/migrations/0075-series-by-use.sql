-- Figures of a day looked each series of its projects up, most of which had none: one a route, kind, environment and release.
CREATE INDEX request_series_by_use ON request_series (project_id, last_hour);
CREATE INDEX action_series_by_use ON action_series (project_id, last_hour);
