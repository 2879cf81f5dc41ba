/** Contract of priorities, and of issues that teams are assigned to. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { computedPriority } from '#issues/priority.ts'
import { max } from '#limits/limits.ts'
import { LEVELS } from '#model/event.ts'
import { PRIORITIES, type Priority } from '#model/priority.ts'
import type { IssueFilter } from '#ports/issues.ts'
import { anActor } from '../../builders/actor.ts'
import { archivedUntil } from '../../builders/archived-until.ts'
import { aHash } from '../../builders/ids.ts'
import { aFilter } from '../../builders/issue-filter.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'
import { addMember } from './world.ts'

export function issueTriageContract(open: ControlFactory): void {
  describe('priority and teams', () => {
    const { stores, world, send, issueOf, choice } = openForEachTest(open)

    const found = async (change: Partial<IssueFilter>) => {
      const page = { sort: 'new', limit: 50, cursor: null } as const
      return (await stores.read.list(world.scope, aFilter(change), page)).rows.map(({ id }) => id).toSorted()
    }
    const ada = (atMs = NOW) => anActor(atMs, { userId: world.owner, label: 'Ada' })

    it('keeps the newest of an issue’s changes, and every comment', async () => {
      await send({ groupHash: aHash('a') })
      const { id } = await issueOf('a')
      value(await stores.write.comment(choice(id), { text: 'First', mentions: [] }, ada()))
      const most = max('activitiesPerIssueMax')
      for (let index = 0; index < most / 2 + 2; index++) {
        value(await stores.write.resolve(choice(id), ada(NOW + index), null))
        value(await stores.write.unresolve(choice(id), ada(NOW + index)))
      }
      const activity = await stores.read.activity(world.scope, id, 2 * most)
      const comments = activity.filter(({ kind }) => kind === 'commented')
      assert.deepEqual([activity.length - comments.length, comments.length], [most, 1])
      assert.deepEqual([activity[0]?.kind, activity[0]?.atMs], ['unresolved', NOW + most / 2 + 1])
    })

    it('counts what waits for review up to a bound, by when it was last seen', async () => {
      await send(
        { groupHash: aHash('a'), timestampMs: NOW - 2 * HOUR },
        { groupHash: aHash('b'), timestampMs: NOW - HOUR },
        { groupHash: aHash('c'), timestampMs: NOW },
        { groupHash: aHash('old'), timestampMs: NOW - (max('issueNewDays') + 1) * DAY },
      )
      const count = (sinceMs: number, limit = 9) =>
        stores.read.countForReview(world.scope, { sinceMs, limit })
      assert.equal(await count(0), 3)
      assert.equal(await count(NOW - 2 * HOUR), 3)
      assert.equal(await count(NOW - 2 * HOUR + 1), 2)
      assert.deepEqual([await count(0, 2), await count(0, 3), await count(0, 4)], [2, 3, 3])
      value(await stores.write.resolve(choice((await issueOf('a')).id), ada(), null))
      value(await stores.write.archive(choice((await issueOf('b')).id), archivedUntil(), ada()))
      assert.equal(await count(0), 1)
    })

    it('computes the priority of every issue by one rule', async () => {
      for (const level of LEVELS) {
        for (const handled of [true, false, null]) {
          const group = `${level} ${handled}`
          const users = level === 'warning' ? 100 : level === 'error' && handled === false ? 10 : 1
          const events = Array.from({ length: users }, (_, index) => ({
            ...{ group, level, handled, user: `id:${index}`, timestampMs: NOW - index * HOUR },
          }))
          await send(...events)
        }
      }
      const page = { sort: 'new', limit: 50, cursor: null } as const
      const { rows } = await stores.read.list(world.scope, aFilter(), page)
      assert.deepEqual(
        rows.map(({ priority }) => priority),
        rows.map(computedPriority),
      )
      assert.deepEqual(new Set(rows.map(({ priority }) => priority)), new Set(PRIORITIES))
      for (const wanted of PRIORITIES) {
        const ids = rows.filter(({ priority }) => priority === wanted).map(({ id }) => id)
        assert.deepEqual(await found({ priorities: [{ value: wanted, negated: false }] }), ids.toSorted())
        const others = rows.filter(({ priority }) => priority !== wanted).map(({ id }) => id)
        assert.deepEqual(await found({ priorities: [{ value: wanted, negated: true }] }), others.toSorted())
      }
    })

    it('keeps what a person chose, with a record', async () => {
      await send({ group: 'a', level: 'info' })
      const { id } = await issueOf('a')
      assert.deepEqual(value(await stores.write.prioritise(choice(id), 'high', ada(NOW + 5))), [id])
      assert.deepEqual(value(await stores.write.prioritise(choice(id), 'high', ada(NOW + 6))), [])
      await send({ group: 'a', level: 'info' })
      const { priority, prioritySetMs } = await issueOf('a')
      assert.deepEqual([priority, prioritySetMs], ['high', NOW + 5])
      const high = [{ value: 'high' as Priority, negated: false }]
      assert.deepEqual(await found({ priorities: high }), [id])
      const [record] = await stores.read.activity(world.scope, id, 1)
      assert.deepEqual([record?.kind, record?.detail], ['prioritised', { priority: 'high' }])
    })

    it('assigns a team that opens the project, instead of a person, and subscribes its people', async () => {
      await send({ group: 'a' }, { group: 'b' })
      const [a, b] = [await issueOf('a'), await issueOf('b')]
      const rosa = await addMember(stores, {
        ...{ org: world.org, email: 'rosa@example.com', role: 'member' as const, teams: [world.team] },
      })
      value(await stores.write.assign(choice(a.id, b.id), world.owner, ada()))
      assert.deepEqual(value(await stores.write.assign(choice(a.id), { team: world.team }, ada())), [a.id])
      assert.deepEqual(value(await stores.write.assign(choice(a.id), { team: world.team }, ada())), [])
      const { assignee, assigneeTeam } = await issueOf('a')
      assert.deepEqual([assignee, assigneeTeam?.teamId], [null, world.team])
      assert.ok((await stores.read.followers(world.scope, a.id)).some(({ userId }) => userId === rosa))
      const [record] = await stores.read.activity(world.scope, a.id, 1)
      assert.equal(record?.detail.name, `#${assigneeTeam?.slug}`)
      const of = (filter: IssueFilter['assignees'][number]) => found({ assignees: [filter] })
      assert.deepEqual(await of({ userIds: [], teamIds: [world.team], negated: false }), [a.id])
      assert.deepEqual(await of({ userIds: [null], teamIds: [], negated: false }), [], 'nobody and no team')
      assert.deepEqual(await of({ userIds: [null], teamIds: [], negated: true }), [a.id, b.id].toSorted())
      assert.deepEqual(await of({ userIds: [world.owner], teamIds: [], negated: false }), [b.id])
    })

    it('takes back whom somebody assigned, once, of their own, and unless anybody chose since', async () => {
      await send({ group: 'a' })
      const { id } = await issueOf('a')
      const token = anActor(NOW, { userId: null, label: 'token' })
      const undo = async (actor = ada()) =>
        value(await stores.write.undoChoice(choice(id), 'assignee', actor)).length
      const assigned = async () => {
        const { assignee, assigneeTeam } = await issueOf('a')
        return assignee?.userId ?? assigneeTeam?.slug ?? null
      }
      assert.equal(await undo(), 0, 'nothing was assigned yet')
      value(await stores.write.assign(choice(id), { team: world.team }, ada()))
      const team = await assigned()
      value(await stores.write.assign(choice(id), world.owner, ada()))
      assert.equal(await undo(token), 0, 'somebody else’s')
      assert.deepEqual([await assigned(), await undo(), await assigned()], [world.owner, 1, team])
      assert.equal(await undo(), 0, 'once')
      value(await stores.write.assign(choice(id), null, ada()))
      value(await stores.write.assign(choice(id), world.owner, token))
      assert.equal(await undo(), 0, 'somebody chose since')
      const kinds = (await stores.read.activity(world.scope, id, 3)).map(({ kind }) => kind)
      assert.deepEqual(kinds, ['assigned', 'unassigned', 'assigned'])
    })

    it('gives nothing back to who cannot read the project any more', async () => {
      await send({ group: 'a' })
      const { id } = await issueOf('a')
      value(await stores.write.assign(choice(id), { team: world.team }, ada()))
      value(await stores.write.assign(choice(id), world.owner, ada()))
      value(await stores.write.deleteTeam(world.org, world.team, ada()))
      assert.deepEqual(value(await stores.write.undoChoice(choice(id), 'assignee', ada())), [])
      assert.equal((await issueOf('a')).assignee?.userId, world.owner)
    })

    it('takes back a priority, to the computed one where none was chosen', async () => {
      await send({ group: 'a', level: 'info' })
      const before = await issueOf('a')
      const these = choice(before.id)
      value(await stores.write.prioritise(these, 'high', ada(NOW + 5)))
      value(await stores.write.prioritise(these, 'medium', ada(NOW + 6)))
      const undo = async () => value(await stores.write.undoChoice(these, 'priority', ada(NOW + 7)))
      assert.deepEqual(await undo(), [before.id])
      const { priority, prioritySetMs } = await issueOf('a')
      assert.deepEqual([priority, prioritySetMs], ['high', NOW + 5])
      assert.deepEqual(await undo(), [], 'once')
      value(await stores.write.prioritise(these, 'low', ada(NOW + 8)))
      await undo()
      assert.equal((await issueOf('a')).priority, 'high')
      await send({ group: 'b', level: 'info' })
      const b = await issueOf('b')
      value(await stores.write.prioritise(choice(b.id), 'high', ada(NOW + 9)))
      value(await stores.write.undoChoice(choice(b.id), 'priority', ada(NOW + 9)))
      assert.deepEqual(await issueOf('b'), b)
    })

    it('refuses a team of elsewhere, or that does not open the project', async () => {
      await send({ group: 'a' })
      const { id } = await issueOf('a')
      const closed = value(await stores.write.createTeam(world.org, 'closed', 'Closed', anActor()))
      const foreign = value(await stores.write.createTeam(world.otherOrg, 'foreign', 'Foreign', anActor()))
      for (const team of [closed, foreign])
        assert.equal(refusal(await stores.write.assign(choice(id), { team }, ada())), 'invalid_input')
    })

    it('leaves nobody assigned when the team goes', async () => {
      await send({ group: 'a' })
      const { id } = await issueOf('a')
      value(await stores.write.assign(choice(id), { team: world.team }, ada()))
      value(await stores.write.deleteTeam(world.org, world.team, ada()))
      const { assignee, assigneeTeam } = await issueOf('a')
      assert.deepEqual([assignee, assigneeTeam], [null, null])
    })

    it('keeps the team of the issue that takes another in', async () => {
      await send({ group: 'a' }, { group: 'b' })
      const [a, b] = [await issueOf('a'), await issueOf('b')]
      value(await stores.write.assign(choice(a.id), { team: world.team }, ada()))
      value(await stores.write.merge(choice(b.id), a.id, ada()))
      assert.equal((await issueOf('b')).assigneeTeam?.teamId, world.team)
    })
  })
}
