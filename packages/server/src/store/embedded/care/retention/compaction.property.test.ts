import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { issueId, type ProjectId } from '#base/ids.ts'
import { fileStem } from '#model/file-name.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aFilter } from '#testing/builders/issue-filter.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { DAY, NOW } from '#testing/builders/times.ts'
import { value } from '#testing/contract/control/stores.ts'
import {
  answers,
  aWorld,
  type Opened,
  setPeriod,
  store,
  storedSeqs,
  type World,
} from '#testing/worlds/retention.ts'

const PEOPLE = ['id:1', 'id:2', 'email:ada@example.com', 'ip:192.0.2.1']

const anEventShape = fc.record({
  isBlog: fc.boolean(),
  group: fc.constantFrom('a', 'b', 'c'),
  ageDays: fc.integer({ min: 0, max: 3 }),
  /** Sent so long after it happened. */
  lateMs: fc.constantFrom(0, 0.25, 90_000, 2 * DAY),
  retentionDays: fc.constantFrom(30 as const, 90 as const),
  people: fc.subarray(PEOPLE),
  tags: fc.constantFrom({}, { plan: 'free' }, { plan: 'team' }),
  title: fc.string({ maxLength: 12 }),
})

const aDeletion = fc.oneof(
  fc.record({
    kind: fc.constant('person' as const),
    person: fc.constantFrom(...PEOPLE),
    isBlog: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('issue' as const),
    number: fc.integer({ min: 1, max: 3 }),
    isBlog: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('merge' as const), isBlog: fc.boolean() }),
  fc.record({
    kind: fc.constant('period' as const),
    days: fc.integer({ min: 1, max: 4 }),
    isBlog: fc.boolean(),
  }),
)

async function change(
  opened: Opened,
  world: World,
  deletion: typeof aDeletion extends fc.Arbitrary<infer One> ? One : never,
): Promise<void> {
  const { org } = world
  const project: ProjectId = (deletion.isBlog ? world.blog : world.shop).projectId
  if (deletion.kind === 'period') return setPeriod(opened, { org, project, days: deletion.days })
  if (deletion.kind === 'person') {
    const { person } = deletion
    value(await opened.deletePerson({ orgId: org, projectId: project, person }, anActor()))
    return
  }
  const scope = scopeForTest({ orgId: org, projects: [project] })
  const filter = aFilter({ startMs: 0, endMs: Number.MAX_SAFE_INTEGER })
  const { rows } = await opened.house.reader.list(scope, filter, { sort: 'date', limit: 10, cursor: null })
  const chosen = rows[deletion.kind === 'merge' ? 1 : deletion.number - 1]
  if (chosen === undefined) return
  const named = { orgId: org, projects: [project], ids: [issueId(chosen.id)] }
  if (deletion.kind === 'merge') {
    const [into = chosen] = rows
    value(await opened.house.control.merge(named, issueId(into.id), anActor()))
    return
  }
  value(await opened.house.control.deleteIssues(named, anActor()))
  await opened.retention.refresh()
}

/** Events, deletions, and events again: then everything is asked, compacted, and asked again. */
async function holds(
  t: TestContext,
  parts: readonly [
    first: readonly (typeof anEventShape extends fc.Arbitrary<infer One> ? One : never)[],
    deletions: readonly (typeof aDeletion extends fc.Arbitrary<infer One> ? One : never)[],
    later: readonly (typeof anEventShape extends fc.Arbitrary<infer One> ? One : never)[],
  ],
): Promise<void> {
  const [first, deletions, later] = parts
  const world = await aWorld(t)
  const opened = await world.open()
  const sentOf = (shapes: typeof first) =>
    shapes.map(({ isBlog, ageDays, lateMs, people, ...shape }) => ({
      ...shape,
      people,
      user: people[0] ?? null,
      from: isBlog ? world.blog : world.shop,
      receivedMs: NOW - ageDays * DAY,
      timestampMs: NOW - ageDays * DAY - lateMs,
    }))
  const all = [...(await store(opened, sentOf(first), 3))]
  for (const deletion of deletions) await change(opened, world, deletion)
  all.push(...(await store(opened, sentOf(later), 2)))
  const before = await answers(opened, all)
  const shown = before.rows.map((row) => Number(row.seq)).sort((a, b) => a - b)
  // Compacting today alone, then all, is the same as all at once.
  await opened.retention.compactNow({ includeToday: false })
  assert.deepEqual(await answers(opened, all), before)
  await opened.retention.compactNow({ includeToday: true })
  assert.deepEqual(await answers(opened, all), before)
  const files = (await opened.house.telemetry.files()).map(fileStem)
  const uncounted = (await opened.house.control.uncountedFiles()).map(fileStem)
  assert.deepEqual(
    uncounted.filter((file) => files.includes(file)),
    [],
  )
  // What nobody can ask for is not there any more, in neither of the stores.
  assert.deepEqual(await storedSeqs(opened), { columns: shown, payloads: shown })
  const again = await world.open()
  assert.deepEqual(await answers(again, all), before)
}

describe('compaction', () => {
  it('removes exactly what queries hide, whatever was stored, merged and deleted before', async (t) => {
    const events = (minLength: number) => fc.array(anEventShape, { minLength, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(fc.tuple(events(1), fc.array(aDeletion, { maxLength: 4 }), events(0)), (parts) =>
        holds(t, parts),
      ),
      { numRuns: 2 },
    )
  })
})
