-- Deleting a project, an organisation or a person looked through whole tables for what goes with it.
CREATE INDEX alert_messages_by_project ON alert_messages (project_id, org_id);
CREATE INDEX alert_firings_by_project ON alert_firings (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX alert_candidates_by_project ON alert_candidates (project_id);
CREATE INDEX tracker_work_by_project ON tracker_work (project_id);
CREATE INDEX quarantined_by_project ON quarantined (project_id);
CREATE INDEX deliveries_by_user ON deliveries (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX tokens_by_user ON tokens (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX saved_searches_by_owner ON saved_searches (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX list_preferences_by_user ON list_preferences (user_id);
CREATE INDEX guest_projects_by_user ON guest_projects (user_id);
CREATE INDEX sessions_by_org ON sessions (org_id) WHERE org_id IS NOT NULL;
CREATE INDEX users_by_managing_org ON users (org_id_managing) WHERE org_id_managing IS NOT NULL;
CREATE INDEX users_by_last_org ON users (org_id_last) WHERE org_id_last IS NOT NULL;
-- Each page counts what waits for review: it looked at every issue of the last two weeks.
CREATE INDEX issues_new ON issues (project_id, first_seen_ms) WHERE status = 'unresolved' AND substatus = 'new';
CREATE INDEX issues_returned ON issues (project_id, last_seen_ms) WHERE status = 'unresolved' AND substatus IN ('regressed', 'escalating');
