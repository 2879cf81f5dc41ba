import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { dayOf } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { anActor } from '#testing/builders/actor.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { DAY, NOW } from '#testing/builders/times.ts'
import { refusal, value } from '#testing/contract/control/stores.ts'
import {
  answers,
  aWorld,
  filesIn,
  type Opened,
  setPeriod,
  store,
  storedSeqs,
  type World,
} from '#testing/worlds/retention.ts'
import { FilesHeld } from '../files-held.ts'
import { COMPACTION_STEPS, REMOVAL_STEPS, type UpkeepStep } from './types.ts'

class Interrupted extends Error {}

/** Sends one event a day for so many days up to today, in one class. */
function daily(world: World, days: number, change: object = {}) {
  return Array.from({ length: days }, (_, index) => {
    const receivedMs = NOW - (days - 1 - index) * DAY
    return { from: world.shop, name: `day ${index}`, group: `group ${index % 3}`, receivedMs, ...change }
  })
}

async function seqsShown(opened: Opened, all: Awaited<ReturnType<typeof store>>): Promise<readonly number[]> {
  return (await answers(opened, all)).rows.map((row) => row.seq).sort((a, b) => a - b)
}

const AREAS = ['columns', 'payloads', 'event-ids'] as const

const valuesOf = async (found: Promise<readonly { readonly value: string }[]>) =>
  (await found).map(({ value }) => value)

describe('retention by age', () => {
  it('unlinks the files of a class once their day is older than it, and no other', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    await setPeriod(opened, { org: world.org, project: world.shop.projectId, days: 30 })
    const month = await store(opened, daily(world, 3, { retentionDays: 30 }))
    const quarter = await store(opened, daily(world, 3, { from: world.blog, retentionDays: 90 }))
    world.clock.advance(31 * DAY - 3 * DAY)
    assert.equal((await opened.retention.retain()).files, 0)
    world.clock.advance(DAY)
    assert.equal((await opened.retention.retain()).files, 1)
    assert.deepEqual(await seqsShown(opened, month), [2, 3])
    world.clock.advance(2 * DAY)
    const run = await opened.retention.retain()
    assert.equal(run.files, 2)
    assert.ok(run.freedBytes > 0)
    assert.deepEqual(await seqsShown(opened, [...month, ...quarter]), [4, 5, 6])
    for (const area of AREAS) {
      assert.ok((await filesIn(world.directory, area)).every((name) => !/\.30\./.test(name)))
    }
    const removals = (await opened.house.reader.upkeepDone(10)).removals
    assert.deepEqual(
      removals.map(({ reason, endedMs }) => [reason, endedMs !== null]),
      [1, 2, 3].map(() => ['age', true]),
    )
    assert.equal((await opened.house.reader.upkeepDone(1)).runs[0]?.files, 2)
  })

  it('takes what the control store keeps of the file and of old hours, and keeps issues', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    await store(opened, daily(world, 2, { retentionDays: 30, group: 'one' }))
    world.clock.advance(200 * DAY)
    await opened.retention.retain()
    const scope = scopeForTest({ orgId: world.org, projects: [world.shop.projectId] })
    const issue = await opened.house.reader.issue(scope, 'SHOP-1')
    assert.equal(issue?.eventCount, 2)
    const [group] = await opened.house.reader.groups(scope, issue.id)
    assert.deepEqual(group?.files, [])
    const trend = await opened.house.reader.trend(scope, issue.id, {
      startMs: NOW - 3 * DAY,
      endMs: NOW + DAY,
      stepMs: DAY,
    })
    assert.equal(
      trend.counts.reduce((sum, count) => sum + count, 0),
      0,
    )
  })

  it('hides at once what is older than an odd period, shows it again under a longer one, and compacts it away', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    const all = await store(opened, daily(world, 12))
    const other = await store(opened, [{ from: world.blog, name: 'other', receivedMs: NOW - 11 * DAY }])
    assert.equal((await seqsShown(opened, all)).length, 12)
    await setPeriod(opened, { org: world.org, project: world.shop.projectId, days: 5 })
    assert.deepEqual(
      await seqsShown(opened, all),
      all.slice(6).map(({ seq }) => seq),
    )
    await setPeriod(opened, { org: world.org, project: world.shop.projectId, days: 90 })
    assert.equal((await seqsShown(opened, all)).length, 12)
    await setPeriod(opened, { org: world.org, project: world.shop.projectId, days: 5 })
    await opened.retention.compactNow({ includeToday: false })
    const kept = [...all.slice(6), ...other].map(({ seq }) => Number(seq))
    assert.deepEqual(await storedSeqs(opened), { columns: kept, payloads: kept })
    // Files without an event left are gone as files: all of the shop's old days but the one that the blog shares.
    assert.equal((await opened.house.telemetry.files()).length, 7)
    assert.equal((await opened.house.segments.files()).length, 7)
  })

  for (const step of REMOVAL_STEPS) {
    it(`leaves nothing inconsistent when it fails at "${step}", neither running on nor started again`, async (t) => {
      const world = await aWorld(t)
      let failing = true
      const change = {
        onStep: (at: UpkeepStep) => {
          if (failing && at === `remove:${step}`) throw new Interrupted(at)
        },
      }
      const opened = await world.open(change)
      await setPeriod(opened, { org: world.org, project: world.shop.projectId, days: 30 })
      const all = await store(opened, daily(world, 3, { retentionDays: 30 }))
      world.clock.advance(29 * DAY)
      await assert.rejects(opened.retention.retain(), Interrupted)
      assert.equal((await opened.house.reader.upkeepDone(1)).runs[0]?.failure, `remove:${step}`)
      failing = step === 'payloads'
      const again = failing ? await world.open() : opened
      failing = false
      if (again === opened) await opened.retention.retain()
      assert.deepEqual(await seqsShown(again, all), [2, 3])
      for (const area of ['columns', 'payloads'] as const) {
        const names = await filesIn(world.directory, area)
        assert.equal(names.filter((name) => /\.(seg|duckdb)$/.test(name)).length, 2)
      }
      assert.deepEqual(await again.house.control.openRemovals(), [])
      assert.deepEqual((await again.retention.overview()).missingColumns, [])
    })
  }
})

