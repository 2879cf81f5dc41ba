/** Fragments of traces: what is found of them, in which order, and what nobody sees. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { type Day, day, dayOf, type ProjectId, seq } from '#base/ids.ts'
import type { FragmentRow } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import { type Hidden, HiddenRules, NOTHING_HIDDEN } from '#model/hidden.ts'
import type { MovedSegment } from '#ports/requests.ts'
import type { ErrorPlace } from '#ports/telemetry.ts'
import type { SegmentFilter, SegmentSort } from '#ports/traces.ts'
import { VITAL_THRESHOLDS } from '#requests/vitals.ts'
import { aFragmentRow } from '../../builders/fragment-row.ts'
import { BLOG, eventIdOf, SHOP } from '../../builders/ids.ts'
import { aScope } from '../../builders/scope.ts'
import type { StoreUnderTest } from './store-under-test.ts'

/** Today by the machine's clock, which decides what is past its period. */
const TODAY = dayOf(Date.now())
const DAY_MS = 86_400_000
const START = TODAY * DAY_MS
const TRACE = 'c'.repeat(32)

const file = (of: Day): FileName => ({ kind: 'span', day: of, retentionDays: 30 })
const FILE = file(TODAY)
const BEFORE = file(day(TODAY - 1))
const OLD = file(day(TODAY - 40))
const FILES = [OLD, FILE, BEFORE]

const row = (number: number, change: Partial<FragmentRow> = {}): FragmentRow =>
  aFragmentRow({
    ...{ seq: seq(number), eventId: eventIdOf(number), timestampMs: START + number, day: TODAY },
    ...{ projectId: SHOP, tags: tagsOf(change), ...change },
  })

/** Builds tags as the kind writes them, with those that fields stand for. */
function tagsOf({ environment = 'production', release = 'shop@1.2.3' }: Partial<FragmentRow>) {
  const route = ['route', '/orders/[id]'] as const
  const kind = ['request_kind', 'document'] as const
  const named = [
    ['environment', environment],
    ['release', release],
  ] as const
  return [
    ...named.flatMap(([key, value]) => (value === null ? [] : [[key, value] as const])),
    kind,
    route,
  ].sort()
}

const SPAN_ID = 'b'.repeat(16)

/** Builds an error in the first segment of the trace. */
const errorAt = (change: Partial<ErrorPlace>): ErrorPlace => ({
  ...{ projectId: SHOP, traceId: TRACE, spanId: null, atMs: START + 20, ...change },
})

const ROWS: readonly FragmentRow[] = [
  row(1, { traceId: TRACE, durationMs: 40, queriesMs: 30, people: ['id:42', 'email:ann@example.com'] }),
  row(2, { traceId: TRACE, hasRoot: false, timestampMs: START - 5, day: BEFORE.day, end: null }),
  row(3, {
    traceId: TRACE,
    projectId: BLOG,
    durationMs: 900,
    callsMs: 600,
    end: 'failed',
    httpStatus: 500,
    ops: ['db.query'],
  }),
  row(4, {
    requestKind: 'action',
    durationMs: 7.5,
    end: 'failed-behind-200',
    name: 'serverAction/100%_done',
  }),
  row(5, {
    service: 'billing',
    requestKind: 'document',
    route: '/cart',
    ops: ['http.server', 'cache.get'],
    environment: 'staging',
    end: null,
  }),
  row(6, {
    segmentId: '6'.repeat(16),
    repeated: ['SELECT ?'],
    isSampledOut: true,
    release: null,
    day: BEFORE.day,
    timestampMs: START - 60,
  }),
  row(7, {
    ...{ requestKind: 'browser', route: null, end: 'aborted', ops: [], name: 'pageload ÜBER' },
    ...{ lcp: 1_200, os: 'iOS 18.5', segmentId: '7'.repeat(16) },
  }),
  row(8, {
    traceId: TRACE,
    segmentId: '8'.repeat(16),
    name: 'a'.repeat(200),
    day: OLD.day,
    timestampMs: OLD.day * DAY_MS + 9,
  }),
  // Came apart from the sixth.
  row(9, { segmentId: '6'.repeat(16), hasRoot: false, day: BEFORE.day, queriesMs: 90, end: null }),
]

