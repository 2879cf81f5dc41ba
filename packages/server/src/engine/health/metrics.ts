/** The numbers of the running engine for /metrics. `metric-table.ts` says what each is. */

import type { CommittedBatch } from '#commit/commit.ts'
import type { Metric } from '#http/metrics.ts'
import { OUTCOME_NAMES, type OutcomeName } from '#model/outcome.ts'
import type { SystemRead } from '#ports/ingest.ts'
import type { SystemFacts } from '#queries/system.ts'
import { METRIC_TEXTS, type MetricName } from './metric-table.ts'

/** Counts since the start of the process. */
export class EngineCounts {
  readonly items = new Map<OutcomeName, number>()
  newIssues = 0
  regressedIssues = 0

  add(applied: CommittedBatch): void {
    this.newIssues += applied.newIssues
    this.regressedIssues += applied.regressedIssues
    for (const [outcome, quantity] of applied.items) {
      this.items.set(outcome, (this.items.get(outcome) ?? 0) + quantity)
    }
  }
}

type Stored = Awaited<ReturnType<SystemRead['counters']>>

export interface MetricsParts {
  readonly counts: EngineCounts
  readonly facts: () => Promise<SystemFacts>
  readonly system: Pick<SystemRead, 'counters' | 'quarantined'>
}

/** Every metric of docs/operating/metrics.md, as it stands now; without those that nobody knows at the moment. */
export async function readMetrics({ counts, facts, system }: MetricsParts): Promise<readonly Metric[]> {
  const [now, stored, quarantined] = await Promise.all([
    facts(),
    system.counters().catch(unknown),
    system.quarantined().catch(unknown),
  ])
  return [
    ...processMetrics(now),
    ...acceptMetrics(now),
    ...countMetrics(counts),
    ...pressureMetrics(now),
    ...mailMetrics(now),
    ...storedMetrics(stored, quarantined),
    ...diskMetrics(now, stored),
    ...backupMetrics(now),
  ].filter(({ values }) => values.length > 0)
}

/** Value of a figure when the read thread has ended or does not answer, which `errata_part_healthy` reports. */
function unknown(): null {
  return null
}

function processMetrics({ version, node, startedMs, health }: SystemFacts): readonly Metric[] {
  return [
    metric('errata_info', [[{ version, node }, 1]]),
    metric('errata_start_time_seconds', startedMs / 1_000),
    metric(
      'errata_part_healthy',
      health.map(({ name, ok }) => [{ part: name }, ok ? 1 : 0]),
    ),
  ]
}

function acceptMetrics({ acceptThreads: { count, apart } }: SystemFacts): readonly Metric[] {
  if (apart === null) return []
  const { running, replaced, socketRenewed } = apart
  return [
    metric('errata_accept_threads', [
      [{ state: 'wanted' }, count],
      [{ state: 'running' }, running],
    ]),
    metric('errata_accept_threads_replaced_total', [
      [{ reason: 'died' }, replaced.died],
      [{ reason: 'hung' }, replaced.hung],
    ]),
    metric('errata_accept_socket_renewed_total', socketRenewed),
  ]
}

function countMetrics({ items, newIssues, regressedIssues }: EngineCounts): readonly Metric[] {
  return [
    metric(
      'errata_items_total',
      OUTCOME_NAMES.map((outcome) => [{ outcome }, items.get(outcome) ?? 0]),
    ),
    metric('errata_issues_new_total', newIssues),
    metric('errata_issues_regressed_total', regressedIssues),
  ]
}

function mailMetrics({ mail }: SystemFacts): readonly Metric[] {
  if (mail === null) return []
  return [
    metric('errata_emails_total', [
      [{ outcome: 'sent' }, mail.sent],
      [{ outcome: 'failed' }, mail.failed],
    ]),
  ]
}

function pressureMetrics({ backlog, pressures, heldBackKeys }: SystemFacts): readonly Metric[] {
  return [
    metric('errata_backlog_envelopes', backlog.records),
    metric('errata_backlog_bytes', backlog.bytes),
    metric('errata_backlog_age_seconds', backlog.oldestMs / 1_000),
    metric(
      'errata_pressure_state',
      pressures.map(({ name, state }) => [{ resource: name }, PRESSURE[state]]),
    ),
    metric('errata_keys_held_back', heldBackKeys),
  ]
}

function storedMetrics(
  stored: Stored | null,
  quarantined: Awaited<ReturnType<SystemRead['quarantined']>> | null,
): readonly Metric[] {
  return [
    metric('errata_applied_seq', stored?.appliedSeq),
    metric('errata_stored_events', stored?.eventsStored),
    metric('errata_issues', stored?.issues),
    metric('errata_groups', stored?.groups),
    metric('errata_projects', stored?.projects),
    metric('errata_quarantined_envelopes', quarantined?.length),
  ]
}

function diskMetrics({ disk }: SystemFacts, stored: Stored | null): readonly Metric[] {
  return [
    metric('errata_store_bytes', [
      [{ store: 'control' }, stored?.controlBytes],
      [{ store: 'columns' }, disk.columnBytes],
      [{ store: 'payloads' }, disk.payloadBytes],
      [{ store: 'journal' }, disk.journalBytes],
    ]),
    metric('errata_disk_free_bytes', disk.freeBytes),
    metric('errata_disk_total_bytes', disk.totalBytes),
  ]
}

function backupMetrics({ backup: { last } }: SystemFacts): readonly Metric[] {
  if (last === 'unknown') return []
  return [
    metric('errata_backup_last_time_seconds', (last?.atMs ?? 0) / 1_000),
    metric('errata_backup_last_ok', last?.ok ? 1 : 0),
  ]
}

const PRESSURE = { ok: 0, soft: 1, hard: 2 } as const

/** Absent: unknown, and left out. */
type Value = number | null | undefined

type Values = Value | readonly (readonly [labels: Readonly<Record<string, string>>, value: Value])[]

function metric(name: MetricName, values: Values): Metric {
  const { help, kind } = METRIC_TEXTS[name]
  return { name, help, isCounter: kind === 'counter', values: metricValues(values) }
}

function metricValues(values: Values): Metric['values'] {
  const all = Array.isArray(values) ? values : [[{}, values] as const]
  return all.flatMap(([labels, value]) => (typeof value === 'number' ? [{ labels, value }] : []))
}
