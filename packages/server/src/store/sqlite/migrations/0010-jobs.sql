-- Work that runs by the clock.

CREATE TABLE jobs (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  -- When it was to run.
  due_ms INTEGER NOT NULL,
  -- When it can be claimed: the same while it waits, the end of its lease while it is under way.
  next_ms INTEGER NOT NULL,
  -- Scheduled anew while it was under way: when its next run is due.
  asked_ms INTEGER,
  payload TEXT NOT NULL,
  -- Since it was last done.
  tries INTEGER NOT NULL DEFAULT 0,
  lease TEXT,
  -- Why the try before failed.
  says TEXT,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_next ON jobs (kind, next_ms);
