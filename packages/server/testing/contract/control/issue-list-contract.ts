/** Contract of the issue list: filters, sorts, paging, trends. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { IssueSort } from '#model/search-words.ts'
import type { BoundsMetQuery, IssueFilter, IssuePage } from '#ports/issues.ts'
import { anActor } from '../../builders/actor.ts'
import { archivedUntil } from '../../builders/archived-until.ts'
import { aHash } from '../../builders/ids.ts'
import { aFilter } from '../../builders/issue-filter.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, value } from './stores.ts'
import { addMember } from './world.ts'

export function issueListContract(open: ControlFactory): void {
  describe('the issue list', () => {
    const { stores, world, send, idOf } = openForEachTest(open)

    const list = (
      change: Partial<IssueFilter> = {},
      sort: IssueSort = 'date',
      cursor: string | null = null,
      limit = 25,
    ) => stores.read.list(world.scope, aFilter(change), { sort, limit, cursor })
    const values = ({ rows }: IssuePage) => rows.map((row) => row.value)
    const found = async (change: Partial<IssueFilter>) => values(await list(change)).sort()
    const tag = (key: string, value: string | null, negated = false) => ({ tags: [{ key, value, negated }] })
    const text = (value: string, negated = false) => ({ text: [{ value, negated }] })

    it('counts a range anew for issues that changed since it was last asked for', async () => {
      const startMs = NOW - 2 * HOUR
      const frequent = async () => values(await list({ startMs }, 'freq'))
      const some = (group: string, count: number, timestampMs = NOW - HOUR) =>
        Array.from({ length: count }, () => ({ group, timestampMs }))
      // Older than the range, so that only the hours tell what lies in it.
      await send(
        ...some('a', 9, NOW - 9 * HOUR),
        ...some('b', 8, NOW - 9 * HOUR),
        ...some('c', 7, NOW - 9 * HOUR),
      )
      await send(...some('a', 3), ...some('b', 2), ...some('c', 1))
      assert.deepEqual(await frequent(), ['a', 'b', 'c'])
      await send(...some('c', 4))
      assert.deepEqual(await frequent(), ['c', 'a', 'b'])
      const [a, b, c] = [await idOf('a'), await idOf('b'), await idOf('c')]
      const choice = { orgId: world.org, projects: world.scope.projects, ids: [a] }
      value(await stores.write.merge(choice, b, anActor()))
      const { rows } = await list({ startMs }, 'freq')
      const counted = rows.map(({ id, eventCountInRange }) => [id, eventCountInRange])
      assert.deepEqual(counted, [
        [c, 5],
        [b, 5],
      ])
    })

    it('sorts by last seen, first seen, events in the range and users', async () => {
      await send(
        { group: 'a', timestampMs: NOW - 9 * HOUR, user: 'id:1' },
        { group: 'a', timestampMs: NOW - 1 * HOUR, user: 'id:2' },
        { group: 'b', timestampMs: NOW - 8 * HOUR, user: 'id:1' },
        { group: 'b', timestampMs: NOW - 7 * HOUR, user: 'id:1' },
        { group: 'b', timestampMs: NOW - 6 * HOUR, user: 'id:1' },
        { group: 'c', timestampMs: NOW - 2 * HOUR },
      )
      assert.deepEqual(values(await list({}, 'date')), ['a', 'c', 'b'])
      assert.deepEqual(values(await list({}, 'new')), ['c', 'b', 'a'])
      assert.deepEqual(values(await list({}, 'freq')), ['b', 'a', 'c'])
      assert.deepEqual(values(await list({}, 'user')), ['a', 'b', 'c'])
      assert.deepEqual(values(await list({ startMs: NOW - 2 * HOUR }, 'freq')), ['c', 'a'])
    })

    it('puts those with most events in the range first, however many others there are', async () => {
      // As many in all as are few in the range, and the other way round, and ties; one leads in both.
      const counts = Array.from({ length: 60 }, (_, number) => {
        const recent = number === 7 ? 9 : number % 5
        return { group: `g${number}`, recent, old: number === 7 ? 9 : 1 + ((59 - number) % 7) }
      })
      await send(
        ...counts.flatMap(({ group, recent, old }) => [
          ...Array.from({ length: old }, () => ({ group, timestampMs: NOW - 9 * DAY })),
          ...Array.from({ length: recent }, () => ({ group, timestampMs: NOW - HOUR })),
        ]),
      )
      const filter = { startMs: NOW - DAY }
      const shown = counts.filter(({ recent }) => recent > 0)
      for (const limit of [1, 2, 5, 50]) {
        const page = await list(filter, 'freq', null, limit)
        const numbers = page.rows.map(({ eventCountInRange, id }) => [eventCountInRange, id] as const)
        const all = (await list(filter, 'freq', null, 60)).rows.map(
          ({ eventCountInRange, id }) => [eventCountInRange, id] as const,
        )
        assert.deepEqual(numbers, all.slice(0, limit))
        assert.deepEqual(
          numbers.map(([events]) => events),
          shown
            .map(({ recent }) => recent)
            .sort((a, b) => b - a)
            .slice(0, limit),
        )
        assert.equal(page.total, shown.length)
        const after = page.nextCursor === null ? [] : (await list(filter, 'freq', page.nextCursor, 60)).rows
        assert.deepEqual(
          after.map(({ id }) => id),
          all.slice(limit).map(([, id]) => id),
        )
      }
    })

    it('pages both ways without losing or repeating an issue, ties included', async () => {
      const groups = Array.from({ length: 23 }, (_, index) => `group ${String(index).padStart(2, '0')}`)
      await send(
        ...groups.map((group, index) => ({ group, timestampMs: NOW - Math.floor(index / 5) * HOUR })),
      )
      for (const sort of ['date', 'new', 'freq', 'user'] as const) {
        const whole = values(await list({}, sort))
        assert.equal(whole.length, 23)
        const pages: string[][] = []
        let page = await list({}, sort, null, 7)
        assert.equal(page.previousCursor, null)
        const cursors: (string | null)[] = []
        for (;;) {
          assert.equal(page.total, 23)
          pages.push(values(page))
          if (page.nextCursor === null) break
          cursors.push(page.nextCursor)
          page = await list({}, sort, page.nextCursor, 7)
        }
        assert.deepEqual(pages.flat(), whole)
        for (let back = pages.length - 2; back >= 0; back--) {
          assert.ok(page.previousCursor !== null)
          page = await list({}, sort, page.previousCursor, 7)
          assert.deepEqual(values(page), pages[back])
          assert.ok(page.nextCursor !== null)
        }
        assert.equal(page.previousCursor, null)
      }
    })

    it('begins at the start with a cursor that is malformed or of another sort', async () => {
      await send({ group: 'a' }, { group: 'b' })
      const { nextCursor } = await list({}, 'date', null, 1)
      const whole = values(await list())
      assert.deepEqual(values(await list({}, 'user', nextCursor)), values(await list({}, 'user')))
      for (const cursor of ['', 'x', 'n.date.1', "n.date.1.1'; --", 'n.date.99999999999999999999.1']) {
        assert.deepEqual(values(await list({}, 'date', cursor)), whole)
      }
    })

    it('leads back from a page that has emptied', async () => {
      await send({ group: 'a', timestampMs: NOW - 1 }, { group: 'b', timestampMs: NOW - 2 })
      const { nextCursor } = await list({}, 'date', null, 1)
      const gone = { orgId: world.org, projects: [world.shop], ids: [await idOf('b')] }
      value(await stores.write.deleteIssues(gone, anActor()))
      const empty = await list({}, 'date', nextCursor, 1)
      assert.deepEqual([empty.rows.length, empty.total, empty.nextCursor], [0, 1, null])
      assert.ok(empty.previousCursor !== null)
    })

    it('holds issues with an event in the range, and counts those alone', async () => {
      await send(
        { group: 'before', timestampMs: NOW - 5 * DAY },
        { group: 'around', timestampMs: NOW - 5 * DAY },
        { group: 'around', timestampMs: NOW - 1 * DAY },
        { group: 'within', timestampMs: NOW - 3 * DAY },
        { group: 'within', timestampMs: NOW - 3 * DAY },
        { group: 'reaching', timestampMs: NOW - 3 * DAY },
        { group: 'reaching', timestampMs: NOW - 1 * DAY },
        { group: 'after', timestampMs: NOW - 1 * DAY },
      )
      const page = await list({ startMs: NOW - 4 * DAY, endMs: NOW - 2 * DAY }, 'freq')
      assert.deepEqual(
        page.rows.map((row) => [row.value, row.eventCountInRange, row.eventCount]),
        [
          ['within', 2, 2],
          ['reaching', 1, 2],
        ],
      )
      assert.deepEqual(await found({ startMs: NOW - 4 * DAY, endMs: NOW - 3 * DAY }), [])
    })

    it('draws a trend that sums up to the count of the range', async () => {
      await send(
        { timestampMs: NOW - 30 * 60_000 },
        { timestampMs: NOW - 30 * 60_000 },
        { timestampMs: NOW - 23.5 * HOUR },
        { timestampMs: NOW - 6.5 * DAY },
      )
      const [day] = (await list({ startMs: NOW - DAY, endMs: NOW })).rows
      assert.equal(day?.trend.startMs, NOW - DAY)
      assert.equal(day?.trend.stepMs, HOUR)
      assert.deepEqual(day?.trend.counts, [1, ...new Array<number>(22).fill(0), 2])
      assert.equal(day?.eventCountInRange, 3)
      const [week] = (await list({ startMs: NOW - 7 * DAY, endMs: NOW })).rows
      assert.deepEqual([week?.trend.startMs, week?.trend.stepMs], [NOW - 7 * DAY, DAY])
      assert.deepEqual(week?.trend.counts, [1, 0, 0, 0, 0, 0, 3])
      const [hour] = (await list({ startMs: NOW - HOUR, endMs: NOW })).rows
      assert.deepEqual(hour?.trend.counts, [2])
      for (const [from, counts] of [
        [2.5 * DAY, [0, 0, 3]],
        [6.5 * DAY + HOUR, [1, 0, 0, 0, 0, 0, 3]],
        [6 * DAY + 2 * HOUR, [0, 0, 0, 0, 0, 3]],
        [6.5 * DAY - HOUR, [0, 0, 0, 0, 0, 0, 3]],
      ] as const) {
        const [row] = (await list({ startMs: NOW - from, endMs: NOW })).rows
        assert.deepEqual(row?.trend.counts, counts)
        assert.equal(
          row?.eventCountInRange,
          counts.reduce((sum: number, count) => sum + count, 0),
        )
      }
    })

    it('filters by status, substatus, level, project and ids', async () => {
      await send(
        { group: 'error' },
        { group: 'warning', level: 'warning' },
        { group: 'fatal', level: 'fatal' },
        { group: 'blog', projectId: world.blog },
      )
      const choice = { orgId: world.org, projects: world.scope.projects }
      value(await stores.write.resolve({ ...choice, ids: [await idOf('error')] }, anActor()))
      value(
        await stores.write.archive(
          { ...choice, ids: [await idOf('fatal')] },
          archivedUntil({ eventsMore: 5 }),
          anActor(),
        ),
      )
      assert.deepEqual(await found({ status: ['resolved'] }), ['error'])
      assert.deepEqual(await found({ status: ['resolved', 'archived'] }), ['error', 'fatal'])
      assert.deepEqual(await found({ substatus: ['new'] }), ['blog', 'warning'])
      assert.deepEqual(await found({ substatus: ['archived_until'] }), ['fatal'])
      const level = (...levels: IssueFilter['levels']) => found({ levels })
      assert.deepEqual(await level({ value: 'warning', negated: false }), ['warning'])
      assert.deepEqual(
        await level({ value: 'warning', negated: false }, { value: 'fatal', negated: false }),
        ['fatal', 'warning'],
      )
      assert.deepEqual(await level({ value: 'error', negated: true }), ['fatal', 'warning'])
      assert.deepEqual(await found({ projects: [world.blog] }), ['blog'])
      assert.deepEqual(await found({ issueIds: [await idOf('fatal')] }), ['fatal'])
      assert.deepEqual(await found({ issueIds: [] }), [])
      const groups = [{ projectId: world.shop, hash: aHash('warning') }]
      assert.deepEqual(
        await found({ groups: [...groups, { projectId: world.blog, hash: aHash('fatal') }] }),
        ['warning'],
      )
      assert.deepEqual(await found({ groups: [] }), [])
    })

    it('counts the tabs with the other conditions of the filter', async () => {
      await send({ group: 'a' }, { group: 'b' }, { group: 'c' }, { group: 'd', level: 'info' })
      const choice = { orgId: world.org, projects: [world.shop] }
      value(await stores.write.resolve({ ...choice, ids: [await idOf('a')] }, anActor()))
      value(await stores.write.archive({ ...choice, ids: [await idOf('b')] }, archivedUntil(), anActor()))
      const levels = [{ value: 'info', negated: true }] as const
      const filter = aFilter({ levels, status: ['unresolved'], substatus: ['regressed'] })
      assert.deepEqual(await stores.read.countByStatus(world.scope, filter), {
        forReview: 1,
        unresolved: 1,
        archived: 1,
        resolved: 1,
        all: 3,
      })
    })

    it('counts the issues of each project, with its newest event', async () => {
      await send(
        { group: 'a', timestampMs: NOW - 2 * HOUR },
        { group: 'b', timestampMs: NOW - HOUR },
        { group: 'old', timestampMs: NOW - (max('issueNewDays') + 1) * DAY },
        { group: 'c', projectId: world.blog, timestampMs: NOW - 3 * HOUR },
      )
      const choice = { orgId: world.org, projects: [world.shop] }
      value(await stores.write.resolve({ ...choice, ids: [await idOf('b')] }, anActor()))
      assert.deepEqual(await stores.read.countByProject(world.scope), [
        { projectId: world.shop, unresolved: 2, new: 1, regressed: 0, lastSeenMs: NOW - HOUR },
        { projectId: world.blog, unresolved: 1, new: 1, regressed: 0, lastSeenMs: NOW - 3 * HOUR },
      ])
      await send({ group: 'b', timestampMs: NOW, receivedMs: NOW + HOUR })
      assert.deepEqual(await stores.read.countByProject(world.shopScope), [
        { projectId: world.shop, unresolved: 3, new: 1, regressed: 1, lastSeenMs: NOW },
      ])
    })

    it('calls an issue new for seven days, unless somebody acted', async () => {
      const old = NOW - max('issueNewDays') * DAY
      await send(
        { group: 'old', timestampMs: old - 1 },
        { group: 'young', timestampMs: old },
        { group: 'seen' },
      )
      const choice = { orgId: world.org, projects: [world.shop], ids: [await idOf('seen')] }
      value(await stores.write.unresolve(choice, anActor()))
      assert.deepEqual(await found({ substatus: ['new'] }), ['young'])
      assert.deepEqual(await found({ substatus: ['ongoing'] }), ['old', 'seen'])
      assert.equal((await stores.read.issue(world.scope, String(await idOf('old'))))?.substatus, 'ongoing')
    })

    it('filters by assignee', async () => {
      const bo = await addMember(stores, { org: world.org, email: 'bo@example.com', role: 'member' })
      await send({ group: 'hers' }, { group: 'his' }, { group: 'nobody’s' })
      const choice = { orgId: world.org, projects: [world.shop] }
      value(await stores.write.assign({ ...choice, ids: [await idOf('hers')] }, world.owner, anActor()))
      value(await stores.write.assign({ ...choice, ids: [await idOf('his')] }, bo, anActor()))
      const by = (userId: typeof bo | null, negated = false) =>
        found({ assignees: [{ userIds: [userId], teamIds: [], negated }] })
      assert.deepEqual(await by(bo), ['his'])
      assert.deepEqual(await by(bo, true), ['hers', 'nobody’s'])
      assert.deepEqual(await by(null), ['nobody’s'])
      assert.deepEqual(await by(null, true), ['hers', 'his'])
    })

    it('finds text anywhere in title or culprit, in any case, and leaves out the negated', async () => {
      const titled = (group: string, title: string, culprit = 'GET /') => ({
        group,
        facts: { title, culprit },
      })
      await send(
        titled('cart', 'TypeError: Cannot read ÄPFEL', 'GET /cart'),
        titled('order', 'TypeError: total is not a function', 'POST /orders/[id]'),
        titled('percent', '100% of_all "quoted" OR NOT text*'),
        titled('kanji', '注文が見つかりません'),
      )
      assert.deepEqual(await found(text('typeerror')), ['cart', 'order'])
      assert.deepEqual(await found(text('äpfel')), ['cart'])
      assert.deepEqual(await found(text('ORDERS/[')), ['order'])
      assert.deepEqual(await found(text('annot re')), ['cart'])
      assert.deepEqual(await found(text('äp')), ['cart'])
      assert.deepEqual(await found(text('注文')), ['kanji'])
      assert.deepEqual(await found(text('見つかり')), ['kanji'])
      assert.deepEqual(await found(text('typeerror', true)), ['kanji', 'percent'])
      assert.deepEqual(await found(text('注文', true)), ['cart', 'order', 'percent'])
      const both = [
        { value: 'TypeError', negated: false },
        { value: 'cart', negated: true },
      ]
      assert.deepEqual(await found({ text: both }), ['order'])
      assert.deepEqual(await found(text('cart typeerror')), [])
    })

    it('takes every operator of a search syntax as text', async () => {
      await send({
        group: 'percent',
        facts: { title: '100% of_all "quoted" OR NOT text* (a) {b}: c^2 -x +y' },
      })
      await send({ group: 'plain', facts: { title: 'nothing of it' } })
      const literal = [
        '100%',
        '%',
        '_a',
        '"quoted"',
        '"',
        'OR NOT',
        'text*',
        '(a)',
        '{b}:',
        'c^2',
        '-x',
        '+y',
        "' OR",
      ]
      for (const part of literal.slice(0, -1)) assert.deepEqual(await found(text(part)), ['percent'], part)
      const hostile = [
        "' OR 1=1 --",
        '"" OR text : *',
        'NEAR(a b)',
        'text:',
        '*',
        '?*[',
        '\u0000\u0000\u0000',
        '\\',
        '\ud800ab',
      ]
      for (const part of hostile) {
        const expected = part === '*' || part === 'text:' ? undefined : []
        const answer = await found(text(part))
        if (expected !== undefined) assert.deepEqual(answer, expected, part)
        await found(text(part, true))
      }
    })

    it('filters by tags: values, prefixes, presence, and their negation', async () => {
      await send(
        { group: 'both', tags: { environment: 'production', release: 'shop@1.0' } },
        { group: 'both', tags: { environment: 'staging', release: 'shop@1.1' } },
        { group: 'live', tags: { environment: 'production' } },
        { group: 'none' },
      )
      assert.deepEqual(await found(tag('environment', 'production')), ['both', 'live'])
      assert.deepEqual(await found(tag('environment', 'Production')), [])
      assert.deepEqual(await found(tag('environment', 'stag*')), ['both'])
      assert.deepEqual(await found(tag('release', 'shop@*')), ['both'])
      assert.deepEqual(await found(tag('release', '*')), ['both'])
      assert.deepEqual(await found(tag('release', '*1.1')), ['both'])
      assert.deepEqual(await found(tag('release', 's*@*.0')), ['both'])
      assert.deepEqual(await found(tag('release', 's*?1.0')), [])
      assert.deepEqual(await found(tag('environment', '*duct*', true)), ['both', 'none'])
      assert.deepEqual(await found(tag('release', null)), ['both'])
      assert.deepEqual(await found(tag('environment', 'production', true)), ['both', 'none'])
      assert.deepEqual(await found(tag('environment', null, true)), ['none'])
      assert.deepEqual(await found(tag('release', 'shop@*', true)), ['live', 'none'])
      assert.deepEqual(await found(tag('unheard.of', 'x')), [])
      assert.deepEqual(await found(tag('unheard.of', 'x', true)), ['both', 'live', 'none'])
      assert.deepEqual(await found(tag("'; DROP TABLE issues; --", "' OR 1=1")), [])
      const tags = [
        { key: 'environment', value: 'production', negated: false },
        { key: 'release', value: null, negated: true },
      ]
      assert.deepEqual(await found({ tags }), ['live'])
    })

    it('asks for a tag within the range', async () => {
      await send(
        { group: 'moved', timestampMs: NOW - 5 * DAY, tags: { release: '1' } },
        { group: 'moved', timestampMs: NOW - HOUR, tags: { release: '2' } },
      )
      assert.deepEqual(await found({ ...tag('release', '1'), startMs: NOW - DAY }), [])
      assert.deepEqual(await found({ ...tag('release', '2'), startMs: NOW - DAY }), ['moved'])
      assert.deepEqual(await found(tag('release', '1')), ['moved'])
    })

    it('names bounds of the project or key asked for, and sums up all of them', async () => {
      const more = max('facetValuesPerProjectMax') + 1
      const busy = Array.from({ length: 8 }, (_, index) => `busy${index}`)
      const numbered = (keys: readonly string[], count: number, projectId: ProjectId) =>
        Array.from({ length: count }, (_, index) => {
          const tags = Object.fromEntries(keys.map((key) => [key, `${key} ${index}`]))
          return { projectId, tags }
        })
      await send(...numbered([...busy, 'environment'], more + 2, world.blog))
      await send(...numbered(['environment'], more, world.shop))
      const ask = (query: Partial<BoundsMetQuery>) =>
        stores.read.boundsMet(world.scope, { projects: null, key: null, limit: 3, ...query })
      const all = await ask({})
      assert.deepEqual(
        all.bounds.map(({ projectId }) => projectId),
        [world.blog, world.blog, world.blog],
      )
      assert.deepEqual([all.total, all.otherCount], [busy.length + 2, 3 * (busy.length + 1) + 1])
      const small = { projectId: world.shop, key: 'environment', otherCount: 1 }
      assert.deepEqual(await ask({ projects: [world.shop] }), { bounds: [small], total: 1, otherCount: 1 })
      const ofKey = await ask({ key: 'environment', limit: 1 })
      assert.deepEqual(ofKey, {
        bounds: [{ ...small, projectId: world.blog, otherCount: 3 }],
        total: 2,
        otherCount: 4,
      })
      assert.deepEqual(await ask({ projects: [] }), { bounds: [], total: 0, otherCount: 0 })
    })

    it('knows when facets cannot answer for a key', async () => {
      const values = max('facetValuesMax')
      const numbered = (count: number) =>
        Array.from({ length: count }, (_, index) => ({ tags: { order: `${index}` } }))
      await send(...numbered(values))
      assert.equal(await stores.read.facetsLack(world.scope, 'order'), false)
      await send({ tags: { order: 'one more' } }, { tags: { order: '0' } })
      assert.equal(await stores.read.facetsLack(world.scope, 'order'), true)
      assert.equal(await stores.read.facetsLack(world.scope, 'environment'), false)
      const [order] = await stores.read.tags(world.scope, await idOf('boom'), 1)
      assert.deepEqual([order?.total, order?.values[0]?.value, order?.values[0]?.count], [values + 2, '0', 2])
      assert.deepEqual([order?.values.length, order?.valuesKept, order?.otherCount], [1, values, 1])
      const keys = Object.fromEntries(
        Array.from({ length: max('facetKeysMax') }, (_, index) => [`k${index}`, 'v']),
      )
      await send({ group: 'wide', tags: keys })
      assert.equal(await stores.read.facetsLack(world.scope, 'late'), false)
      await send({ group: 'wide', tags: { late: 'x' } })
      assert.equal(await stores.read.facetsLack(world.scope, 'late'), true)
      assert.equal(await stores.read.facetsLack(world.scope, 'k1'), false)
    })
  })
}
