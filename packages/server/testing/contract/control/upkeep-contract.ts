/** Contract of the control store's part in retention, compaction and deletion, and of what fails midway. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayOf, seq } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import type { PersonDeletion } from '#ports/care.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import { anActor } from '../../builders/actor.ts'
import { aBatch, withGroups } from '../../builders/control-batch.ts'
import { aHash } from '../../builders/ids.ts'
import { aFilter } from '../../builders/issue-filter.ts'
import { lostCounts } from '../../builders/person-deletion.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'

const TODAY: FileName = { kind: 'error', day: dayOf(NOW), retentionDays: 90 }

export function upkeepContract(open: ControlFactory): void {
  describe('ControlRetention, RetentionRead and UpkeepRead', () => {
    const { stores, world, send, idOf, choice } = openForEachTest(open)

    const filesOf = async (group: string) => {
      const [view] = await stores.read.groups(world.scope, await idOf(group))
      return view?.files.map(({ day, holds }) => [day, holds?.events ?? null])
    }
    const aDeletion = (change: Partial<PersonDeletion> = {}): PersonDeletion => ({
      ...{ orgId: world.org, projectId: world.shop, person: 'id:1', people: [] },
      ...{ events: 2, groups: [{ hash: aHash('a'), users: ['id:1'], lost: lostCounts() }] },
      ...change,
    })

    it('remembers what time it was known to be, in whole milliseconds', async () => {
      assert.equal(await stores.write.knownTime(), null)
      await stores.write.setKnownTime({ knownMs: NOW + 0.5, doubtedMs: 7.9 })
      assert.deepEqual(await stores.write.knownTime(), { knownMs: NOW, doubtedMs: 7 })
    })

    it('keeps the state of a file until it is removed, and removals until they are many', async () => {
      const { read, write } = stores
      const state = {
        payloadBytes: 10,
        columnSeq: seq(3),
        marks: { tombstone: 1, person: 2 },
        compactedMs: NOW,
      }
      await write.setFileState({ ...state, file: TODAY, payloadBytes: 99 })
      await write.setFileState({ ...state, file: TODAY })
      const other = { ...state, file: { ...TODAY, retentionDays: 30 } as const }
      await write.setFileState(other)
      assert.equal((await write.fileStates()).length, 2)
      const removal = await write.beginRemoval({ file: TODAY, reason: 'age', bytes: 5, begunMs: NOW + 0.5 })
      assert.deepEqual(await write.openRemovals(), [removal])
      await write.endRemoval(removal, NOW + 2.5)
      assert.deepEqual(await write.openRemovals(), [])
      assert.deepEqual((await read.upkeepDone(5)).removals, [{ ...removal, begunMs: NOW, endedMs: NOW + 2 }])
      assert.deepEqual(await write.fileStates(), [other])
      for (let count = 0; count < max('removalsKeptMax'); count++)
        await write.endRemoval(await write.beginRemoval({ ...removal, reason: 'disk' }), NOW + count)
      const kept = (await read.upkeepDone(max('removalsKeptMax') + 5)).removals
      assert.equal(kept.length, max('removalsKeptMax'))
      assert.ok(kept.every(({ reason }) => reason === 'disk'))
    })

    it('notes the last run of each kind', async () => {
      const run = { begunMs: NOW, endedMs: NOW + 1, files: 2, freedBytes: 3, failure: null }
      await stores.write.noteRun({ ...run, kind: 'retention', failure: 'no room' })
      await stores.write.noteRun({ ...run, kind: 'retention' })
      await stores.write.noteRun({ ...run, kind: 'compaction' })
      assert.deepEqual((await stores.read.upkeepDone(1)).runs, [
        { ...run, kind: 'compaction' },
        { ...run, kind: 'retention' },
      ])
    })

    it('tells what of groups is in a file, and believes what it is told', async () => {
      const { read, write } = stores
      await send({ group: 'a' }, { group: 'a' }, { group: 'b' }, { group: 'c', receivedMs: NOW + DAY })
      const states = await read.groupStates(0, 2)
      assert.deepEqual(
        states.map(({ hash, eventCount, files }) => [hash, eventCount, files]),
        [
          [aHash('a'), 2, [TODAY]],
          [aHash('b'), 1, [TODAY]],
        ],
      )
      const [a, b] = states
      assert.ok(a !== undefined && b !== undefined)
      const first = await write.groupsInFile(TODAY, 0, 2)
      assert.deepEqual([first.groups.map(({ id }) => id), first.last], [[a.id, b.id], b.id])
      assert.deepEqual(await write.groupsInFile(TODAY, b.id, 2), { groups: [], last: null })
      const counts = async () => (await read.groupCounts(TODAY, 0, 10)).groups.map(({ events }) => events)
      assert.deepEqual(await counts(), [2, 1])
      assert.deepEqual(await write.uncountedFiles(), [])
      await write.setContents(TODAY, [
        { id: a.id, holds: 'unknown' },
        { id: b.id, holds: null },
      ])
      await send({ group: 'a' })
      assert.deepEqual(await counts(), [null])
      assert.deepEqual(await write.uncountedFiles(), [TODAY])
      await write.setContents(TODAY, [{ id: a.id, holds: { events: 3, firstMs: NOW, lastMs: NOW } }])
      assert.deepEqual(await write.uncountedFiles(), [])
      assert.deepEqual([await filesOf('a'), await filesOf('b')], [[[TODAY.day, 3]], []])
      assert.deepEqual(await read.contradictions(10), [])
    })

    it('forgets hours past their age, and files past their class that are not there', async () => {
      const [gone, kept] = [NOW - 92 * DAY, NOW - 91 * DAY]
      await send({ group: 'a', receivedMs: gone }, { group: 'a', receivedMs: kept }, { group: 'b' })
      const old = NOW - (max('hourBucketsDaysMax') + 1) * DAY
      await send({ group: 'b', timestampMs: old, receivedMs: NOW })
      const files = [{ ...TODAY, day: dayOf(kept) }]
      const last = await stores.write.pruneGroups(0, 1, { nowMs: NOW, kept: files })
      assert.ok(last !== null)
      assert.equal(await stores.write.pruneGroups(last, 5, { nowMs: NOW, kept: files }), null)
      assert.deepEqual(await filesOf('a'), [[dayOf(kept), 1]])
      const range = { startMs: old - HOUR, endMs: old + HOUR, stepMs: HOUR }
      assert.deepEqual((await stores.read.trend(world.scope, await idOf('b'), range)).counts, [0, 0])
      assert.deepEqual((await stores.read.groups(world.scope, await idOf('b')))[0]?.eventCount, 2)
    })

    it('tells what is deleted until nothing of it is left, and how far whoever removes it has come', async () => {
      const { write } = stores
      await send({ group: 'a' }, { group: 'b' })
      value(await write.deleteIssues(choice(await idOf('b')), anActor(NOW)))
      value(await write.deletePerson(aDeletion(), anActor(NOW)))
      const { hidden, marks, pending } = await write.deletions()
      assert.deepEqual(hidden, await write.hidden())
      assert.deepEqual(hidden.people, [{ projectId: world.shop, person: 'id:1', upToSeq: seq(2) }])
      assert.deepEqual(
        pending.map(({ kind, createdMs }) => [kind, createdMs]),
        [
          ['tombstone', NOW],
          ['person', NOW],
        ],
      )
      await write.dropDeletions(pending)
      await write.forgetDeleted()
      const after = await write.deletions()
      assert.deepEqual([after.hidden.tombstones, after.hidden.people, after.pending], [[], [], []])
      assert.deepEqual(after.marks, marks)
    })

    it('takes a person out of users, tags and suggestions, and keeps the counts of what retention removed before', async () => {
      const { read, write } = stores
      const tags = { user: 'id:1', 'user.email': 'Ada@example.com', plan: 'ada' }
      await send(
        { group: 'a', user: 'id:1', tags },
        { group: 'a', user: 'id:1', tags },
        { group: 'a', user: 'id:2', tags: { user: 'id:2' } },
        { group: 'b', tags: { contact: 'ada@example.com', user: 'id:2' } },
      )
      const people = ['email:ada@example.com']
      value(await write.deletePerson(aDeletion({ people }), anActor()))
      const issue = await read.issue(world.scope, String(await idOf('a')))
      assert.deepEqual([issue?.eventCount, issue?.users], [3, { count: 1, isExact: true }])
      const ofA = await read.tags(world.scope, await idOf('a'), 10)
      assert.deepEqual(
        ofA.map(({ key, total, otherCount, values }) => [
          key,
          total,
          otherCount,
          values.map((one) => one.value),
        ]),
        [
          ['plan', 2, 0, ['ada']],
          ['user', 3, 2, ['id:2']],
          ['user.email', 2, 2, []],
        ],
      )
      const suggested = async (key: string) =>
        (await read.facetValues(world.scope, key, '', 10)).map(({ value }) => value)
      assert.deepEqual([await suggested('contact'), await suggested('user')], [[], ['id:2']])
      assert.equal(await read.facetsLack(world.scope, 'user'), true)
      const found = async (key: string, named: string) => {
        const filter = aFilter({ tags: [{ key, value: named, negated: false }] })
        return (await read.list(world.scope, filter, { sort: 'date', limit: 9, cursor: null })).rows.length
      }
      assert.deepEqual([await found('user', 'id:1'), await found('user.email', 'Ada*')], [0, 0])
      assert.deepEqual([await found('user', 'id:2'), await found('plan', 'ada')], [2, 1])
      const [entry] = await read.audit(world.scope, { limit: 1, before: null })
      assert.deepEqual([entry?.action, entry?.detail], ['person.deleted', { by: 'id', events: 2, groups: 1 }])
    })

    it('is audited with what was counted of it, where somebody confirmed that', async () => {
      const { read, write } = stores
      const counted = { events: 18, traces: 2, others: 0, issues: 6 }
      value(await write.deletePerson(aDeletion({ counted }), anActor()))
      value(await write.deletePerson(aDeletion({ counted: { ...counted, others: 1 } }), anActor()))
      const entries = await read.audit(world.scope, { limit: 2, before: null })
      assert.deepEqual(
        entries.map(({ detail }) => detail),
        [
          { by: 'id', events: 18, traces: 2, issues: 6, otherItems: 1 },
          { by: 'id', events: 18, traces: 2, issues: 6 },
        ],
      )
    })

    it('takes the events that are deleted from every count of their issue', async () => {
      const { read, write } = stores
      const tags = { user: 'id:1', plan: 'ada' }
      const gone = { group: 'a', user: 'id:1', tags, receivedMs: NOW - HOUR, timestampMs: NOW - HOUR }
      await send(gone, gone, { group: 'a', user: 'id:2', tags: { user: 'id:2', plan: 'ada' } })
      const hours = new Map([[Math.floor((NOW - HOUR) / HOUR), 2]])
      const lostTags = Object.entries(tags).map(([key, tag]) => ({ key, value: tag, count: 2 }))
      const lost = lostCounts({ events: 2, hours, tags: lostTags })
      const groups = [{ hash: aHash('a'), users: ['id:1'], lost }]
      value(await write.deletePerson(aDeletion({ groups, upToSeq: seq(2) }), anActor()))
      const id = await idOf('a')
      const issue = await read.issue(world.scope, String(id))
      assert.deepEqual([issue?.eventCount, issue?.payloadCount, issue?.users.count], [1, 1, 1])
      const [group] = await read.groups(world.scope, id)
      assert.equal(group?.eventCount, 1)
      const page = { sort: 'freq', limit: 9, cursor: null } as const
      const listed = await read.list(world.scope, aFilter({ startMs: NOW - 2 * HOUR }), page)
      assert.deepEqual(
        listed.rows.map((row) => [row.eventCount, row.eventCountInRange]),
        [[1, 1]],
      )
      const ofA = await read.tags(world.scope, id, 10)
      assert.deepEqual(
        ofA.map(({ key, total, otherCount }) => [key, total, otherCount]),
        [
          ['plan', 1, 0],
          ['user', 1, 0],
        ],
      )
      assert.deepEqual(await read.tagCount(world.scope, id, { key: 'plan', value: 'ada' }), {
        events: 1,
        matching: 1,
      })
      const suggested = (await read.facetValues(world.scope, 'plan', '', 10)).map(({ count }) => count)
      assert.deepEqual(suggested, [1])
      assert.equal(await read.facetsLack(world.scope, 'user'), false)
      assert.equal((await write.hidden()).people[0]?.upToSeq, 2)
      await send({ group: 'a', user: 'id:1', tags })
      assert.equal((await read.issue(world.scope, String(id)))?.eventCount, 2)
      assert.deepEqual(
        (await read.tags(world.scope, id, 10)).map(({ total }) => total),
        [2, 2],
      )
    })

    it('refuses to delete people of another organisation, and more than may wait', async () => {
      const { write } = stores
      const elsewhere = aDeletion({ orgId: world.otherOrg })
      assert.equal(refusal(await write.deletePerson(elsewhere, anActor())), 'not_found')
      for (let count = 0; count < max('peopleDeletedMax'); count++)
        value(await write.deletePerson(aDeletion({ person: `id:${count}`, groups: [] }), anActor()))
      const more = aDeletion({ person: 'id:more', groups: [] })
      assert.equal(refusal(await write.deletePerson(more, anActor())), 'conflict')
      value(await write.deletePerson(aDeletion({ person: 'id:3', groups: [] }), anActor()))
      assert.equal((await write.hidden()).people.length, max('peopleDeletedMax'))
    })

    it('tells how often a tag came where every event was counted, and what was left out', async () => {
      const { read } = stores
      const tags = Object.fromEntries(
        Array.from({ length: max('facetKeysMax') }, (_, index) => [`k${index}`, 'v']),
      )
      await send({ group: 'a', tags }, { group: 'a', tags: { k1: 'w' } })
      const id = await idOf('a')
      const count = (key: string, tag: string) => read.tagCount(world.scope, id, { key, value: tag })
      assert.deepEqual(await count('k1', 'v'), { events: 2, matching: 1 })
      assert.deepEqual(await count('k1', 'x'), { events: 2, matching: 0 })
      assert.deepEqual(await read.tagsBeyond(world.scope, id), { isFull: false, tags: 0 })
      await send({ group: 'a', tags: { late: 'x', later: 'y' } })
      assert.deepEqual(await read.tagsBeyond(world.scope, id), { isFull: true, tags: 2 })
      assert.equal(await count('late', 'x'), null)
      assert.equal(await count('trace', 'x'), null)
      assert.deepEqual(await count('k1', 'v'), { events: 3, matching: 1 })
    })

    it('leaves nothing of a batch that fails midway, and applies it when it does not', async () => {
      const { read, write } = stores
      await send({ group: 'a', tags: { environment: 'production' } })
      value(await write.resolve(choice(await idOf('a')), anActor(NOW + 1)))
      const page = { sort: 'date', limit: 10, cursor: null } as const
      const everything = async () => ({
        counters: { ...(await read.counters()), controlBytes: 0 },
        issues: (await read.list(world.scope, aFilter(), page)).rows,
        environments: (await read.facetValues(world.scope, 'environment', '', 10)).map(({ value }) => value),
        notices: await read.noticeLog(world.scope, world.shop, { limit: 10, before: null }),
      })
      const before = await everything()
      const batch = aBatch(2, [
        anEvent({ projectId: world.shop, group: 'new', tags: { environment: 'preview' }, digests: ['42'] }),
        anEvent({ projectId: world.shop, group: 'a', receivedMs: NOW + 5 }),
      ])
      const arrivals: GroupDelta['arrivals'] = () => {
        throw new Error('these events cannot be read')
      }
      const failing = {
        ...batch,
        parts: withGroups(batch, (group) => ({ ...group, arrivals })),
      }
      await assert.rejects(write.applyBatch(failing), /cannot be read/)
      assert.deepEqual(await everything(), before)
      const { newIssues, regressedIssues } = await write.applyBatch(batch)
      assert.deepEqual([newIssues, regressedIssues], [1, 1])
      assert.deepEqual((await everything()).environments, ['preview', 'production'])
    })
  })
}
