-- Failures that OpenTelemetry recorded on spans: an SDK may tell of the same one later.
ALTER TABLE server_failures ADD COLUMN of_span INTEGER NOT NULL DEFAULT 0;
CREATE INDEX server_failures_of_spans ON server_failures (trace, project_id) WHERE of_span = 1;
