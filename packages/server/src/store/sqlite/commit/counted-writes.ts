/**
 * Which statements of others may change what a commit remembers from one batch to the next. Whoever evaluates rules or
 * sends email writes several times a second: if that discarded what is remembered, a wide installation would read each
 * of its groups anew with every batch.
 */

/** Rows that no store of a commit remembers, and whose end removes none that it does. */
const BESIDE: ReadonlySet<string> = new Set([
  ...([
    'alert_messages',
    'alert_texts',
    'alert_threads',
    'alert_states',
    'alert_firings',
    'alert_candidates',
  ] as const),
  ...([
    'notices',
    'deliveries',
    'notices_held_back',
    'inbox',
    'inbox_off',
    'letters',
    'tracker_work',
  ] as const),
  ...(['jobs', 'upkeep_runs', 'meta', 'sessions', 'devices', 'audit', 'saved_searches'] as const),
  ...(['list_preferences', 'invitations', 'password_resets', 'quarantined', 'flag_changes'] as const),
  // Counted by statements that add to whatever is there.
  ...([
    'group_hours',
    'group_files',
    'outcomes',
    'outcome_minutes',
    'counted_spans',
    'moved_segments',
  ] as const),
  ...(['request_sums', 'vital_sums', 'action_sums', 'span_costs', 'notices_held_back'] as const),
  ...(['health_hours', 'health_people', 'health_series', 'health_sessions'] as const),
  ...(['stale_clicks', 'stale_slots', 'stale_series', 'file_states', 'removals', 'alert_slots'] as const),
])

/** True if a statement may change a row that a commit remembers: all but those that plainly do not. */
export function mayChangeRemembered(sql: string): boolean {
  const text = sql.trimStart()
  if (/^(?:BEGIN|COMMIT|ROLLBACK|SELECT|VALUES|PRAGMA|EXPLAIN)\b/i.test(text)) return false
  if (/^WITH\b/i.test(text)) return /\b(?:INSERT|UPDATE|DELETE|REPLACE)\b/i.test(text)
  const target = /^(?:(?:INSERT|REPLACE)(?:\s+OR\s+\w+)?\s+INTO|UPDATE|DELETE\s+FROM)\s+(\w+)/i.exec(
    text,
  )?.[1]
  return target === undefined || !BESIDE.has(target)
}
