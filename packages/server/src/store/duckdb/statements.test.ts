import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { day, eventId, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { ERRORS } from '#kinds/error/fields.ts'
import { KINDS } from '#kinds/kinds.ts'
import { SPANS } from '#kinds/span/fields.ts'
import type { FileName, RetentionDays } from '#model/file-name.ts'
import { type Hidden, NOTHING_HIDDEN } from '#model/hidden.ts'
import { EVERY_ROW } from '#ports/columns.ts'
import type { EventFilter } from '#ports/telemetry.ts'
import type { SegmentFilter } from '#ports/traces.ts'
import { VITAL_THRESHOLDS } from '#requests/vitals.ts'
import { aFragmentRow } from '#testing/builders/fragment-row.ts'
import { BLOG, eventIdOf, GROUP_A, GROUP_B, SHOP } from '#testing/builders/ids.ts'
import { aScope } from '#testing/builders/scope.ts'
import { anEventRow, FIRST_DAY } from '#testing/builders/stored-event.ts'
import { PATIENCE } from '#testing/patience.ts'
import { openDriver, type Parameter } from './driver.ts'
import { writtenRow } from './row-lines.ts'
import { openTelemetry } from './telemetry.ts'

/** Every statement that the reads below run, in order, with its parameters: a change of a plan is a change of this file. */
const PINNED = new URL('../../../../../tests/fixtures/columns/statements.txt', import.meta.url)

const START = FIRST_DAY * DAY_MS
const SECOND_DAY = day(FIRST_DAY + 1)
const filesOf = (kind: string, retentionDays: RetentionDays): readonly FileName[] =>
  [SECOND_DAY, FIRST_DAY].map((each) => ({ kind, day: each, retentionDays }))
const ERROR_FILES = filesOf('error', 90)
const SPAN_FILES = filesOf('span', 30)
const SCOPE = aScope(SHOP, BLOG)

const errors = [1, 2, 3].map((at) =>
  anEventRow({
    ...{ seq: seq(at), eventId: eventIdOf(at), timestampMs: START + at, receivedMs: START + at },
    ...{ day: at === 3 ? SECOND_DAY : FIRST_DAY, groupHash: at === 2 ? GROUP_B : GROUP_A },
    missedMaps: at === 1 ? 'aaaa -' : null,
  }),
)
const fragments = [4, 5, 6].map((at) =>
  aFragmentRow({
    ...{ seq: seq(at), eventId: eventIdOf(at), timestampMs: START + at, receivedMs: START + at },
    ...{ projectId: SHOP, day: at === 6 ? SECOND_DAY : FIRST_DAY, lcp: 1_200 },
  }),
)

const GROUPS = [GROUP_A, GROUP_B].map((hash) => ({ projectId: SHOP, hash }))
const EVENTS: EventFilter = { groups: GROUPS, files: ERROR_FILES }
const EVERY_SORT: Partial<EventFilter> = {
  ...{ startMs: START, endMs: START + DAY_MS, text: 'total*', textNot: ['no'] },
  tags: [
    { key: 'environment', value: 'prod*', negated: false },
    { key: 'plan', value: 'gold', negated: true },
    { key: 'plan', value: null, negated: true },
  ],
  people: [{ names: ['id:42'], negated: false }],
  details: [{ key: 'error.value', value: 'no order', negated: false }],
  either: [[{ text: 'a' }, { tags: [{ key: 'release', value: 'shop@1.2.3', negated: false }] }]],
}
const SEGMENTS: SegmentFilter = {
  ...{ files: SPAN_FILES, projects: null, startMs: START, endMs: START + DAY_MS },
}
const EVERY_BOUND: SegmentFilter = {
  ...SEGMENTS,
  ...{ projects: [SHOP], kinds: ['document'], routes: ['/orders/[id]'], ends: ['answered'], ops: ['db'] },
  ...{ endsNot: ['aborted'], texts: ['get'], minDurationMs: 1, belowDurationMs: 900, waitsFor: ['server'] },
  services: [{ name: 'shop', projects: [SHOP], negated: false }],
  httpStatuses: [{ from: 200, to: 299, negated: false }],
  vitals: [{ vital: 'lcp', sign: '>', value: 2_500 }],
  tags: [{ key: 'release', value: 'shop@1.2.3', negated: false }],
  joinedFailures: [{ projectId: SHOP, traceHead: 'a'.repeat(16), atMs: START + 4 }],
}
const TRACE = 'a'.repeat(32)
const FIRST_PAGE = { limit: 2, cursor: null } as const
const ASKED = { files: [...ERROR_FILES, ...SPAN_FILES], range: { startMs: START, endMs: START + DAY_MS } }
const HIDDEN: Hidden = {
  ...NOTHING_HIDDEN,
  tombstones: [
    { projectId: BLOG, hash: null, upToSeq: seq(1) },
    { projectId: SHOP, hash: GROUP_B, upToSeq: seq(1) },
  ],
}

async function openStore(statements: string[]) {
  const directory = await mkdtemp(join(tmpdir(), 'errata-statements-'))
  const options = {
    ...{ ...PATIENCE, tables: KINDS.tables, events: ERRORS, fragments: SPANS, datasets: KINDS.datasets },
    ...{ directory, log: silentLog, clock: manualClock(START + DAY_MS) },
  }
  const store = await openTelemetry(options, async (at) => {
    const driver = await openDriver(at)
    return {
      ...driver,
      async connect() {
        const session = await driver.connect()
        const query = (sql: string, parameters: readonly Parameter[] = []) => {
          statements.push(`${plainAliases(sql)}\n  ${JSON.stringify(parameters)}`)
          return session.query(sql, parameters)
        }
        return { ...session, query }
      },
    }
  })
  const rows = [
    ...errors.map((row) => writtenRow(ERRORS, row)),
    ...fragments.map((row) => writtenRow(SPANS, row)),
  ]
  await store.append(rows, seq(6))
  const close = async () => {
    await store.close()
    await rm(directory, { recursive: true })
  }
  return { store, close }
}

type Store = Awaited<ReturnType<typeof openStore>>['store']

/** Files are attached under names that count up. */
function plainAliases(sql: string): string {
  return sql.replaceAll(/\b(error|span)_(\d{4}_\d\d_\d\d)_\d+(?:_\d+)?\b/g, '$1_$2')
}

const READS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'events of groups': (store) => store.events(SCOPE, EVENTS, FIRST_PAGE),
  'events of a search': (store) => store.events(SCOPE, { ...EVENTS, ...EVERY_SORT }, FIRST_PAGE),
  'events of any group': (store) => store.events(SCOPE, { groups: null, files: ERROR_FILES }, FIRST_PAGE),
  'events of the next page': async (store) => {
    const { nextCursor } = await store.events(SCOPE, EVENTS, FIRST_PAGE)
    return store.events(SCOPE, EVENTS, { limit: 2, cursor: nextCursor })
  },
  event: (store) => store.event(SCOPE, ERROR_FILES[1] ?? missing(), SHOP, eventId(eventIdOf(1))),
  neighbours: (store) => store.neighbours(SCOPE, EVENTS, errors[1] ?? missing()),
  count: (store) => store.count(SCOPE, { ...EVENTS, ...EVERY_SORT }),
  groupsMatching: (store) => store.groupsMatching(SCOPE, { files: ERROR_FILES, ...EVERY_SORT }, 10),
  groupTrends: (store) =>
    store.groupTrends(SCOPE, EVENTS, {
      ...{ startMs: START, stepMs: 1_000, buckets: 3 },
      within: { startMs: START, endMs: START + DAY_MS },
    }),
  groupPeople: (store) => store.groupPeople(SCOPE, EVENTS, 10),
  groupPeopleHashes: (store) => store.groupPeopleHashes(SCOPE, EVENTS),
  tracedErrors: (store) => store.tracedErrors(SCOPE, { files: ERROR_FILES, groups: null }, 10),
  'tracedErrors of groups': (store) => store.tracedErrors(SCOPE, EVENTS, 10),
  tally: (store) =>
    store.ask(SCOPE, {
      ...{ ask: 'figures', dataset: 'errors', ...ASKED, where: EVERY_ROW, ofEvents: { groups: null } },
      by: ['projectId', 'title', 'handled'].map((column) => ({ column })),
      ...{ figures: [{ is: 'unique', of: { column: 'user' } }], stepMs: HOUR_MS, limit: 10 },
    }),
  'tally of groups': (store) =>
    store.ask(SCOPE, {
      ...{ ask: 'figures', dataset: 'errors', ...ASKED, where: EVERY_ROW },
      ...{ ofEvents: { groups: GROUPS, ...EVERY_SORT }, by: [{ column: 'level' }], figures: [] },
      ...{ stepMs: null, limit: 10 },
    }),
  detailValues: (store) =>
    store.detailValues(SCOPE, { files: ERROR_FILES }, { key: 'error.value', prefix: 'no', limit: 5 }),
  missedMaps: (store) => store.missedMaps(SCOPE, { project: SHOP, files: ERROR_FILES, startMs: START }, 5),
  groupsThatMissed: (store) =>
    store.groupsThatMissed({ projects: [SHOP], debugIds: ['aaaa'], release: 'shop@1.2.3', groupsMax: 5 }),
  eventsThatMissed: (store) =>
    store.eventsThatMissed(
      ERROR_FILES[1] ?? missing(),
      { projects: [SHOP], debugIds: ['aaaa'], release: null },
      5,
    ),
  fragments: (store) => store.fragments(SCOPE, { traceId: TRACE, files: SPAN_FILES }),
  'segments, the newest': (store) => store.segments(SCOPE, SEGMENTS, { sort: 'newest', ...FIRST_PAGE }),
  'segments of a search, the slowest': (store) =>
    store.segments(SCOPE, EVERY_BOUND, { sort: 'slowest', ...FIRST_PAGE }),
  'segments of the next page': async (store) => {
    const { nextCursor } = await store.segments(SCOPE, SEGMENTS, { sort: 'newest', limit: 1, cursor: null })
    return store.segments(SCOPE, SEGMENTS, { sort: 'newest', limit: 1, cursor: nextCursor })
  },
  spanSums: (store) => store.spanSums(SCOPE, { traceIds: [TRACE], files: SPAN_FILES }),
  segmentCount: (store) => store.segmentCount(SCOPE, EVERY_BOUND),
  deviceVitals: (store) =>
    store.deviceVitals(
      SCOPE,
      { files: SPAN_FILES, startMs: START, endMs: START + DAY_MS, projects: null, tags: [] },
      VITAL_THRESHOLDS,
    ),
  vitalFragments: (store) =>
    store.vitalFragments(
      SCOPE,
      { files: SPAN_FILES, startMs: START, endMs: START + DAY_MS, projects: [SHOP], tags: [] },
      2,
    ),
  segmentHeat: (store) => store.segmentHeat(SCOPE, SEGMENTS, { startMs: START, stepMs: 1_000, perDecade: 3 }),
  segmentPoints: (store) => store.segmentPoints(SCOPE, SEGMENTS, 2),
  segmentValues: (store) =>
    store.segmentValues(SCOPE, SEGMENTS, { tags: ['release', 'route', 'no-such'], limit: 2 }),
  segmentWork: (store) => store.segmentWork(SCOPE, SEGMENTS),
  segmentIssues: (store) =>
    store.segmentIssues(SCOPE, SEGMENTS, [
      { projectId: SHOP, traceId: TRACE, spanId: null, atMs: START + 4, issue: 7 },
    ]),
  'rows of a dataset': (store) =>
    store.ask(SCOPE, {
      ...{ ask: 'rows', dataset: 'errors', ...ASKED, where: { words: 'total' }, ...FIRST_PAGE },
      fields: [{ field: 'title' }, { attribute: 'environment' }],
      sort: { by: { field: 'timestamp' }, isDescending: true },
    }),
  'figures of a dataset': (store) =>
    store.ask(SCOPE, {
      ...{ ask: 'figures', dataset: 'spans', ...ASKED, stepMs: HOUR_MS, limit: 10 },
      where: { of: { field: 'duration' }, is: { op: '>', value: 1 } },
      by: [{ field: 'op' }, { attribute: 'release' }],
      figures: [
        { is: 'count' },
        { is: 'avg', of: { field: 'duration' } },
        { is: 'quantile', q: 0.5, of: { field: 'duration' } },
        { is: 'quantile', q: 0.9, of: { field: 'duration' } },
        { is: 'unique', of: { field: 'user' } },
      ],
    }),
  'how many rows have a field': (store) =>
    store.ask(SCOPE, {
      ...{ ask: 'figures', dataset: 'spans', ...ASKED, where: EVERY_ROW, by: [], stepMs: null, limit: 1 },
      figures: [
        { is: 'present', of: { field: 'duration' } },
        { is: 'present', of: { field: 'op' } },
        { is: 'present', of: { attribute: 'plan' } },
      ],
    }),
  'attribute keys of a dataset': (store) =>
    store.ask(SCOPE, {
      ...{ ask: 'named', name: 'attribute keys', dataset: 'spans', ...ASKED, where: EVERY_ROW },
      of: { prefix: '', limit: 5 },
    }),
}
/** Asked again with deletions. */
const READS_OF_HIDDEN = ['events of groups', 'tally', 'fragments', 'segmentCount', 'rows of a dataset']

function missing(): never {
  throw new Error('it is there')
}

it('reads of columns run the statements that they always ran', async (t) => {
  const statements: string[] = []
  const { store, close } = await openStore(statements)
  t.after(close)
  const told: string[] = []
  const run = async (name: string) => {
    statements.length = 0
    await READS[name]?.(store)
    // Files are attached by whoever needs them first.
    const reads = statements.filter((statement) => /^SELECT/.test(statement))
    told.push(`## ${name}\n${reads.join('\n')}\n`)
  }
  for (const name of Object.keys(READS)) await run(name)
  await store.setHidden(HIDDEN)
  told.push('# With deletions\n')
  for (const name of READS_OF_HIDDEN) await run(name)
  const text = told.join('\n')
  const isThere = existsSync(PINNED)
  if (!isThere) await writeFile(PINNED, text)
  assert.ok(isThere, 'the statements were written anew: read what changed of them')
  assert.equal(text, await readFile(PINNED, 'utf8'))
})
