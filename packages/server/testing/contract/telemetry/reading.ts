import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { DAY_MS } from '#base/durations.ts'
import { day, type ProjectId, seq } from '#base/ids.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { FileName } from '#model/file-name.ts'
import type { Tombstone } from '#model/hidden.ts'
import { NOTHING_HIDDEN } from '#model/hidden.ts'
import { EVERY_ROW, type FiguresAsked } from '#ports/columns.ts'
import type { EventFilter, MatchingGroup } from '#ports/telemetry.ts'
import { BLOG, eventIdOf, GROUP_A, GROUP_B, SHOP } from '../../builders/ids.ts'
import { aScope } from '../../builders/scope.ts'
import { anEventRow, FIRST_DAY, placeInFile } from '../../builders/stored-event.ts'
import type { StoreUnderTest } from './store-under-test.ts'

const FILE: FileName = { kind: 'error', day: FIRST_DAY, retentionDays: 90 }
const LATER: FileName = { kind: 'error', day: day(FIRST_DAY + 1), retentionDays: 90 }
const T = 1_728_000_000_000

const ROWS: readonly EventRow[] = [
  row(1, {
    title: 'Checkout failed: 100% of_it',
    tags: [
      ['env', 'prod'],
      ['plan', 'gold*'],
    ],
  }),
  row(2, {
    title: 'checkout FAILED again',
    tags: [
      ['env', 'production'],
      ['plan', 'gold-1'],
      // What its column says too.
      ['release', 'shop@1.2.3'],
    ],
  }),
  row(3, {
    groupHash: GROUP_B,
    title: "It's Ünusual",
    details: ['stack.function=placeOrder', 'stack.function=total', 'error.value=a=b \x1d\x1b\n'],
    people: ['id:4', 'email:bo@example.com'],
    tags: [
      ['env', 'staging'],
      ['a=b', 'c=d'],
    ],
  }),
  row(4, { projectId: BLOG, title: 'Other project', tags: [['env', 'prod']] }),
  row(5, { ...placeInFile(LATER), groupHash: GROUP_B, title: 'No tags', people: [], tags: [] }),
  row(6, {
    ...placeInFile(LATER),
    tags: [
      ['env', 'p%'],
      ['quote', `'"\\`],
    ],
  }),
]

function nameOf({ projectId, hash }: MatchingGroup) {
  return { projectId, hash }
}

