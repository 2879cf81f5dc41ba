/** Contract of searches with alternatives: times, assignees, and trees of conditions against a plain evaluation. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { manualClock } from '#base/clock.ts'
import { issueId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { IssueConditions, IssueFilter } from '#ports/issues.ts'
import { anActor } from '../../builders/actor.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { aFilter, someConditions } from '../../builders/issue-filter.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { HOUR, NOW } from '../../builders/times.ts'
import { PROPERTY_RUNS } from '../../property-runs.ts'
import { type ControlFactory, type ControlStores, value } from './stores.ts'
import { aControlWorld, type ControlWorld } from './world.ts'

interface Fact {
  readonly name: string
  readonly level: 'error' | 'warning'
  readonly type: string
  readonly env: string
  readonly count: number
  readonly lastMs: number
}

const FACTS: readonly Fact[] = Array.from({ length: 12 }, (_, index) => ({
  name: `issue ${String.fromCharCode(97 + index)}${index}`,
  level: index % 2 === 0 ? 'error' : 'warning',
  type: ['TypeError', 'RangeError', 'Error'][index % 3] ?? '',
  env: ['production', 'staging', 'preview', 'dev'][index % 4] ?? '',
  count: 1 + (index % 5),
  lastMs: NOW - index * HOUR,
}))

/** Single conditions, each with what it means. */
const LEAVES: readonly (readonly [Partial<IssueConditions>, (fact: Fact) => boolean])[] = [
  [{ levels: [{ value: 'error', negated: false }] }, ({ level }) => level === 'error'],
  [{ levels: [{ value: 'error', negated: true }] }, ({ level }) => level !== 'error'],
  [{ fields: [{ field: 'type', value: 'r*', negated: false }] }, ({ type }) => type === 'RangeError'],
  [{ fields: [{ field: 'type', value: 'error', negated: true }] }, ({ type }) => type !== 'Error'],
  [{ tags: [{ key: 'env', value: 'staging', negated: false }] }, ({ env }) => env === 'staging'],
  [{ tags: [{ key: 'env', value: 'p*', negated: true }] }, ({ env }) => !env.startsWith('p')],
  [{ tags: [{ key: 'nothing', value: null, negated: false }] }, () => false],
  [
    { counts: [{ of: 'events', least: 3, most: 4, negated: false }] },
    ({ count }) => count === 3 || count === 4,
  ],
  [{ text: [{ value: 'issue c', negated: false }] }, ({ name }) => name.startsWith('issue c')],
  [{ text: [{ value: 'e', negated: true }] }, ({ name }) => !name.includes('e')],
  [{ text: [{ value: 'issue*1', negated: false }] }, ({ name }) => name.includes('1')],
  [
    { times: [{ of: 'lastSeen', fromMs: NOW - 5 * HOUR, untilMs: NOW - HOUR, negated: false }] },
    ({ lastMs }) => lastMs >= NOW - 5 * HOUR && lastMs < NOW - HOUR,
  ],
  [{ status: ['resolved'] }, () => false],
  [{ status: ['unresolved'], substatus: ['new'] }, () => true],
  [{ groups: [] }, () => false],
  [{ issueIds: [] }, () => false],
]

/** A part of a search, and what it means of a fact. */
interface Part {
  readonly conditions: IssueConditions
  readonly means: (fact: Fact) => boolean
}

function partOf(leaves: readonly number[], either: readonly (readonly Part[])[]): Part {
  const own = leaves.flatMap((index) => LEAVES.slice(index, index + 1))
  // Each leaf is a choice of one, so that several of a field do not become “any of them”.
  const single = own.map(([one]) => [someConditions(one)])
  const choices = either.map((parts) => parts.map(({ conditions }) => conditions))
  return {
    conditions: someConditions({ either: [...single, ...choices] }),
    means: (fact) =>
      own.every(([, isSo]) => isSo(fact)) && either.every((parts) => parts.some(({ means }) => means(fact))),
  }
}

