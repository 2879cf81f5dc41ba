-- A project's own alerts are rules now, told where candidates are looked at. What waits was told with its batch already;
-- an issue that waits for a server's half was not, and no rule may have asked for it.
UPDATE alert_candidates SET facts = json_set(facts, '$.progress', json('{"after":0,"escalation":null}'))
  WHERE moment IN ('new', 'regressed') AND facts -> '$.progress' IS NULL
    AND issue_id NOT IN (SELECT id FROM issues WHERE substatus = 'waiting');
INSERT INTO alert_candidates (project_id, issue_id, moment, at_ms, facts)
  SELECT project_id, id, 'new', first_seen_ms, '{"tags":{},"kinds":[],"eventId":null,"traceId":null,"release":null}'
  FROM issues WHERE substatus = 'waiting'
  ON CONFLICT (issue_id, moment) DO NOTHING;