describe('retention by bytes', () => {
  it('removes the oldest files first across classes, never the newest day, and tells', async (t) => {
    const world = await aWorld(t)
    const before = await world.open()
    await store(before, [
      ...daily(world, 3, { retentionDays: 365 }),
      ...daily(world, 4, { name: undefined, retentionDays: 30 }),
    ])
    await store(before, [{ from: world.shop, group: 'big', receivedMs: NOW, title: 'x'.repeat(5_000) }])
    const opened = await world.open({ maxDiskBytes: 1 })
    const run = await opened.retention.retain()
    assert.equal(run.failure, null)
    const today = dayOf(NOW)
    assert.ok((await opened.house.telemetry.files()).every(({ day }) => day === today))
    const removals = (await opened.house.reader.upkeepDone(20)).removals.toReversed()
    assert.deepEqual(
      removals.map(({ file, reason }) => [today - file.day, file.retentionDays, reason]),
      [
        [3, 30, 'disk'],
        [2, 30, 'disk'],
        [2, 365, 'disk'],
        [1, 30, 'disk'],
        [1, 365, 'disk'],
      ],
    )
    const scope = scopeForTest({ orgId: world.org, projects: [world.shop.projectId] })
    assert.ok((await opened.house.reader.issue(scope, 'SHOP-1')) !== null)
    const { usedBytes, daysLeft } = await opened.retention.overview()
    assert.ok(usedBytes > 1)
    assert.equal(daysLeft, 1)
  })

  it('removes no more than it must', async (t) => {
    const world = await aWorld(t)
    const before = await world.open()
    await store(before, daily(world, 5))
    // Closing folds logs in: sizes settle.
    const { usedBytes } = await (await world.open()).retention.overview()
    const opened = await world.open({ maxDiskBytes: usedBytes - 1 })
    assert.equal((await opened.retention.retain()).files, 1)
    assert.equal((await opened.retention.retain()).files, 0)
  })
})

