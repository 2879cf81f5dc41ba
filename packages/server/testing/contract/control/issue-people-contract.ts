/** Contract of what people have to do with issues: comments, subscriptions, bookmarks, and emails about them. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { IssueId, UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { anActor } from '../../builders/actor.ts'
import { aFilter } from '../../builders/issue-filter.ts'
import { NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'
import { addMember } from './world.ts'

export function issuePeopleContract(open: ControlFactory): void {
  describe('people and issues', () => {
    const { stores, world, send, idOf, choice } = openForEachTest(open)
    let rosa: UserId
    beforeEach(async () => {
      rosa = await addMember(stores, { org: world.org, email: 'rosa@example.com', role: 'manager' })
    })

    const ada = (atMs = NOW) => anActor(atMs, { userId: world.owner, label: 'Ada' })
    const byRosa = (atMs = NOW) => anActor(atMs, { userId: rosa, label: 'rosa' })
    const claim = (lease = 'lease', limit = 100) =>
      stores.write.claimLetters({ nowMs: NOW + 100, leaseMs: 1_000, lease, limit, triesMax: 3 })
    const told = async () =>
      (await claim()).map(({ to, telling }) => [to.email, telling?.kind, telling?.isMention])
    const subscription = async (user: UserId, id: IssueId) =>
      (await stores.read.marksOf(world.scope, user, [id]))[0]?.subscription ?? null

    it('subscribes who comments, is assigned or is mentioned, for the first reason there was', async () => {
      await send({ group: 'a' }, { group: 'b' })
      const [a, b] = [await idOf('a'), await idOf('b')]
      value(await stores.write.comment(choice(a), { text: 'look', mentions: [rosa] }, ada()))
      value(await stores.write.assign(choice(a, b), rosa, ada()))
      assert.equal(await subscription(world.owner, a), 'comment')
      assert.equal(await subscription(rosa, a), 'mentioned')
      assert.equal(await subscription(rosa, b), 'assigned')
      assert.deepEqual(
        (await stores.read.followers(world.scope, a)).map(({ email }) => email),
        ['Ada@Example.com', 'rosa@example.com'],
      )
      assert.deepEqual(await stores.read.followers(world.otherScope, a), [])
      assert.deepEqual(await stores.read.marksOf(world.otherScope, rosa, [a]), [])
    })

    it('never subscribes anew who unsubscribed, unless they ask for it', async () => {
      await send({ group: 'a' })
      const a = await idOf('a')
      value(await stores.write.subscribe(choice(a), { user: rosa, isSubscribed: false }))
      value(await stores.write.assign(choice(a), rosa, ada()))
      assert.equal(await subscription(rosa, a), 'off')
      assert.deepEqual(await stores.read.followers(world.scope, a), [])
      value(await stores.write.subscribe(choice(a), { user: rosa, isSubscribed: true }))
      assert.equal(await subscription(rosa, a), 'manual')
      value(await stores.write.subscribe(choice(a), { user: rosa, isSubscribed: true }))
      assert.equal(await subscription(rosa, a), 'manual')
    })

    it('bookmarks for one person, and finds what they bookmarked or follow', async () => {
      await send({ group: 'a' }, { group: 'b' }, { group: 'c' })
      const [a, b] = [await idOf('a'), await idOf('b')]
      value(await stores.write.bookmark(choice(a, b), { user: rosa, isBookmarked: true }))
      value(await stores.write.bookmark(choice(b), { user: rosa, isBookmarked: false }))
      value(await stores.write.subscribe(choice(b), { user: rosa, isSubscribed: true }))
      value(await stores.write.subscribe(choice(a), { user: rosa, isSubscribed: false }))
      const found = async (change: Parameters<typeof aFilter>[0]) =>
        (
          await stores.read.list(world.scope, aFilter(change), { sort: 'date', limit: 10, cursor: null })
        ).rows.map(({ id }) => id)
      assert.deepEqual(await found({ marks: [{ as: 'bookmarked', userId: rosa, negated: false }] }), [a])
      assert.deepEqual(await found({ marks: [{ as: 'subscribed', userId: rosa, negated: false }] }), [b])
      assert.deepEqual(
        await found({ marks: [{ as: 'bookmarked', userId: world.owner, negated: false }] }),
        [],
      )
    })

    it('emails followers of a comment, and whom it names, but not its author', async () => {
      await send({ group: 'a' })
      const a = await idOf('a')
      value(await stores.write.subscribe(choice(a), { user: rosa, isSubscribed: true }))
      value(await stores.write.comment(choice(a), { text: 'look', mentions: [] }, ada()))
      value(await stores.write.comment(choice(a), { text: 'and @rosa', mentions: [rosa] }, ada()))
      const letters = await claim()
      assert.deepEqual(
        letters.map(({ to, telling }) => [to.email, telling?.by, telling?.isMention, telling?.detail.text]),
        [
          ['rosa@example.com', 'Ada', false, 'look'],
          ['rosa@example.com', 'Ada', true, 'and @rosa'],
        ],
      )
      assert.deepEqual(letters[0]?.telling?.issue.shortId, 'SHOP-1')
      assert.equal(letters[0]?.telling?.organisation, 'acme')
      const [letter] = letters
      assert.ok(letter !== undefined)
      assert.equal(await stores.write.openLetter(letter, 'hash', NOW), false, 'it carries no link')
      assert.equal(await stores.write.settleLetter(letter, { state: 'sent', says: '' }, NOW), true)
    })

    it('tells followers of resolving, reopening and assigning, and says who was assigned', async () => {
      await send({ group: 'a' })
      const a = await idOf('a')
      value(await stores.write.subscribe(choice(a), { user: world.owner, isSubscribed: true }))
      value(await stores.write.resolve(choice(a), byRosa(NOW + 1)))
      value(await stores.write.unresolve(choice(a), byRosa(NOW + 2)))
      value(await stores.write.assign(choice(a), world.owner, byRosa(NOW + 3)))
      const letters = await claim()
      assert.deepEqual(
        letters.map(({ telling }) => [telling?.kind, telling?.isToReceiver]),
        [
          ['resolved', false],
          ['unresolved', false],
          ['assigned', true],
        ],
      )
    })

    it('emails nobody who wants none, or may no longer read the project', async () => {
      await send({ group: 'a' })
      const a = await idOf('a')
      const sam = await addMember(stores, { org: world.org, email: 'sam@example.com', role: 'manager' })
      for (const user of [rosa, sam])
        value(await stores.write.subscribe(choice(a), { user, isSubscribed: true }))
      value(await stores.write.comment(choice(a), { text: 'look', mentions: [] }, ada()))
      await stores.write.setNoticeMailOf(rosa, false, byRosa())
      value(await stores.write.removeMember(world.org, { user: sam }, anActor()))
      assert.deepEqual(await told(), [])
      assert.equal(await stores.write.nextLetterMs(), null)
    })

    it('emails a follower that the issue is back, where the project’s alerts do not', async () => {
      await send({ group: 'a', receivedMs: NOW })
      const a = await idOf('a')
      value(await stores.write.subscribe(choice(a), { user: rosa, isSubscribed: true }))
      const returns = async (atMs: number) => {
        value(await stores.write.resolve(choice(a), byRosa(atMs)))
        await send({ group: 'a', receivedMs: atMs + 1 })
      }
      await returns(NOW + 5)
      assert.deepEqual(await told(), [], 'alerts tell everybody')
      const settings = { mail: false, quietHours: 0 }
      value(await stores.write.setNotices(world.org, world.shop, settings, anActor()))
      await returns(NOW + 10)
      assert.deepEqual(await told(), [['rosa@example.com', 'regressed', false]])
    })

    it('keeps so few emails for one person, and as few in all', async () => {
      await send({ group: 'a' })
      const a = await idOf('a')
      value(await stores.write.subscribe(choice(a), { user: rosa, isSubscribed: true }))
      const most = max('followerEmailsPerPersonMax')
      for (let index = 0; index <= most; index++)
        value(await stores.write.comment(choice(a), { text: `${index}`, mentions: [] }, ada()))
      assert.equal((await claim('lease', most + 10)).length, most)
      value(
        await stores.write.createReset(
          { email: 'rosa@example.com', key: 'k', expiresMs: NOW + 500 },
          anActor(),
        ),
      )
    })

    it('lets its author change a comment, notes when, and tells only whom it names anew', async () => {
      await send({ group: 'a' })
      const a = await idOf('a')
      value(await stores.write.comment(choice(a), { text: 'look', mentions: [] }, ada()))
      const [comment] = await stores.read.activity(world.scope, a, 5, 'commented')
      assert.ok(comment !== undefined)
      const named = { ...choice(a), commentId: comment.id }
      const text = { text: 'look @rosa', mentions: [rosa] }
      assert.equal(refusal(await stores.write.editComment(named, text, byRosa())), 'forbidden')
      value(await stores.write.editComment(named, text, ada(NOW + 5)))
      value(await stores.write.editComment(named, { ...text, text: 'look, @rosa' }, ada(NOW + 7)))
      const [edited] = await stores.read.activity(world.scope, a, 5, 'commented')
      assert.deepEqual(
        [edited?.detail.text, edited?.editedMs, edited?.atMs],
        ['look, @rosa', NOW + 7, comment.atMs],
      )
      assert.deepEqual(await told(), [['rosa@example.com', 'commented', true]])
      const elsewhere = { ...named, commentId: comment.id + 99 }
      assert.equal(refusal(await stores.write.editComment(elsewhere, text, ada())), 'not_found')
      const unreadable = { ...named, projects: [world.blog] }
      assert.equal(refusal(await stores.write.editComment(unreadable, text, ada())), 'not_found')
    })

    it('leaves a trace of a deleted comment, and emails it to nobody', async () => {
      await send({ group: 'a' })
      const a = await idOf('a')
      value(await stores.write.comment(choice(a), { text: 'secret', mentions: [rosa] }, ada()))
      const [comment] = await stores.read.activity(world.scope, a, 1)
      assert.ok(comment !== undefined)
      const named = { ...choice(a), commentId: comment.id }
      const refused = await stores.write.deleteComment(named, { isAnyones: false }, byRosa())
      assert.equal(refusal(refused), 'forbidden')
      value(await stores.write.deleteComment(named, { isAnyones: true }, byRosa(NOW + 3)))
      const [trace] = await stores.read.activity(world.scope, a, 1)
      assert.deepEqual(
        [trace?.kind, trace?.actor, trace?.detail, trace?.editedMs],
        ['comment_deleted', 'Ada', { by: 'rosa' }, NOW + 3],
      )
      assert.equal((await stores.read.issue(world.scope, String(a)))?.commentCount, 0)
      assert.deepEqual(await told(), [])
      const again = await stores.write.deleteComment(named, { isAnyones: true }, byRosa())
      assert.equal(refusal(again), 'not_found')
    })

    it('gives what people had to do with a merged issue to the one that is left', async () => {
      await send({ group: 'a' }, { group: 'b' })
      const [a, b] = [await idOf('a'), await idOf('b')]
      value(await stores.write.subscribe(choice(b), { user: rosa, isSubscribed: true }))
      value(await stores.write.subscribe(choice(a), { user: world.owner, isSubscribed: false }))
      value(await stores.write.subscribe(choice(b), { user: world.owner, isSubscribed: true }))
      value(await stores.write.bookmark(choice(b), { user: rosa, isBookmarked: true }))
      value(await stores.write.merge(choice(b), a, ada()))
      const [mark] = await stores.read.marksOf(world.scope, rosa, [a])
      assert.deepEqual(mark, { issueId: a, subscription: 'manual', isBookmarked: true, isMuted: false })
      assert.equal(await subscription(world.owner, a), 'off', 'what they said of the one that is left holds')
    })
  })
}
