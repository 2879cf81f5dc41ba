-- Clicks in stale tabs of a day looked each series of the projects up, most of which had none for weeks.
CREATE INDEX stale_series_by_use ON stale_series (project_id, last_ms);
-- A release is compared with the one before by route: both walked all series that were in use since.
CREATE INDEX request_series_by_release ON request_series (project_id, release);
-- With what decides an issue's priority, who has it and its category: a walk for them looked each row up.
DROP INDEX issues_for_list;
CREATE INDEX issues_for_list ON issues (project_id, last_seen_ms, first_seen_ms, status, substatus, level, assignee_id, event_count, user_count, handled, priority, assignee_team_id, category);
