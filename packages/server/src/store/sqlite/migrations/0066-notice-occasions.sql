-- A notice is queued when rules are evaluated, which may be long after the events that it tells of. NULL: at the same time.
ALTER TABLE notices ADD COLUMN occasion_ms INTEGER;
