/** Lists all rows of the control store that reach an age, in the order in which they are removed. */

import { oldestSlots } from '#alerts/rules/slots.ts'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { dayOf } from '#base/ids.ts'
import { FREQUENT_ENTRIES, oldestKept } from '#issues/ages.ts'
import { oldestHealth } from '#issues/health-groups.ts'
import { oldestMergeMs } from '#issues/issue-merging.ts'
import { max } from '#limits/limits.ts'
import { VITALS } from '#model/span.ts'
import { heldBackHour, oldestNoticeMs } from '#notices/rules/ages.ts'
import { oldestMessageMs } from '#notices/rules/messages.ts'
import { SLOT_MS } from '#skew/clicks.ts'
import { oldestWorkMs } from '#trackers/rules/links.ts'
import { auditBeyond, messagesBeyond } from './aged-beyond.ts'
import { type AgedStep, removeRowsStep, rowsAlong, rowsBeyond, rowsOfSeries } from './aged-steps.ts'

/** Rows with a time. The index is named where rows are many. */
function older(
  table: string,
  column: string,
  of: { readonly oldest: (nowMs: number) => number; readonly key?: string; readonly and?: string },
): AgedStep {
  const where = `${column} < :oldest${of.and === undefined ? '' : ` AND ${of.and}`}`
  const params = (nowMs: number) => ({ oldest: Math.floor(of.oldest(nowMs)) })
  return removeRowsStep({ table, where, params, ...(of.key !== undefined && { key: of.key }) })
}

const daysAgo = (days: number) => ({ oldest: (nowMs: number) => dayOf(nowMs) - days })

const ACCOUNTS: readonly AgedStep[] = [
  older('quarantined', 'received_ms', { oldest: (nowMs) => oldestKept(nowMs).quarantinedMs }),
  older('sessions', 'created_ms', { oldest: (nowMs) => oldestKept(nowMs).sessionsCreatedMs }),
  older('sessions', 'seen_ms', { oldest: (nowMs) => oldestKept(nowMs).sessionsSeenMs }),
  older('invitations', 'expires_ms', {
    oldest: (nowMs) => oldestKept(nowMs).invitationsEndMs,
    key: 'code_hash',
  }),
  older('password_resets', 'expires_ms', {
    oldest: (nowMs) => oldestKept(nowMs).codesEndMs,
    key: 'code_hash',
  }),
  older('letters', 'expires_ms', {
    oldest: (nowMs) => oldestKept(nowMs).codesEndMs,
    and: 'invitation IS NULL',
  }),
  rowsAlong({
    ...{ table: 'flag_changes', key: ['id'], where: 'at_ms < :oldest' },
    params: (nowMs) => ({ oldest: Math.floor(oldestKept(nowMs).flagChangesMs) }),
  }),
]

const OUTCOMES: readonly AgedStep[] = [
  // outcomes_by_age
  older('outcomes', 'bucket_ms', {
    oldest: (nowMs) => oldestKept(nowMs).outcomesMs,
    key: 'project_id, bucket_ms, outcome, category, reason, key_id',
  }),
  older('outcome_minutes', 'minute_ms', {
    oldest: (nowMs) => oldestKept(nowMs).outcomeMinutesMs,
    key: 'minute_ms, outcome',
  }),
]