const placeOf = (number: number) => ({
  ...{ projectId: SHOP, traceHead: 'a'.repeat(16), atMs: START + number },
})
const MOVED: readonly MovedSegment[] = [
  {
    ...{ ...placeOf(4), saidKind: 'action', kind: 'route-handler', route: '/orders/export', end: 'aborted' },
  },
  { ...placeOf(4), saidKind: 'action', kind: 'route-handler', route: '/orders/export', end: 'aborted' },
  { ...placeOf(5), saidKind: 'document', kind: 'route-handler', route: '/cart', end: 'answered' },
  { ...placeOf(7), saidKind: 'action', kind: 'prefetch', route: '/', end: 'answered' },
]

export function tracesTests({ store, appendFragments }: StoreUnderTest): void {
  before(() => appendFragments(ROWS, seq(9)))
  after(() => store().setHidden(NOTHING_HIDDEN))

  const filterOf = (change: Partial<SegmentFilter> = {}): SegmentFilter => ({
    ...{ files: FILES, projects: null, startMs: START - 100 * DAY_MS, endMs: START + DAY_MS, ...change },
  })
  const find = async (change: Partial<SegmentFilter>, projects: readonly ProjectId[] = [SHOP, BLOG]) => {
    const [scope, filter] = [aScope(...projects), filterOf(change)]
    const page = await store().segments(scope, filter, { sort: 'newest', limit: 100, cursor: null })
    assert.equal(page.nextCursor, null)
    assert.equal(await store().segmentCount(scope, filter), page.rows.length)
    const counted = await store().segmentValues(scope, filter, { tags: [], limit: 1 })
    assert.deepEqual(counted, { total: page.rows.length, tags: [] })
    const points = await store().segmentPoints(scope, filter, 100)
    assert.equal(points.length, page.rows.length)
    return page.rows.map((found) => found.seq)
  }
  const fragments = async (projects: readonly ProjectId[] = [SHOP, BLOG], files = FILES) =>
    (await store().fragments(aScope(...projects), { traceId: TRACE, files })).map((found) => found.seq)

  it('shows all fragments of a trace over files, the oldest first', async () => {
    assert.deepEqual(await fragments(), [8, 2, 1, 3])
    assert.deepEqual(await fragments([SHOP, BLOG], [FILE]), [1, 3])
    assert.deepEqual(await store().fragments(aScope(SHOP), { traceId: 'd'.repeat(32), files: FILES }), [])
    const [whole] = await store().fragments(aScope(BLOG), { traceId: TRACE, files: FILES })
    assert.deepEqual(whole, ROWS[2])
  })

  it('shows nothing of a project outside the scope', async () => {
    assert.deepEqual(await fragments([SHOP]), [8, 2, 1])
    assert.deepEqual(await fragments([]), [])
    assert.deepEqual(await find({}, [BLOG]), [3])
    assert.deepEqual(await find({}, []), [])
    assert.deepEqual(await find({ projects: [BLOG] }, [SHOP]), [])
    const values = store().segmentValues(aScope(BLOG), filterOf(), { tags: ['environment'], limit: 5 })
    const production = { tag: 'environment', values: [{ value: 'production', count: 1 }] }
    assert.deepEqual(await values, { total: 1, tags: [production] })
  })

  it('looks only into files of spans that were named', async () => {
    assert.deepEqual(await find({ files: [BEFORE, { ...FILE, kind: 'error' }] }), [6])
    assert.deepEqual(await find({ files: [] }), [])
  })

  const filters: readonly [name: string, filter: Partial<SegmentFilter>, seqs: readonly number[]][] = [
    ['segments alone', {}, [7, 5, 4, 3, 1, 6, 8]],
    ['one project', { projects: [BLOG] }, [3]],
    ['a time', { startMs: START - 60, endMs: START + 4 }, [3, 1, 6]],
    ['a trace', { traceId: TRACE }, [3, 1, 8]],
    ['kinds', { kinds: ['action', 'browser'] }, [7, 4]],
    ['routes', { routes: ['/cart', '/nowhere'] }, [5]],
    ['ends', { ends: ['failed', 'failed-behind-200'] }, [4, 3]],
    ['ends that are unwanted, and what has none', { endsNot: ['answered', 'failed'] }, [7, 5, 4]],
    ['requests alone', { onlyRequests: true }, [7, 4, 3, 1, 6, 8]],
    ['an operation', { ops: ['db'] }, [4, 1, 6, 8]],
    ['operations', { ops: ['db*'] }, [4, 3, 1, 6, 8]],
    ['operations by their end', { ops: ['*.get'] }, [5]],
    ['no operation that only contains it', { ops: ['quer'] }, []],
    ['several operations', { ops: ['http.*', 'cache.get'] }, [5]],
    ['several texts', { texts: ['page', 'über'] }, [7]],
    ['a text, whatever the case', { texts: ['über'] }, [7]],
    ['a text with signs of its own', { texts: ['100%_d'] }, [4]],
    ['a text with a wildcard', { texts: ['page*ber'] }, [7]],
    ['a text that many places may meet', { texts: ['a*a*a*a*a*b'] }, []],
    ['a person by any name', { people: [{ names: ['id:42', 'id:7'], negated: false }] }, [1]],
    ['anybody else', { people: [{ names: ['email:ann@example.com'], negated: true }] }, [7, 5, 4, 3, 6, 8]],
    ['codes', { httpStatuses: [{ from: 500, to: 599, negated: false }] }, [3]],
    ['other codes, and none', { httpStatuses: [{ from: 500, to: 500, negated: true }] }, [7, 5, 4, 1, 6, 8]],
    ['the slow', { minDurationMs: 100 }, [7, 5, 3, 6, 8]],
    ['those above the slow', { aboveDurationMs: 100 }, [3]],
    ['the quick', { maxDurationMs: 40 }, [4, 1]],
    ['those below the quick', { belowDurationMs: 40 }, [4]],
    ['those between', { minDurationMs: 40, maxDurationMs: 40 }, [1]],
    ['a vital', { vitals: [{ vital: 'lcp', sign: '>=', value: 1_200 }] }, [7]],
    ['no greater vital', { vitals: [{ vital: 'lcp', sign: '>', value: 1_200 }] }, []],
    [
      'a vital within bounds',
      {
        vitals: [
          { vital: 'lcp', sign: '>', value: 1_199 },
          { vital: 'lcp', sign: '<=', value: 1_200 },
        ],
      },
      [7],
    ],
    ['a tag', { tags: [{ key: 'environment', value: 'staging', negated: false }] }, [5]],
    ['no tag', { tags: [{ key: 'release', value: null, negated: true }] }, [6]],
    [
      'one of several',
      {
        either: [
          [
            { tags: [{ key: 'environment', value: 'staging', negated: false }] },
            { tags: [{ key: 'release', value: null, negated: true }] },
          ],
        ],
      },
      [5, 6],
    ],
    ['statements that ran again and again', { repeats: true }, [6]],
    ['a service by its own name', { services: [{ name: 'billing', projects: [], negated: false }] }, [5]],
    ['a service by its project', { services: [{ name: 'blog', projects: [BLOG], negated: false }] }, [3]],
    ['other services', { services: [{ name: 'b*', projects: [BLOG], negated: true }] }, [7, 4, 1, 6, 8]],
    ['what waited for its database', { waitsFor: ['database'] }, [4, 1, 6]],
    ['what waited for calls', { waitsFor: ['calls'] }, [3]],
    ['what waited for calls or the browser', { waitsFor: ['calls', 'browser'] }, [7, 3]],
    ['what worked itself', { waitsFor: ['server'] }, [5, 8]],
    ['what waited for nothing', { waitsFor: [] }, []],
    ['what turned out to be of another kind', { moved: MOVED, kinds: ['route-handler'] }, [5, 4]],
    ['nothing of the kind that it is not', { moved: MOVED, kinds: ['action'] }, []],
    ['the route that it turned out to be of', { moved: MOVED, routes: ['/orders/export'] }, [4]],
    ['the end that it turned out to have', { moved: MOVED, ends: ['aborted'] }, [7, 4]],
    ['no errors', { ofErrors: [] }, []],
    ['errors of a span, and of no other', { ofErrors: [errorAt({ spanId: SPAN_ID })] }, [1]],
    ['errors of a trace while it ran', { ofErrors: [errorAt({ spanId: 'e'.repeat(16) })] }, [1]],
    ['no errors long after', { ofErrors: [errorAt({ spanId: null, atMs: START + 60_000 })] }, []],
    ['no errors of another project', { ofErrors: [errorAt({ traceId: 'd'.repeat(32) })] }, []],
    ['all at once', { kinds: ['document'], ops: ['http.server'], maxDurationMs: 50, traceId: TRACE }, [1]],
  ]
  for (const [name, filter, seqs] of filters) {
    it(`finds ${name}`, async () => assert.deepEqual(await find(filter), seqs))
  }

  it('counts what services and waits there are, spans that came apart included', async () => {
    const work = (change: Partial<SegmentFilter>) => store().segmentWork(aScope(SHOP, BLOG), filterOf(change))
    assert.deepEqual(await work({ files: [FILE], routes: ['/cart'] }), [
      { projectId: SHOP, service: 'billing', waitsFor: 'server', count: 1 },
    ])
    const all = await work({})
    const counted = all.map(({ projectId, service, waitsFor, count }) =>
      [projectId === BLOG ? 'blog' : 'shop', service, waitsFor, count].join(' '),
    )
    assert.deepEqual(counted.toSorted(), [
      'blog  calls 1',
      'shop  browser 1',
      'shop  database 3',
      'shop  server 1',
      'shop billing server 1',
    ])
    assert.deepEqual(await work({ moved: MOVED, kinds: ['action'] }), [])
  })

  it('counts kinds as they turned out to be', async () => {
    const asked = { tags: ['request_kind'], limit: 5 }
    const { tags } = await store().segmentValues(aScope(SHOP, BLOG), filterOf({ moved: MOVED }), asked)
    assert.deepEqual(tags[0]?.values, [
      { value: 'document', count: 4 },
      { value: 'route-handler', count: 2 },
      { value: 'browser', count: 1 },
    ])
  })

  it('counts segments by the issues of their errors, each once', async () => {
    const errors = [
      { ...errorAt({ spanId: SPAN_ID }), issue: 1 },
      { ...errorAt({}), issue: 1 },
      { ...errorAt({ projectId: BLOG }), issue: 2 },
      { ...errorAt({}), issue: 2 },
    ]
    const of = (change: Partial<SegmentFilter>, projects = [SHOP, BLOG]) =>
      store().segmentIssues(aScope(...projects), filterOf(change), errors)
    assert.deepEqual(await of({}), [
      { issue: 2, count: 2 },
      { issue: 1, count: 1 },
    ])
    assert.deepEqual(await of({}, [SHOP]), [
      { issue: 1, count: 1 },
      { issue: 2, count: 1 },
    ])
    assert.deepEqual(await of({ ends: ['failed'], ofErrors: [errorAt({ projectId: BLOG })] }), [
      { issue: 2, count: 1 },
    ])
    assert.deepEqual(await store().segmentIssues(aScope(SHOP), filterOf(), []), [])
  })

  it('counts every segment by when it began and how long it took, and as many as are found', async () => {
    const scope = aScope(SHOP, BLOG)
    const grid = { startMs: START - 100, stepMs: 50, perDecade: 1 }
    const filter = filterOf({ startMs: START - 100 })
    const cells = await store().segmentHeat(scope, filter, grid)
    const sum = cells.reduce((total, { count }) => total + count, 0)
    assert.equal(sum, await store().segmentCount(scope, filter))
    assert.ok(cells.every(({ slot }) => slot >= 0))
    // 900 ms of the third, 7.5 ms of the fourth.
    const rows = (
      await store().segmentHeat(scope, { ...filter, ends: ['failed', 'failed-behind-200'] }, grid)
    ).map(({ row: at, count }) => [at, count])
    assert.deepEqual(rows, [
      [0, 1],
      [2, 1],
    ])
    assert.deepEqual(await store().segmentHeat(aScope(), filter, grid), [])
  })

  it('sums up vitals by device, and gives the fragments that say them', async () => {
    const filter = { files: FILES, projects: null, startMs: START - DAY_MS, endMs: START + DAY_MS, tags: [] }
    const devices = await store().deviceVitals(aScope(SHOP, BLOG), filter, VITAL_THRESHOLDS)
    const [{ values = [], ...device } = {}, ...others] = devices
    assert.deepEqual([device, others], [{ device: 'iOS', vital: 'lcp', count: 1, good: 1, poor: 0 }, []])
    const [[value = 0, count] = []] = values
    assert.ok(values.length === 1 && count === 1 && Math.abs(value / 1_200 - 1) <= 0.01, String(values))
    const said = await store().vitalFragments(aScope(SHOP, BLOG), filter, 10)
    assert.deepEqual(
      said.map((one) => one.seq),
      [7],
    )
    assert.deepEqual(await store().deviceVitals(aScope(BLOG), filter, VITAL_THRESHOLDS), [])
    assert.deepEqual(await store().vitalFragments(aScope(BLOG), filter, 10), [])
    const other = { ...filter, tags: [{ key: 'release', value: 'shop@9', negated: false }] }
    assert.deepEqual(await store().vitalFragments(aScope(SHOP), other, 10), [])
  })

  it('draws points evenly, and the same ones again', async () => {
    const draw = (limit: number) => store().segmentPoints(aScope(SHOP, BLOG), filterOf(), limit)
    const all = await draw(100)
    assert.deepEqual(
      all
        .map(({ atMs, durationMs, end, isSampledOut }) => [atMs - START, durationMs, end, isSampledOut])
        .slice(-6),
      [
        [-60, 100, 'answered', true],
        [1, 40, 'answered', false],
        [3, 900, 'failed', false],
        [4, 7.5, 'failed-behind-200', false],
        [5, 100, null, false],
        [7, 100, 'aborted', false],
      ],
    )
    const some = await draw(3)
    assert.equal(some.length, 3)
    assert.deepEqual(await draw(3), some)
    for (const point of some) assert.ok(all.some((one) => one.atMs === point.atMs))
  })

  it('counts the values of tags', async () => {
    const values = (tags: readonly string[], limit = 5, change: Partial<SegmentFilter> = {}) =>
      store().segmentValues(aScope(SHOP, BLOG), filterOf(change), { tags, limit })
    const environment = {
      tag: 'environment',
      values: [
        { value: 'production', count: 6 },
        { value: 'staging', count: 1 },
      ],
    }
    const route = { tag: 'route', values: [{ value: '/orders/[id]', count: 5 }] }
    const nothing = { tag: 'nothing like this', values: [] }
    assert.deepEqual(await values(['environment']), { total: 7, tags: [environment] })
    assert.deepEqual(await values(['route'], 1), { total: 7, tags: [route] })
    const [first, second, third] = (await values(['nothing like this', 'environment', 'route'])).tags
    assert.deepEqual([first, second], [nothing, environment])
    assert.deepEqual(third?.values[0], route.values[0])
    assert.deepEqual(await values(['environment', 'nothing like this'], 5, { routes: ['/cart'] }), {
      total: 1,
      tags: [{ tag: 'environment', values: [{ value: 'staging', count: 1 }] }, nothing],
    })
  })

  it('hides what is deleted and what is past the period of spans', async () => {
    const hide = (hidden: Partial<Hidden>) => store().setHidden({ ...NOTHING_HIDDEN, ...hidden })
    await hide({ tombstones: [{ projectId: BLOG, hash: null, upToSeq: seq(100) }] })
    assert.deepEqual(
      [await fragments(), await find({ traceId: TRACE })],
      [
        [8, 2, 1],
        [1, 8],
      ],
    )
    await hide({ people: [{ projectId: SHOP, person: 'email:ann@example.com', upToSeq: seq(5) }] })
    assert.deepEqual(
      [await fragments(), await find({ traceId: TRACE })],
      [
        [8, 2, 3],
        [3, 8],
      ],
    )
    await hide({ people: [{ projectId: BLOG, person: 'id:42', upToSeq: seq(5) }] })
    assert.equal((await fragments()).length, 4)
    const periods = (days: number) => [
      { projectId: SHOP, kind: null, days: 90 },
      { projectId: SHOP, kind: 'span', days },
    ]
    await hide({ periods: periods(30) })
    assert.deepEqual(
      [await fragments(), await find({ traceId: TRACE })],
      [
        [2, 1, 3],
        [3, 1],
      ],
    )
    await hide({ periods: periods(50) })
    assert.equal((await fragments()).length, 4)
    await hide({})
  })

  const many = manySegments()
  const sorts: readonly [SegmentSort, (row: FragmentRow) => number][] = [
    ['newest', ({ timestampMs }) => timestampMs],
    ['slowest', ({ durationMs }) => durationMs],
  ]
  for (const [sort, keyOf] of sorts) {
    it(`pages through the ${sort}, each row once and in order, equal keys and late ones included`, async () => {
      if (!(await store().files()).some((known) => known.day === PAGED[0]?.day))
        await appendFragments(many, many.at(-1)?.seq ?? seq(0))
      const wanted = many
        .toSorted((a, b) => keyOf(b) - keyOf(a) || (b.eventId < a.eventId ? -1 : 1))
        .map(({ eventId }) => eventId)
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 5, max: 120 }), async (limit) => {
          const found: string[] = []
          let cursor: string | null = null
          do {
            const filter = filterOf({ files: PAGED, startMs: 0 })
            const page: Awaited<ReturnType<ReturnType<typeof store>['segments']>> = await store().segments(
              aScope(SHOP),
              filter,
              { sort, limit, cursor },
            )
            assert.ok(page.rows.length <= limit)
            found.push(...page.rows.map(({ eventId }) => eventId))
            cursor = page.nextCursor
          } while (cursor !== null)
          assert.deepEqual(found, wanted)
        }),
        { numRuns: 4, examples: [[7]] },
      )
    })
  }

  it('refuses a cursor that is none', async () => {
    for (const cursor of ['', 'x', Buffer.from('[1,2]').toString('base64url')]) {
      const page = { sort: 'newest', limit: 5, cursor } as const
      await assert.rejects(store().segments(aScope(SHOP), filterOf(), page), { code: 'bad_request' })
    }
  })

  it('is what it was once compacted', async () => {
    const before = [await fragments(), await find({}), await store().rows(BEFORE, seq(0), 100)]
    const rules = new HiddenRules(NOTHING_HIDDEN, TODAY)
    for (const each of FILES) await store().rewrite(each, { rules, upToSeq: seq(9) })
    assert.deepEqual([await fragments(), await find({}), await store().rows(BEFORE, seq(0), 100)], before)
  })
}

const PAGED: readonly FileName[] = [3, 4, 5].map((ago) => file(day(TODAY - ago)))

/** With equal keys, and starts beyond the end of their file’s day: a clock may be ahead by so much. */
function manySegments(): readonly FragmentRow[] {
  return Array.from({ length: 90 }, (_, at) => {
    const of = day(TODAY - 3 - (at % 3))
    const ends = (of + 1) * DAY_MS
    return row(100 + at, {
      ...{ day: of, eventId: eventIdOf((at * 7_919) % 1_009), durationMs: (at % 4) * 12.5 },
      timestampMs: at % 5 === 0 ? ends + max('eventFutureMsMax') - (at % 2) : ends - (at % 10) * 3_600_000,
    })
  })
}
