/** The numbers of the running engine for /metrics. docs/operating/metrics.md lists them; a test compares. */

import type { CommittedBatch } from '#commit/commit.ts'
import type { Metric } from '#http/metrics.ts'
import { OUTCOMES, type OutcomeName } from '#model/outcome.ts'
import type { SystemRead } from '#ports/ingest.ts'
import type { SystemFacts } from '#queries/system.ts'

/** What is counted from the start of the process on. */
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
    ...countMetrics(counts),
    ...pressureMetrics(now),
    ...mailMetrics(now),
    ...storedMetrics(stored, quarantined),
    ...diskMetrics(now, stored),
    ...backupMetrics(now),
  ].filter(({ values }) => values.length > 0)
}

/** The read thread has ended or does not answer, which `errata_part_healthy` tells. */
function unknown(): null {
  return null
}

function processMetrics({ version, node, startedMs, health }: SystemFacts): readonly Metric[] {
  return [
    gauge('errata_info', 'Version of Errata and of Node; always 1.', [[{ version, node }, 1]]),
    gauge('errata_start_time_seconds', 'When the process started, seconds since 1970.', startedMs / 1_000),
    gauge(
      'errata_part_healthy',
      '1 while a part works, 0 while it does not; what /system says in words.',
      health.map(({ name, ok }) => [{ part: name }, ok ? 1 : 0]),
    ),
  ]
}

function countMetrics({ items, newIssues, regressedIssues }: EngineCounts): readonly Metric[] {
  return [
    counter(
      'errata_items_total',
      'Items that were stored or refused since the start, by outcome.',
      OUTCOMES.map((outcome) => [{ outcome }, items.get(outcome) ?? 0]),
    ),
    counter('errata_issues_new_total', 'Issues that began since the start.', newIssues),
    counter('errata_issues_regressed_total', 'Issues that came back since the start.', regressedIssues),
  ]
}

function mailMetrics({ mail }: SystemFacts): readonly Metric[] {
  if (mail === null) return []
  return [
    counter('errata_emails_total', 'Emails that were tried since the start, by what came of them.', [
      [{ outcome: 'sent' }, mail.sent],
      [{ outcome: 'failed' }, mail.failed],
    ]),
  ]
}

function pressureMetrics({ backlog, pressures, heldBackKeys }: SystemFacts): readonly Metric[] {
  return [
    gauge('errata_backlog_envelopes', 'Envelopes acknowledged and not yet stored.', backlog.records),
    gauge('errata_backlog_bytes', 'Their bytes in the journal.', backlog.bytes),
    gauge('errata_backlog_age_seconds', 'Age of the oldest of them.', backlog.oldestMs / 1_000),
    gauge(
      'errata_pressure_state',
      '0 while a resource is plenty, 1 beyond its soft limit, 2 beyond its hard one.',
      pressures.map(({ name, state }) => [{ resource: name }, PRESSURE[state]]),
    ),
    gauge('errata_keys_held_back', 'Keys that send more than their share of what is scarce.', heldBackKeys),
  ]
}

function storedMetrics(
  stored: Stored | null,
  quarantined: Awaited<ReturnType<SystemRead['quarantined']>> | null,
): readonly Metric[] {
  return [
    gauge('errata_applied_seq', 'Newest seq that every store has applied.', stored?.appliedSeq),
    gauge('errata_stored_events', 'Events counted in all issues.', stored?.eventsStored),
    gauge('errata_issues', 'Issues.', stored?.issues),
    gauge('errata_groups', 'Groups of issues.', stored?.groups),
    gauge('errata_projects', 'Projects.', stored?.projects),
    gauge(
      'errata_quarantined_envelopes',
      'Envelopes set aside because processing them failed.',
      quarantined?.length,
    ),
  ]
}

function diskMetrics({ disk }: SystemFacts, stored: Stored | null): readonly Metric[] {
  return [
    gauge('errata_store_bytes', 'Bytes on disk, by store.', [
      [{ store: 'control' }, stored?.controlBytes],
      [{ store: 'columns' }, disk.columnBytes],
      [{ store: 'payloads' }, disk.payloadBytes],
      [{ store: 'journal' }, disk.journalBytes],
    ]),
    gauge('errata_disk_free_bytes', 'Free bytes where the data directory is.', disk.freeBytes),
    gauge('errata_disk_total_bytes', 'All bytes there.', disk.totalBytes),
  ]
}

function backupMetrics({ backup: { last } }: SystemFacts): readonly Metric[] {
  if (last === 'unknown') return []
  return [
    gauge(
      'errata_backup_last_time_seconds',
      'When the last backup was tried, seconds since 1970; 0 before the first.',
      (last?.atMs ?? 0) / 1_000,
    ),
    gauge(
      'errata_backup_last_ok',
      '1 when it was made, 0 when it failed or there is none.',
      last?.ok ? 1 : 0,
    ),
  ]
}

const PRESSURE = { ok: 0, soft: 1, hard: 2 } as const

/** Absent: unknown, and left out. */
type Value = number | null | undefined

type Values = Value | readonly (readonly [labels: Readonly<Record<string, string>>, value: Value])[]

function gauge(name: string, help: string, values: Values): Metric {
  return { name, help, isCounter: false, values: listed(values) }
}

function counter(name: string, help: string, values: Values): Metric {
  return { name, help, isCounter: true, values: listed(values) }
}

function listed(values: Values): Metric['values'] {
  const all = Array.isArray(values) ? values : [[{}, values] as const]
  return all.flatMap(([labels, value]) => (typeof value === 'number' ? [{ labels, value }] : []))
}