const TOLD: readonly AgedStep[] = [
  // merges_by_age
  older('merges', 'at_ms', { oldest: oldestMergeMs }),
  // notices_by_age; deliveries follow by their foreign key.
  older('notices', 'at_ms', { oldest: oldestNoticeMs }),
  // notices_by_project
  rowsBeyond({
    ...{ table: 'notices', owner: 'project_id', order: 'at_ms, id', owners: 'projects' },
    most: max('noticesPerProjectMax'),
  }),
  older('notices_held_back', 'hour', {
    oldest: (nowMs) => heldBackHour(oldestNoticeMs(nowMs)),
    key: 'project_id, hour, reason',
  }),
  // alert_messages_by_age, alert_threads_by_age
  older('alert_messages', 'at_ms', { oldest: oldestMessageMs }),
  older('alert_threads', 'at_ms', { oldest: oldestMessageMs, key: 'channel_id, story' }),
  messagesBeyond(max('alertMessagesPerOrgMax')),
  // alert_messages_by_text: texts that nobody’s message has any more.
  rowsAlong({
    ...{ table: 'alert_texts', key: ['id'] },
    where: 'NOT EXISTS (SELECT 1 FROM alert_messages WHERE text_id = alert_texts.id)',
  }),
  // inbox_by_age
  older('inbox', 'at_ms', { oldest: (nowMs) => nowMs - max('inboxDays') * DAY_MS }),
  // tracker_work_by_age
  older('tracker_work', 'at_ms', { oldest: oldestWorkMs, and: 'due_ms IS NULL' }),
]

const ALERTS: readonly AgedStep[] = [
  // alert_slots_by_age
  ...oldestSlots(0).map(({ width }, at) =>
    removeRowsStep({
      ...{ table: 'alert_slots', key: 'key, width, slot' },
      where: `width = ${width} AND slot < :oldest`,
      params: (nowMs) => ({ oldest: oldestSlots(nowMs)[at]?.slot ?? 0 }),
    }),
  ),
  rowsAlong({
    ...{ table: 'alert_firings', key: ['id'], where: 'started_ms < :oldest AND ended_ms IS NOT NULL' },
    params: (nowMs) => ({ oldest: nowMs - max('alertFiringDays') * DAY_MS }),
  }),
  // alert_firings_by_rule
  rowsBeyond({
    ...{ table: 'alert_firings', owner: 'rule_id', order: 'started_ms, id', owners: 'alert_rules' },
    most: max('alertFiringsPerRuleMax'),
  }),
]

const SPAN_KEY = 'project_id, trace, span'

const REQUESTS: readonly AgedStep[] = [
  // counted_spans_by_day, moved_segments_by_day, segment_hints_by_day
  ...['counted_spans', 'moved_segments', 'segment_hints'].map((table) =>
    older(table, 'day', { ...daysAgo(max('countedSpanDays')), key: SPAN_KEY }),
  ),
  // waiting_vitals_by_day
  older('waiting_vitals', 'day', {
    ...daysAgo(max('countedSpanDays')),
    key: 'project_id, trace, segment, span',
  }),
  rowsAlong({
    ...{ table: 'request_failures', key: ['project_id', 'trace', 'event'], where: 'day < :oldest' },
    params: (nowMs) => ({ oldest: dayOf(nowMs) - max('countedSpanDays') }),
  }),
  rowsAlong({
    ...{ table: 'known_routes', key: ['id'], where: 'day < :oldest' },
    params: (nowMs) => ({ oldest: dayOf(nowMs) - max('knownRouteDays') }),
  }),
  rowsOfSeries({
    series: 'request_series',
    rows: [
      { table: 'request_sums', where: 'series_id = :id AND hour < :oldest AND hour + hours <= :oldest' },
      {
        table: 'vital_sums',
        where: `series_id = :id AND vital IN (${VITALS.map((vital) => `'${vital}'`).join(', ')})
          AND hour < :oldest AND hour + hours <= :oldest`,
      },
    ],
    isOver: 'last_hour < :oldest',
    params: hourParams,
  }),
  rowsOfSeries({
    series: 'action_series',
    rows: [{ table: 'action_sums', where: 'series_id = :id AND hour < :oldest AND hour + hours <= :oldest' }],
    isOver: 'last_hour < :oldest',
    params: hourParams,
  }),
  // The primary key of costs: project, then day.
  removeRowsStep({
    ...{ table: 'span_costs', key: 'project_id, day, route, kind, op, description' },
    where: `project_id = (SELECT p.id FROM projects p
        WHERE EXISTS (SELECT 1 FROM span_costs c WHERE c.project_id = p.id AND c.day < :today - ${retentionDaysSql('p')}) LIMIT 1)
      AND day < :today - (SELECT ${retentionDaysSql('q')} FROM projects q WHERE q.id = project_id)`,
    params: (nowMs) => ({ today: dayOf(nowMs), days: max('retentionDaysDefault') }),
  }),
  removeRowsStep({
    ...{ table: 'action_names', key: 'project_id, action_id' },
    where: `day < :today - (SELECT ${retentionDaysSql('p')} FROM projects p WHERE p.id = project_id)`,
    params: (nowMs) => ({ today: dayOf(nowMs), days: max('retentionDaysDefault') }),
  }),
]

