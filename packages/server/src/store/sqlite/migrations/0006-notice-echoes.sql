-- What summaries tell of echoes, which exception kept an echo quiet, and deliveries that are due by channel.

-- Of a summary: echoes of server failures beyond the hourly bound.
ALTER TABLE notices ADD COLUMN echo_issues INTEGER NOT NULL DEFAULT 0;
-- Of a dropped echo: the issue of its exception. Not everybody who reads the notice may read that one, so its name is
-- no part of the stored sentence.
ALTER TABLE notices ADD COLUMN echo_of INTEGER;
UPDATE notices SET dropped = 'The browser’s echo of a failure on the server, which is told of itself.'
WHERE dropped LIKE 'The browser’s echo of %, which is told of itself.';

DROP INDEX deliveries_due;
CREATE INDEX deliveries_due ON deliveries (channel, due_ms) WHERE due_ms IS NOT NULL;