describe('compaction', () => {
  it('changes no answer, rewrites a file once, and again when something came to it', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    const all = [
      ...(await store(opened, daily(world, 3))),
      ...(await store(opened, daily(world, 3, { name: undefined }))),
    ]
    const before = await answers(opened, all)
    const today = (await opened.house.telemetry.files()).length
    assert.equal(today, 3)
    assert.equal((await opened.retention.compact()).files, 2)
    assert.deepEqual(await answers(opened, all), before)
    assert.equal((await opened.retention.compact()).files, 0)
    const late = await store(opened, [{ from: world.shop, name: 'late', receivedMs: NOW - DAY }])
    assert.equal((await opened.retention.compact()).files, 1)
    assert.equal((await opened.retention.compactNow({ includeToday: true })).files, 1)
    const after = await answers(opened, [...all, ...late])
    const reopened = await world.open()
    assert.deepEqual(await answers(reopened, [...all, ...late]), after)
    assert.equal((await reopened.retention.compactNow({ includeToday: true })).files, 0)
  })

  it('counts what is in the files of an older version, the day that is not over excepted', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    const { control, telemetry } = opened.house
    const all = await store(opened, daily(world, 3))
    const before = await answers(opened, all)
    const files = await telemetry.files()
    for (const file of files) {
      const { groups } = await control.groupsInFile(file, 0, 100)
      await control.setContents(
        file,
        groups.map(({ id }) => ({ id, holds: 'unknown' })),
      )
    }
    assert.equal((await control.uncountedFiles()).length, files.length)
    assert.deepEqual(await answers(opened, all), before)
    await opened.retention.compact()
    assert.deepEqual(await control.uncountedFiles(), files.slice(0, 1))
    assert.deepEqual(await answers(opened, all), before)
  })

  it('takes over what is committed while it works, and what is not yet applied', async (t) => {
    const world = await aWorld(t)
    let later: Promise<unknown> = Promise.resolve()
    let all: Awaited<ReturnType<typeof store>> = []
    const opened = await world.open({
      guard: async (exchange) => {
        if (all.length === 40) all = [...all, ...(await store(opened, many(40)))]
        later = Promise.all([later, exchange()])
        await later
      },
    })
    const many = (from: number) =>
      Array.from({ length: 40 }, (_, index) => ({
        ...{ from: world.shop, name: `event ${from + index}`, group: `group ${index % 7}` },
        receivedMs: NOW,
      }))
    all = await store(opened, many(0))
    await opened.retention.compactNow({ includeToday: true })
    assert.equal(all.length, 80)
    const shown = await answers(opened, all)
    assert.equal(shown.rows.length, 80)
    assert.ok(shown.each.every(({ payload }) => payload !== null))
    // The tail has blocks of its own: a cut at what is applied leaves all of it.
    await opened.house.commit.recover()
    assert.deepEqual(await answers(opened, all), shown)
    await opened.retention.compactNow({ includeToday: true })
    assert.deepEqual(await answers(opened, all), shown)
  })

  for (const step of COMPACTION_STEPS) {
    it(`leaves nothing inconsistent when it fails at "${step}", and removes what is deleted all the same`, async (t) => {
      const world = await aWorld(t)
      let failing = true
      const change = {
        onStep: (at: UpkeepStep) => {
          if (failing && at === `compact:${step}`) throw new Interrupted(at)
        },
      }
      const opened = await world.open(change)
      const all = await store(opened, daily(world, 3, { people: ['id:1'], user: 'id:1' }))
      value(await opened.deletePerson(person(world, 'id:1'), anActor()))
      const before = await answers(opened, all)
      await assert.rejects(opened.retention.compactNow({ includeToday: true }), Interrupted)
      assert.deepEqual(await answers(opened, all), before)
      failing = false
      const again = await world.open()
      assert.deepEqual(await answers(again, all), before)
      await again.retention.compactNow({ includeToday: true })
      assert.deepEqual(await storedSeqs(again), { columns: [], payloads: [] })
      assert.deepEqual(await again.house.telemetry.files(), [])
    })
  }

  it('leaves the old file where the new one is cut short, and clears away what is left', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open({
      guard: async () => {
        throw new FilesHeld('a backup is being made')
      },
    })
    const all = await store(opened, daily(world, 2))
    const before = await answers(opened, all)
    assert.equal((await opened.retention.compact()).files, 0)
    assert.deepEqual(await answers(opened, all), before)
    assert.ok((await filesIn(world.directory, 'payloads')).every((name) => !name.endsWith('.new')))
    // What an end in the middle leaves.
    const [name] = await filesIn(world.directory, 'payloads')
    writeFileSync(join(world.directory, 'payloads', `${name}.new`), 'begun')
    const again = await world.open()
    assert.ok((await filesIn(world.directory, 'payloads')).every((name) => !name.endsWith('.new')))
    assert.deepEqual(await answers(again, all), before)
  })

  it('forgets a deletion when nothing of it is left, and not before', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    const events = daily(world, 2, { people: ['ip:192.0.2.9'], user: 'ip:192.0.2.9' })
    await store(opened, events)
    value(await opened.deletePerson(person(world, 'ip:192.0.2.9'), anActor(NOW)))
    await opened.retention.compact()
    assert.equal((await opened.retention.overview()).pendingDeletions, 1)
    world.clock.advance(DAY)
    await store(opened, [{ from: world.shop, receivedMs: NOW + DAY }])
    await opened.retention.compact()
    assert.equal((await opened.retention.overview()).pendingDeletions, 0)
    assert.deepEqual((await opened.house.control.hidden()).people, [])
    assert.deepEqual((await storedSeqs(opened)).columns, [3])
  })

  it('tells of files that are missing on one side', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    await store(opened, daily(world, 2))
    await opened.house.close()
    const [columns] = await filesIn(world.directory, 'columns')
    rmSync(join(world.directory, 'columns', columns ?? ''))
    const again = await world.open()
    const { missingColumns, missingPayloads } = await again.retention.overview()
    assert.deepEqual(
      missingColumns.map(({ day }) => day),
      [dayOf(NOW - DAY)],
    )
    assert.deepEqual(missingPayloads, [])
  })
})