function partsOfDepth(depth: number): fc.Arbitrary<Part> {
  const leaves = fc.array(fc.nat(LEAVES.length - 1), { maxLength: 3 })
  if (depth === 0) return leaves.map((some) => partOf(some, []))
  const choice = fc.array(partsOfDepth(depth - 1), { maxLength: 3 })
  return fc.tuple(leaves, fc.array(choice, { maxLength: 2 })).map(([some, either]) => partOf(some, either))
}

export function issueChoicesContract(open: ControlFactory): void {
  describe('a search with alternatives', () => {
    let stores: ControlStores
    let world: ControlWorld
    before(async () => {
      stores = await open(manualClock(NOW))
      world = await aControlWorld(stores)
      const events = FACTS.flatMap(({ name, level, type, env, count, lastMs }) =>
        Array.from({ length: count }, () =>
          anEvent({
            ...{ projectId: world.shop, group: name, level, timestampMs: lastMs, tags: { env } },
            facts: { type, title: name, culprit: '', level },
          }),
        ),
      )
      await stores.write.applyBatch(aBatch(1, events))
    })
    after(() => stores.close())

    const found = async (change: Partial<IssueFilter>) => {
      const page = { sort: 'date', limit: 100, cursor: null } as const
      const { rows, total } = await stores.read.list(world.scope, aFilter(change), page)
      assert.equal(rows.length, total)
      return rows.map(({ title }) => title).sort()
    }

    it('holds where of each choice at least one holds, however deep, as a plain evaluation says', async () => {
      await fc.assert(
        fc.asyncProperty(partsOfDepth(max('searchDepthMax') - 2), async ({ conditions, means }) => {
          const names = FACTS.filter(means).map(({ name }) => name)
          assert.deepEqual(await found(conditions), names.toSorted())
          assert.equal((await stores.read.countByStatus(world.scope, aFilter(conditions))).all, names.length)
        }),
        { numRuns: Math.ceil(PROPERTY_RUNS / 5) },
      )
    })

    it('finds nothing by a choice of none, and projects within a choice', async () => {
      assert.deepEqual(await found({ either: [[]] }), [])
      const of = (project: typeof world.shop) =>
        found({ either: [[someConditions({ projects: [project] })]] })
      assert.equal((await of(world.shop)).length, FACTS.length)
      assert.deepEqual(await of(world.blog), [])
    })

    it('compares times of an issue’s whole life, whatever the range', async () => {
      const times = (fromMs: number | null, untilMs: number | null, negated = false) =>
        found({ times: [{ of: 'firstSeen', fromMs, untilMs, negated }] })
      assert.deepEqual(await times(NOW, null), ['issue a0'])
      assert.deepEqual(await times(null, NOW - 11 * HOUR), [])
      assert.deepEqual(await times(null, NOW - 10 * HOUR), ['issue l11'])
      assert.equal((await times(NOW - HOUR, NOW, true)).length, FACTS.length - 1)
      assert.deepEqual(await times(null, null, true), [])
    })

    it('takes any of the wanted assignees and none of the unwanted; marks are nobody’s', async () => {
      const ids = (await stores.read.list(world.scope, aFilter(), { sort: 'date', limit: 1, cursor: null }))
        .rows
      const change = { orgId: world.org, projects: [world.shop], ids: ids.map(({ id }) => issueId(id)) }
      value(await stores.write.assign(change, world.owner, anActor()))
      const by = (userIds: readonly (typeof world.owner | null)[], negated = false) =>
        found({ assignees: [{ userIds, teamIds: [], negated }] })
      assert.deepEqual(await by([world.owner]), ['issue a0'])
      assert.equal((await by([world.owner, null])).length, FACTS.length)
      assert.equal((await by([null])).length, FACTS.length - 1)
      assert.deepEqual(await by([null], true), ['issue a0'])
      assert.deepEqual(await by([]), [])
      assert.equal((await by([], true)).length, FACTS.length)
      const marked = (negated: boolean) =>
        found({ marks: [{ as: 'bookmarked', userId: world.owner, negated }] })
      assert.deepEqual([(await marked(false)).length, (await marked(true)).length], [0, FACTS.length])
    })
  })
}
