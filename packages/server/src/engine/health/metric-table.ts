/** Every number of /metrics: its kind, its labels, what it says there and in docs/operating/metrics.md. */

interface MetricText {
  readonly kind: 'gauge' | 'counter'
  readonly labels: readonly string[]
  readonly help: string
  /** Said on the page alone, as Markdown. */
  readonly more?: string
}

const METRICS = {
  errata_info: {
    kind: 'gauge',
    labels: ['version', 'node'],
    help: 'Version of Errata and of Node; always 1.',
  },
  errata_start_time_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'When the process started, seconds since 1970.',
  },
  errata_part_healthy: {
    kind: 'gauge',
    labels: ['part'],
    help: '1 while a part works, 0 while it does not; what /system says in words.',
    more: '[What the parts are](README.md#health).',
  },
  errata_accept_threads: {
    kind: 'gauge',
    labels: ['state'],
    help: 'Threads that accept behind one port, by state: wanted, running.',
    more: 'This and the next two: only where [several threads accept](README.md#sizing).',
  },
  errata_accept_threads_replaced_total: {
    kind: 'counter',
    labels: ['reason'],
    help: 'Accept threads restarted since the start, by reason: died, hung.',
  },
  errata_accept_socket_renewed_total: {
    kind: 'counter',
    labels: [],
    help: 'How often the socket file between them and the main thread was missing and recreated since the start.',
  },
  errata_items_total: {
    kind: 'counter',
    labels: ['outcome'],
    help: 'Items that were stored or refused since the start, by outcome.',
    more: 'What `/outcomes` shows in detail, and what belongs to no known project (`journal_damaged` among `invalid`), which is on `/system`. `unsupported` is no loss: this version stores no items of those kinds.',
  },
  errata_issues_new_total: {
    kind: 'counter',
    labels: [],
    help: 'Issues that began since the start.',
  },
  errata_issues_regressed_total: {
    kind: 'counter',
    labels: [],
    help: 'Issues that regressed since the start.',
  },
  errata_emails_total: {
    kind: 'counter',
    labels: ['outcome'],
    help: 'Emails that were tried since the start, by what came of them: sent or failed.',
    more: 'Only with a mail server.',
  },
  errata_backlog_envelopes: {
    kind: 'gauge',
    labels: [],
    help: 'Envelopes acknowledged and not yet stored.',
  },
  errata_backlog_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Their bytes in the journal.',
  },
  errata_backlog_age_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'Age of the oldest of them.',
  },
  errata_pressure_state: {
    kind: 'gauge',
    labels: ['resource'],
    help: '0 while a resource is plenty, 1 beyond its soft limit, 2 beyond its hard one.',
    more: 'Resources: `backlog`, `backlog_age`, `memory`, `disk`.',
  },
  errata_keys_held_back: {
    kind: 'gauge',
    labels: [],
    help: 'Keys that send more than their share of what is scarce.',
  },
  errata_applied_seq: {
    kind: 'gauge',
    labels: [],
    help: 'Newest seq that every store has applied.',
    more: 'A seq is the number of an envelope in the journal.',
  },
  errata_stored_events: {
    kind: 'gauge',
    labels: [],
    help: 'Events counted in all issues.',
  },
  errata_issues: {
    kind: 'gauge',
    labels: [],
    help: 'Issues.',
  },
  errata_groups: {
    kind: 'gauge',
    labels: [],
    help: 'Groups of issues.',
  },
  errata_projects: {
    kind: 'gauge',
    labels: [],
    help: 'Projects.',
  },
  errata_quarantined_envelopes: {
    kind: 'gauge',
    labels: [],
    help: 'Envelopes set aside because processing them failed.',
  },
  errata_store_bytes: {
    kind: 'gauge',
    labels: ['store'],
    help: 'Bytes on disk, by store: control, columns, payloads, journal.',
  },
  errata_disk_free_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Free bytes where the data directory is.',
  },
  errata_disk_total_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'All bytes there.',
  },
  errata_backup_last_time_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'When the last backup was tried, seconds since 1970; 0 before the first.',
  },
  errata_backup_last_ok: {
    kind: 'gauge',
    labels: [],
    help: '1 when it was made, 0 when it failed or there is none.',
  },
} as const satisfies Readonly<Record<string, MetricText>>

export type MetricName = keyof typeof METRICS

/** The same with every field, for who lists them. */
export const METRIC_TEXTS: Readonly<Record<MetricName, MetricText>> = METRICS