function person(world: World, name: string) {
  return { orgId: world.org, projectId: world.shop.projectId, person: name }
}

describe('deleting a person’s data', () => {
  const ada = { people: ['id:1', 'email:ada@example.com'], user: 'id:1', tags: { user: 'id:1' } }
  const bob = { people: ['id:2', 'ip:192.0.2.2'], user: 'id:2', tags: { user: 'id:2' } }

  it('hides the person’s events of the project from every query at once, whatever names the person', async (t) => {
    for (const name of ['id:1', 'email:ada@example.com']) {
      const world = await aWorld(t)
      const opened = await world.open()
      const mine = await store(opened, [
        { from: world.shop, group: 'both', ...ada },
        { from: world.shop, group: 'both', ...bob },
        { from: world.shop, group: 'hers', ...ada, receivedMs: NOW - 5 * DAY },
        { from: world.blog, group: 'both', ...ada },
      ])
      assert.equal((await opened.house.telemetry.personEvents(world.shop.projectId, name)).events, 2)
      assert.deepEqual(value(await opened.deletePerson(person(world, name), anActor())), {
        events: 2,
      })
      const said = await answers(opened, mine)
      assert.deepEqual(said.rows.map((row) => Number(row.seq)).sort(), [2, 4])
      assert.equal(said.each.length, 2)
      assert.equal(said.matching.length, 2)
      assert.equal((await opened.house.telemetry.personEvents(world.shop.projectId, name)).events, 0)
      const [fresh] = await store(opened, [{ from: world.shop, group: 'both', ...ada }])
      assert.ok(fresh !== undefined)
      assert.equal((await answers(opened, [fresh])).each.length, 1)
    }
  })

  it('takes events and name out of counts, users and tag values, and writes an entry without the name', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    await store(opened, [
      { from: world.shop, group: 'both', ...ada },
      { from: world.shop, group: 'both', ...ada, tags: { user: 'id:1', contact: 'Ada@example.com' } },
      { from: world.shop, group: 'both', ...bob },
    ])
    const { reader } = opened.house
    const scope = scopeForTest({ orgId: world.org, projects: [world.shop.projectId] })
    const before = await reader.issue(scope, 'SHOP-1')
    assert.deepEqual(before?.users, { count: 2, isExact: true })
    value(await opened.deletePerson(person(world, 'email:ada@example.com'), anActor()))
    const after = await reader.issue(scope, 'SHOP-1')
    assert.deepEqual([after?.eventCount, after?.users], [1, { count: 1, isExact: true }])
    const tags = await reader.tags(scope, before.id, 10)
    assert.deepEqual(
      tags
        .toSorted((a, b) => b.total - a.total)
        .map(({ key, total, otherCount, values }) => [
          key,
          total,
          otherCount,
          values.map((each) => each.value),
        ]),
      [['user', 1, 0, ['id:2']]],
    )
    assert.deepEqual(await valuesOf(reader.facetValues(scope, 'user', '', 10)), ['id:2'])
    assert.deepEqual(await valuesOf(reader.facetValues(scope, 'contact', '', 10)), [])
    const [entry] = await reader.audit(scope, { limit: 1, before: null })
    assert.deepEqual(
      [entry?.action, entry?.detail],
      ['person.deleted', { by: 'email', events: 2, groups: 1 }],
    )
    assert.doesNotMatch(JSON.stringify(entry), /ada/i)
  })

  it('takes names out of suggestions that no group keeps, and of what outlived its events', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    const { reader } = opened.house
    const scope = scopeForTest({ orgId: world.org, projects: [world.shop.projectId] })
    const named = (name: string) => ({ people: [name], user: name, tags: { user: name } })
    const kept = max('facetValuesMax')
    const crowd = Array.from({ length: kept + 5 }, (_, index) => named(`email:u${index}@example.com`))
    await store(
      opened,
      crowd.map((one) => ({ from: world.shop, group: 'busy', ...one })),
      100,
    )
    const last = `email:u${kept + 4}@example.com`
    assert.deepEqual(await valuesOf(reader.facetValues(scope, 'user', last, 10)), [last])
    value(await opened.deletePerson(person(world, last), anActor()))
    assert.deepEqual(await valuesOf(reader.facetValues(scope, 'user', last, 10)), [])

    await store(opened, [
      { from: world.shop, group: 'old', retentionDays: 30, ...named('email:ada@example.com') },
    ])
    world.clock.advance(100 * DAY)
    await opened.retention.retain()
    const deleted = await opened.deletePerson(person(world, 'email:ada@example.com'), anActor())
    assert.deepEqual(value(deleted), { events: 0 })
    assert.deepEqual(await valuesOf(reader.facetValues(scope, 'user', 'email:ada', 10)), [])
    const issue = await reader.issue(scope, 'SHOP-2')
    assert.deepEqual(issue?.users, { count: 0, isExact: true })
    const [tag] = await reader.tags(scope, issue.id, 10)
    assert.deepEqual([tag?.values, tag?.total, tag?.otherCount], [[], 1, 1])
  })

  it('takes out every name of the deleted events that no other event bears', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    const { reader } = opened.house
    const scope = scopeForTest({ orgId: world.org, projects: [world.shop.projectId] })
    const people = ['id:Abc', 'email:ada@example.com', 'ip:192.0.2.7', 'ip:192.0.2.8']
    const tags = { user: 'id:Abc', contact: 'Ada@example.com', client: '192.0.2.7', gate: '192.0.2.8' }
    await store(opened, [
      { from: world.shop, people, user: 'id:Abc', tags },
      // Of another person, behind one of the addresses; in the other group somebody is told apart by case.
      { from: world.shop, people: ['ip:192.0.2.8'], user: 'ip:192.0.2.8', tags: { gate: '192.0.2.8' } },
      { from: world.shop, group: 'other', people: ['id:abc'], user: 'id:abc', tags: { user: 'id:abc' } },
      { from: world.blog, people, user: 'id:Abc', tags },
    ])
    value(await opened.deletePerson(person(world, 'id:Abc'), anActor()))
    const values = async (key: string) => await valuesOf(reader.facetValues(scope, key, '', 10))
    assert.deepEqual(
      [await values('user'), await values('contact'), await values('client'), await values('gate')],
      [['id:abc'], [], [], ['192.0.2.8']],
    )
    const blog = scopeForTest({ orgId: world.org, projects: [world.blog.projectId] })
    assert.deepEqual(await valuesOf(reader.facetValues(blog, 'contact', '', 10)), ['Ada@example.com'])
  })

  it('takes out an address however tags spell it', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    const scope = scopeForTest({ orgId: world.org, projects: [world.shop.projectId] })
    const client = ['2001:DB8:0:0:0:0:0:7', '2001:0db8:0000:0000:0000:0000:0000:0007', '2001:db8::8']
    const people = ['ip:2001:db8::7']
    const events = client.map((spelled) => ({ from: world.shop, people, tags: { client: spelled } }))
    const others = client.map((spelled) => ({
      from: world.shop,
      people: ['id:2'],
      tags: { client: spelled },
    }))
    await store(opened, [...events, ...others])
    value(await opened.deletePerson(person(world, 'ip:2001:db8::7'), anActor()))
    assert.deepEqual(await valuesOf(opened.house.reader.facetValues(scope, 'client', '', 10)), [
      '2001:db8::8',
    ])
  })

  it('is refused for a project of another organisation, and while too many wait', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    const foreign = { ...person(world, 'id:1'), orgId: 99 as typeof world.org } // no such organisation
    assert.equal(refusal(await opened.deletePerson(foreign, anActor())), 'not_found')
    for (let number = 0; number < 100; number++) {
      value(await opened.deletePerson(person(world, `id:${number}`), anActor()))
    }
    assert.equal(refusal(await opened.deletePerson(person(world, 'id:new'), anActor())), 'conflict')
    value(await opened.deletePerson(person(world, 'id:5'), anActor()))
  })
})