/** Figures are no spans: they are kept as long as the project's events. */
function retentionDaysSql(project: string): string {
  return `coalesce(json_extract(${project}.options, '$.retentionDays'), :days)`
}

function hourParams(nowMs: number, days: number) {
  return { oldest: (dayOf(nowMs) - days) * 24 }
}

const HEALTH: readonly AgedStep[] = [
  // health_sessions_by_hour
  older('health_sessions', 'hour', {
    oldest: (nowMs) => oldestHealth(Math.floor(nowMs / HOUR_MS), 0).session,
    key: 'project_id, session',
  }),
  rowsOfSeries({
    series: 'health_series',
    rows: [
      { table: 'health_people', where: 'series_id = :id AND span = 1 AND hour < :byHour' },
      {
        table: 'health_people',
        where: 'series_id = :id AND span IN (1, 24) AND hour < :oldest AND hour + span <= :oldest',
      },
      { table: 'health_hours', where: 'series_id = :id AND hour < :oldest' },
    ],
    isOver: 'NOT EXISTS (SELECT 1 FROM health_hours h WHERE h.series_id = health_series.id)',
    params: (nowMs, days) => {
      const { hour, peopleByHour } = oldestHealth(Math.floor(nowMs / HOUR_MS), days)
      return { oldest: hour, byHour: peopleByHour }
    },
  }),
]

const SKEW: readonly AgedStep[] = [
  // stale_clicks_by_day
  older('stale_clicks', 'day', daysAgo(max('staleClickDays'))),
  rowsOfSeries({
    series: 'stale_series',
    rows: [{ table: 'stale_slots', where: 'series_id = :id AND slot < :oldest' }],
    isOver: 'NOT EXISTS (SELECT 1 FROM stale_slots t WHERE t.series_id = stale_series.id)',
    params: (nowMs, days) => ({ oldest: Math.ceil(((dayOf(nowMs) - days) * DAY_MS) / SLOT_MS) }),
  }),
  rowsAlong({
    ...{ table: 'server_failures', key: ['trace', 'group_id'], where: 'day < :oldest' },
    params: (nowMs) => ({ oldest: dayOf(nowMs) - max('serverFailureDays') }),
  }),
]

const AUDIT: readonly AgedStep[] = [
  // audit_by_action
  ...FREQUENT_ENTRIES.map((action) =>
    older('audit', 'at_ms', {
      oldest: (nowMs) => oldestKept(nowMs).frequentEntriesMs,
      and: `action = '${action}'`,
    }),
  ),
  rowsAlong({
    ...{ table: 'audit', key: ['id'], where: 'at_ms < :oldest' },
    params: (nowMs) => ({ oldest: Math.floor(oldestKept(nowMs).auditMs) }),
  }),
  auditBeyond(max('auditEntriesMax')),
]

export const AGED_STEPS: readonly AgedStep[] = [
  ...OUTCOMES,
  ...ACCOUNTS,
  ...TOLD,
  ...ALERTS,
  ...HEALTH,
  ...REQUESTS,
  ...SKEW,
  ...AUDIT,
]