export function readingTests({ store, append }: StoreUnderTest): void {
  before(async () => {
    await append(ROWS, seq(6))
  })

  const find = async (filter: Partial<EventFilter>, projects = [SHOP, BLOG]): Promise<readonly number[]> => {
    const groups = [SHOP, BLOG].flatMap((projectId) =>
      [GROUP_A, GROUP_B].map((hash) => ({ projectId, hash })),
    )
    const page = await store().events(
      aScope(...projects),
      { groups, files: [LATER, FILE], ...filter },
      { limit: 100, cursor: null },
    )
    return page.rows.map(({ seq }) => seq)
  }

  it('shows rows of the groups that were asked for, newest first', async () => {
    assert.deepEqual(await find({}), [6, 5, 4, 3, 2, 1])
    assert.deepEqual(await find({ groups: [{ projectId: SHOP, hash: GROUP_B }] }), [5, 3])
    assert.deepEqual(await find({ groups: [] }), [])
    const twice = { projectId: SHOP, hash: GROUP_B }
    assert.deepEqual(await find({ groups: [twice, twice, { projectId: BLOG, hash: GROUP_A }] }), [5, 4, 3])
  })

  it('asks what rows say beside their tags, in any case, and a tag of that key', async () => {
    const by = (key: string, value: string | null, negated = false) =>
      find({ details: [{ key, value, negated }] })
    assert.deepEqual(await by('stack.function', 'TOTAL'), [3])
    assert.deepEqual(await by('stack.function', 'place*er'), [3])
    assert.deepEqual(await by('stack.function', 'place'), [])
    assert.deepEqual(await by('stack.function', null), [3])
    assert.deepEqual(await by('stack.function', 'total', true), [6, 5, 4, 2, 1])
    assert.deepEqual(await by('error.value', 'a=b \x1d\x1b\n'), [3])
    assert.deepEqual(await by('function', '*'), [])
    assert.deepEqual(await by('plan', 'gold-1'), [2])
  })

  it('takes of each choice at least one, within each its own times and texts', async () => {
    const env = (value: string) => ({ tags: [{ key: 'env', value, negated: false }] })
    assert.deepEqual(await find({ either: [[env('staging'), env('p%')]] }), [6, 3])
    assert.deepEqual(await find({ either: [[env('staging'), env('p%')], [{ text: 'unusual' }]] }), [])
    assert.deepEqual(await find({ either: [[{ ...env('prod'), either: [[{ text: 'checkout' }]] }]] }), [1])
    assert.deepEqual(await find({ either: [[{}]] }), [6, 5, 4, 3, 2, 1])
    assert.deepEqual(await find({ either: [[]] }), [])
    assert.deepEqual(await find({ textNot: ['checkout', 'no tags'] }), [6, 4, 3])
    const timestampMs = ROWS[0]?.timestampMs ?? 0
    assert.ok((await find({ either: [[{ startMs: timestampMs, endMs: timestampMs + 1 }]] })).includes(1))
    assert.deepEqual(await find({ either: [[{ endMs: 1 }]] }), [])
  })

  it('looks only into the files that were named', async () => {
    assert.deepEqual(await find({ files: [FILE] }), [4, 3, 2, 1])
    assert.deepEqual(await find({ files: [] }), [])
    assert.deepEqual(await find({ files: [LATER, LATER] }), [6, 5])
  })

  it('shows nothing of a project outside the scope, whichever way it is asked', async () => {
    assert.deepEqual(await find({}, [BLOG]), [4])
    assert.deepEqual(await find({}, []), [])
    const [first] = ROWS
    assert.ok(first !== undefined)
    assert.equal(await store().event(aScope(BLOG), FILE, SHOP, first.eventId), null)
    assert.equal((await store().event(aScope(SHOP), FILE, SHOP, first.eventId))?.seq, 1)
    assert.equal(await store().event(aScope(SHOP, BLOG), FILE, BLOG, first.eventId), null)
    const ofBlog = await store().groupsMatching(aScope(BLOG), { files: [LATER, FILE] }, 10)
    assert.deepEqual(ofBlog.map(nameOf), [{ projectId: BLOG, hash: GROUP_A }])
    assert.deepEqual(await store().groupsMatching(aScope(), { files: [LATER, FILE] }, 10), [])
    const groups = [{ projectId: SHOP, hash: GROUP_A }]
    assert.equal((await store().neighbours(aScope(BLOG), { groups, files: [FILE] }, first)).total, 0)
  })

  it('compares times as from inclusive, to exclusive', async () => {
    assert.deepEqual(await find({ startMs: T + 3, endMs: T + 5 }), [4, 3])
    assert.deepEqual(await find({ startMs: T + 7 }), [])
    assert.deepEqual(await find({ endMs: T + 1 }), [])
  })

  const tags: readonly [key: string, value: string | null, negated: boolean, seqs: readonly number[]][] = [
    ['env', 'prod', false, [4, 1]],
    ['env', 'prod', true, [6, 5, 3, 2]],
    ['env', 'prod*', false, [4, 2, 1]],
    ['env', 'prod*', true, [6, 5, 3]],
    ['env', null, false, [6, 4, 3, 2, 1]],
    ['env', null, true, [5]],
    ['env', '*', false, [6, 4, 3, 2, 1]],
    ['env', 'p%', false, [6]],
    ['env', 'p%*', false, [6]],
    ['env', 'p_od', false, []],
    ['plan', 'gold*', false, [2, 1]],
    ['plan', '*-1', false, [2]],
    ['plan', 'g*d*', false, [2, 1]],
    ['plan', 'g.ld*1', false, []],
    ['env', '*d', false, [4, 1]],
    ['env', 'p*d', true, [6, 5, 3, 2]],
    ['env', 'prod*gold', false, []],
    ['a=b', '*=d', false, [3]],
    ['quote', `*"*`, false, [6]],
    ['release', 'shop@*.3', false, [2]],
    ['release', '*@1.2.3', true, [6, 5, 4, 3, 1]],
    ['release', '*@1.2', false, []],
    ['a=b', 'c=d', false, [3]],
    ['a', 'b=c=d', false, []],
    ['a=b', null, false, [3]],
    ['quote', `'"\\`, false, [6]],
    ['', '', false, []],
    ["' OR 1=1 --", "' OR 1=1 --", false, []],
  ]
  for (const [key, value, negated, seqs] of tags) {
    it(`finds ${negated ? 'not ' : ''}${JSON.stringify(key)}: ${JSON.stringify(value)} in tags`, async () => {
      assert.deepEqual(await find({ tags: [{ key, value, negated }] }), seqs)
    })
  }

  const among: readonly [
    key: string,
    pairs: readonly [ProjectId, string][],
    negated: boolean,
    seqs: readonly number[],
  ][] = [
    [
      'env',
      [
        [SHOP, 'prod'],
        [SHOP, 'staging'],
      ],
      false,
      [3, 1],
    ],
    [
      'env',
      [
        [BLOG, 'prod'],
        [SHOP, 'p%'],
      ],
      false,
      [6, 4],
    ],
    ['env', [[BLOG, 'prod']], true, [6, 5, 3, 2, 1]],
    ['release', [[SHOP, 'shop@1.2.3']], false, [2]],
    ['release', [[BLOG, 'shop@1.2.3']], false, []],
    ['a=b', [[SHOP, 'c=d']], false, [3]],
    ['env', [], false, []],
    ['env', [], true, [6, 5, 4, 3, 2, 1]],
  ]
  for (const [key, pairs, negated, seqs] of among) {
    it(`finds ${negated ? 'not ' : ''}${key} among ${JSON.stringify(pairs)}`, async () => {
      const value = pairs.map(([projectId, text]) => ({ projectId, value: text }))
      assert.deepEqual(await find({ tags: [{ key, value, negated }] }), seqs)
    })
  }

  const people: readonly [names: readonly string[], negated: boolean, seqs: readonly number[]][] = [
    [['id:42'], false, [6, 4, 2, 1]],
    [['email:ada@example.com'], false, [6, 4, 2, 1]],
    [['email:ada@example.co'], false, []],
    [['id:4', 'email:4'], false, [3]],
    [['id:42', 'id:4'], false, [6, 4, 3, 2, 1]],
    [['id:42'], true, [5, 3]],
    [['email:*@example.com'], false, [6, 4, 3, 2, 1]],
    [['email:*@example.com'], true, [5]],
    [['id:*example.com'], false, []],
  ]
  for (const [names, negated, seqs] of people) {
    it(`finds ${negated ? 'not ' : ''}${names.join(' or ')} among an event’s people`, async () => {
      assert.deepEqual(await find({ people: [{ names, negated }] }), seqs)
    })
  }

  it('meets all conditions at once', async () => {
    const gold = { key: 'plan', value: 'gold*', negated: false }
    assert.deepEqual(await find({ tags: [gold, { key: 'env', value: 'prod', negated: true }] }), [2])
  })

  const texts: readonly [text: string, seqs: readonly number[]][] = [
    ['checkout failed', [2, 1]],
    ['100%', [1]],
    ['CHECK*failed', [2, 1]],
    ['failed*check', []],
    ['f_it*', [1]],
    ['0% of_', [1]],
    ['%', [1]],
    ["it's ünus", [3]],
    ['\\', []],
    ['', [6, 5, 4, 3, 2, 1]],
  ]
  for (const [text, seqs] of texts) {
    it(`finds ${JSON.stringify(text)} in titles, whatever the case`, async () => {
      assert.deepEqual(await find({ text }), seqs)
    })
  }

  it('names the groups that have a matching event, at most as many as asked for', async () => {
    const matching = (filter: Partial<EventFilter>, limit = 10) =>
      store().groupsMatching(aScope(SHOP), { files: [LATER, FILE], ...filter }, limit)
    const staging = await matching({ tags: [{ key: 'env', value: 'staging', negated: false }] })
    const atMs = ROWS[2]?.timestampMs ?? 0
    assert.deepEqual(staging, [{ projectId: SHOP, hash: GROUP_B, events: 1, firstMs: atMs, lastMs: atMs }])
    const named = (value: string, negated = false) => matching({ named: [{ value, negated }] })
    assert.deepEqual(
      (await named('checkout')).map(({ hash, events }) => [hash, events]),
      [[GROUP_A, 2]],
    )
    assert.deepEqual((await named('checkout', true)).map(({ events }) => events).toSorted(), [1, 2])
    const ofGroups = [{ projectId: SHOP, hash: GROUP_B }]
    assert.deepEqual(
      (await matching({ ofGroups })).map(({ events }) => events),
      [2],
    )
    assert.deepEqual(await matching({ ofGroups: [] }), [])
    assert.equal((await matching({})).length, 2)
    assert.equal((await matching({}, 1)).length, 1)
    assert.deepEqual(await matching({ text: 'nowhere' }), [])
  })

  it('counts what rows say of a key beside their tags, most frequent first, as far as it is shown', async () => {
    const asked = (key: string, prefix = '') => ({ key, prefix, limit: 10 })
    const counted = (key: string, prefix = '', scope = aScope(SHOP)) =>
      store().detailValues(scope, { files: [LATER, FILE] }, asked(key, prefix))
    const anywhere = (text: string) =>
      store().detailValues(
        aScope(SHOP),
        { files: [LATER, FILE] },
        { ...asked('stack.function', text), isAnywhere: true },
      )
    assert.deepEqual(await counted('error.value'), [{ value: 'a=b \x1d\x1b\n', count: 1 }])
    assert.deepEqual((await counted('stack.function')).map(({ value }) => value).toSorted(), [
      'placeOrder',
      'total',
    ])
    assert.deepEqual(await counted('stack.function', 'PLACE'), [{ value: 'placeOrder', count: 1 }])
    assert.deepEqual(await counted('stack.function', 'order'), [])
    assert.deepEqual(await anywhere('order'), [{ value: 'placeOrder', count: 1 }])
    assert.deepEqual(await anywhere('orders'), [])
    assert.deepEqual(await counted('stack'), [], 'a key, not the beginning of one')
    assert.deepEqual(await counted('stack.function', '', aScope()), [])
    const told = ROWS.find(({ details }) => (details ?? []).length > 0)
    assert.ok(told !== undefined)
    const tombstones = [{ projectId: SHOP, hash: told.groupHash, upToSeq: seq(100) }]
    await store().setHidden({ ...NOTHING_HIDDEN, tombstones })
    assert.deepEqual(await counted('stack.function'), [])
    await store().setHidden({ ...NOTHING_HIDDEN, tombstones: [] })
  })

  it('counts events by what they have and by time, and lists those of any group', async () => {
    const scope = aScope(SHOP, BLOG)
    const files = [LATER, FILE]
    const asked: FiguresAsked = {
      ...{ ask: 'figures', dataset: 'errors', files, range: { startMs: 0, endMs: T + 10 * DAY_MS } },
      ...{ where: EVERY_ROW, ofEvents: { groups: null }, by: [], stepMs: null, limit: 10 },
      figures: [{ is: 'unique', of: { column: 'user' } }],
    }
    const count = async (change: Partial<FiguresAsked> = {}, of = scope) =>
      (await store().ask(of, { ...asked, ...change })).groups
    const byGroup = await count({ by: [{ column: 'projectId' }, { column: 'groupHash' }] })
    assert.deepEqual(
      byGroup.map(({ values, rows, figures }) => [...values, rows, ...figures]),
      [
        [SHOP, GROUP_A, 3, 1],
        [SHOP, GROUP_B, 2, 1],
        [BLOG, GROUP_A, 1, 1],
      ],
    )
    assert.deepEqual(
      (await count({}, aScope(SHOP))).map(({ rows }) => rows),
      [5],
    )
    const ofEvents = { groups: [{ projectId: SHOP, hash: GROUP_B }] }
    const titles = await count({ ofEvents, by: [{ column: 'title' }], limit: 1 })
    assert.deepEqual(
      titles.map(({ rows }) => rows),
      [1],
    )
    const named = await count({ ofEvents: { groups: null, text: 'checkout' } })
    assert.deepEqual(
      named.map(({ rows }) => rows),
      [2],
    )
    assert.deepEqual(await count({}, aScope()), [])
    const steps = await count({ range: { startMs: T, endMs: T + 10 * DAY_MS }, stepMs: DAY_MS })
    assert.equal(
      steps.reduce((sum, { rows }) => sum + rows, 0),
      6,
    )
    const page = { limit: 10, cursor: null }
    assert.equal((await store().events(aScope(SHOP), { groups: null, files }, page)).rows.length, 5)
    const newest = await store().events(scope, { groups: null, files }, { limit: 2, cursor: null })
    const next = await store().events(
      scope,
      { groups: null, files },
      { limit: 10, cursor: newest.nextCursor },
    )
    assert.equal(next.rows.length, 4)
    const tombstones = [{ projectId: SHOP, hash: GROUP_B, upToSeq: seq(100) }]
    await store().setHidden({ ...NOTHING_HIDDEN, tombstones })
    assert.equal((await count())[0]?.rows, 4)
    assert.equal((await store().events(aScope(SHOP), { groups: null, files }, page)).rows.length, 3)
    await store().setHidden({ ...NOTHING_HIDDEN, tombstones: [] })
  })

  it('hides what a tombstone covers from every read, and shows what came after it', async () => {
    const [first, , third] = ROWS
    assert.ok(first !== undefined && third !== undefined)
    const bury = (...tombstones: readonly Tombstone[]) => store().setHidden({ ...NOTHING_HIDDEN, tombstones })
    await bury({ projectId: SHOP, hash: GROUP_A, upToSeq: seq(2) })
    assert.deepEqual(await find({}), [6, 5, 4, 3])
    assert.equal(await store().event(aScope(SHOP), FILE, SHOP, first.eventId), null)
    const left = await store().groupsMatching(aScope(SHOP), { files: [FILE] }, 10)
    assert.deepEqual(left.map(nameOf), [{ projectId: SHOP, hash: GROUP_B }])
    await bury(
      { projectId: SHOP, hash: null, upToSeq: seq(3) },
      { projectId: SHOP, hash: GROUP_B, upToSeq: seq(1) },
      { projectId: BLOG, hash: null, upToSeq: seq(100) },
    )
    assert.deepEqual(await find({}), [6, 5])
    assert.equal(await store().event(aScope(SHOP), FILE, SHOP, third.eventId), null)
    assert.equal((await store().groupsMatching(aScope(SHOP, BLOG), { files: [FILE, LATER] }, 10)).length, 2)
    assert.deepEqual(await store().groupsMatching(aScope(SHOP, BLOG), { files: [FILE] }, 10), [])
    const groups = [{ projectId: SHOP, hash: GROUP_B }]
    assert.equal((await store().neighbours(aScope(SHOP), { groups, files: [LATER, FILE] }, third)).total, 1)
    await bury()
    assert.deepEqual(await find({}), [6, 5, 4, 3, 2, 1])
  })
}

function row(number: number, changed: Partial<EventRow>): EventRow {
  return anEventRow({
    ...placeInFile(FILE),
    seq: seq(number),
    eventId: eventIdOf(number),
    timestampMs: T + number,
    ...changed,
  })
}
