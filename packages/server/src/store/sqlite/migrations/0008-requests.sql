-- Requests as they are summed up, per route, kind and hour.

-- What figures are kept apart by: a name of few, so that rows of hours are numbers.
CREATE TABLE request_series (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  -- '': none.
  environment TEXT NOT NULL,
  release TEXT NOT NULL,
  route TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- Hours since 1970 of the newest figure: what retention goes by.
  last_hour INTEGER NOT NULL,
  UNIQUE (project_id, kind, route, environment, release)
) STRICT;

-- `hours`: 1, or 24 where hours of a day were joined. `hour`: since 1970, the first of them.
CREATE TABLE request_sums (
  series_id INTEGER NOT NULL REFERENCES request_series (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  hours INTEGER NOT NULL,
  -- Extrapolated by the SDK's sampling; `seen` is what came.
  count REAL NOT NULL,
  seen INTEGER NOT NULL,
  failed REAL NOT NULL,
  failed_behind_200 REAL NOT NULL,
  aborted REAL NOT NULL,
  total_ms REAL NOT NULL,
  -- Of durations, weighted.
  sketch BLOB NOT NULL,
  PRIMARY KEY (series_id, hour)
) STRICT, WITHOUT ROWID;

-- Of hours that are to be joined, and of what is past its period.
CREATE INDEX request_sums_by_age ON request_sums (hours, hour);

CREATE TABLE vital_sums (
  series_id INTEGER NOT NULL REFERENCES request_series (id) ON DELETE CASCADE,
  vital TEXT NOT NULL,
  hour INTEGER NOT NULL,
  hours INTEGER NOT NULL,
  count REAL NOT NULL,
  good REAL NOT NULL,
  poor REAL NOT NULL,
  sketch BLOB NOT NULL,
  PRIMARY KEY (series_id, vital, hour)
) STRICT, WITHOUT ROWID;

CREATE INDEX vital_sums_by_age ON vital_sums (hours, hour);

CREATE TABLE span_costs (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  route TEXT NOT NULL,
  op TEXT NOT NULL,
  description TEXT NOT NULL,
  count INTEGER NOT NULL,
  total_ms REAL NOT NULL,
  failed INTEGER NOT NULL,
  repeated_in INTEGER NOT NULL,
  slowest_ms REAL NOT NULL,
  slowest_trace TEXT NOT NULL,
  slowest_span TEXT NOT NULL,
  PRIMARY KEY (project_id, day, route, op, description)
) STRICT, WITHOUT ROWID;

-- What was counted of the last days, so that nothing is counted twice, and a failure that is told of later finds its
-- request. `trace` and `span`: 64 bits of each; a vital's name is in the span's.
CREATE TABLE counted_spans (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  trace INTEGER NOT NULL,
  span INTEGER NOT NULL,
  -- Day of receipt.
  day INTEGER NOT NULL,
  series_id INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  -- As the segment itself says it. `is_behind`: an error tells that it failed nevertheless.
  ended TEXT NOT NULL,
  is_behind INTEGER NOT NULL DEFAULT 0,
  duration_ms INTEGER NOT NULL DEFAULT 0,
  weight REAL NOT NULL,
  PRIMARY KEY (project_id, trace, span)
) STRICT, WITHOUT ROWID;
CREATE INDEX counted_spans_by_day ON counted_spans (day);

-- Failures that error events tell of, for as long as segments are known to be counted: either may come first.
CREATE TABLE request_failures (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  trace INTEGER NOT NULL,
  -- 64 bits of the event's id.
  event INTEGER NOT NULL,
  -- Day of receipt.
  day INTEGER NOT NULL,
  kind TEXT NOT NULL,
  route TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  -- The segment that it is nearest to, as `counted_spans` has it; null while none came.
  span INTEGER,
  distance REAL,
  PRIMARY KEY (project_id, trace, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_failures_by_day ON request_failures (day);
