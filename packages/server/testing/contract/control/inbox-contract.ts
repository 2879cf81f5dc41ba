/** Contract of inboxes: what comes into them, who sees it, and how it is marked. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { InboxPage } from '#ports/inbox.ts'
import type { NewMessage } from '#ports/messages.ts'
import { anActor } from '../../builders/actor.ts'
import { anAlert } from '../../builders/alert-message.ts'
import { scopeForTest } from '../../builders/scope.ts'
import { NOW } from '../../builders/times.ts'
import { changesOf } from '../../changes.ts'
import { channelChanges } from './channel-changes.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, value } from './stores.ts'
import { addMember } from './world.ts'

const ALL: InboxPage = { limit: 100, before: null, kind: null, isUnreadOnly: false }

export function inboxContract(open: ControlFactory): void {
  describe('inboxes', () => {
    const { stores, world, send, idOf, choice } = openForEachTest(open)
    let rosa: UserId
    beforeEach(async () => {
      rosa = await addMember(stores, { org: world.org, email: 'rosa@example.com', role: 'manager' })
    })

    const ada = (atMs = NOW) => anActor(atMs, { userId: world.owner, label: 'Ada' })
    const inbox = (page: Partial<InboxPage> = {}, user = rosa, scopes = [world.scope]) =>
      stores.read.inbox(user, scopes, { ...ALL, ...page })
    const kinds = async (user = rosa) => (await inbox({}, user)).map(({ kind }) => kind)
    const unread = (user = rosa) => stores.read.inboxUnread(user, [world.scope], 100)
    const mark = (entries: { readonly ids: readonly number[] } | { readonly upTo: number }, isRead = true) =>
      stores.write.markInbox({ user: rosa, orgs: [world.org], entries, isRead }, NOW + 50)
    const alert = (over: Partial<NewMessage> = {}): NewMessage => ({
      ...{ orgId: world.org, firingId: 1, projectId: world.shop, issueId: null, heldUntilMs: null },
      ...{ occasion: null, projects: null, target: { to: 'user', userId: rosa }, message: anAlert() },
      ...over,
    })

    it('tell of mentions, assignments and changes, and nobody of what they did themselves', async () => {
      await send({ group: 'a' })
      const a = await idOf('a')
      value(await stores.write.comment(choice(a), { text: 'look @rosa', mentions: [rosa] }, ada(NOW + 1)))
      value(await stores.write.assign(choice(a), rosa, ada(NOW + 2)))
      value(await stores.write.resolve(choice(a), ada(NOW + 3)))
      const entries = await inbox()
      assert.deepEqual(
        entries.map(({ kind, activity, issue, organisation }) => [
          kind,
          activity?.kind,
          activity?.by,
          issue?.shortId,
          organisation,
        ]),
        [
          ['activity', 'resolved', 'Ada', 'SHOP-1', 'acme'],
          ['assignment', 'assigned', 'Ada', 'SHOP-1', 'acme'],
          ['mention', 'commented', 'Ada', 'SHOP-1', 'acme'],
        ],
      )
      assert.equal(entries.at(-1)?.activity?.detail.text, 'look @rosa')
      assert.deepEqual(await kinds(world.owner), [])
    })

    it('tell whoever follows an issue that it is back, whether alerts are emailed or not', async () => {
      await send({ group: 'a', receivedMs: NOW })
      const a = await idOf('a')
      value(await stores.write.subscribe(choice(a), { user: rosa, isSubscribed: true }))
      value(await stores.write.resolve(choice(a), anActor(NOW + 1, { userId: rosa })))
      await send({ group: 'a', receivedMs: NOW + 5 })
      assert.deepEqual(await kinds(), ['regression'])
    })

    it('have an entry without email, and with room for no more letters', async () => {
      await send({ group: 'a' })
      const a = await idOf('a')
      await stores.write.setNoticeMailOf(rosa, false, anActor())
      const most = max('followerEmailsPerPersonMax')
      for (let index = 0; index <= most; index++)
        value(await stores.write.comment(choice(a), { text: `${index}`, mentions: [rosa] }, ada()))
      assert.equal((await inbox()).length, most + 1)
    })

    it('have nothing of an issue that its reader muted, whoever tells of it, until they unmute it', async () => {
      await send({ group: 'a' }, { group: 'b' })
      const a = await idOf('a')
      const own = { scope: { ...world.scope, userId: rosa }, actor: anActor(NOW, { userId: rosa }) }
      const mute = (isMuted: boolean) =>
        changesOf(stores.write)('muteIssue', { ids: [a], user: rosa, isMuted }, own)
      value(await mute(true))
      value(await stores.write.comment(choice(a), { text: 'look @rosa', mentions: [rosa] }, ada(NOW + 1)))
      value(await stores.write.assign(choice(a), rosa, ada(NOW + 2)))
      await stores.write.queueMessages([alert({ issueId: a })], NOW + 3)
      assert.deepEqual(await kinds(), [])
      const claim = { nowMs: NOW + 43_200_000, leaseMs: 1_000, lease: 'l', limit: 10, triesMax: 3 }
      assert.deepEqual(await stores.write.claimMessages(claim), [])
      assert.deepEqual(await stores.write.claimLetters(claim), [])
      const muted = await stores.read.mutedIssues(rosa, [world.scope], 10)
      assert.deepEqual(
        muted.map(({ shortId, organisation }) => [shortId, organisation]),
        [['SHOP-1', 'acme']],
      )
      assert.equal((await stores.read.marksOf(world.scope, rosa, [a]))[0]?.isMuted, true)
      await stores.write.unmuteIssue(rosa, a)
      value(await stores.write.comment(choice(a), { text: 'again', mentions: [rosa] }, ada(NOW + 4)))
      assert.deepEqual(await kinds(), ['mention'])
    })

    it('fill in quiet hours while email waits: one email afterwards, critical at once', async () => {
      await send({ group: 'a' })
      const a = await idOf('a')
      // Noon in UTC, one o'clock in Zurich.
      const hours = {
        isOn: true,
        fromMinute: 780,
        untilMinute: 900,
        timeZone: 'Europe/Zurich',
        weekends: false,
      }
      await stores.write.setPersonQuietHours(rosa, hours, anActor(NOW, { userId: rosa }))
      const endMs = NOW + 120 * 60_000
      value(await stores.write.comment(choice(a), { text: 'look @rosa', mentions: [rosa] }, ada(NOW + 1)))
      await stores.write.queueMessages(
        [
          alert({ firingId: 1, message: anAlert({ headline: 'p95 is 4 s', level: 'warning' }) }),
          alert({ firingId: 2, message: anAlert({ headline: 'Checkout fails', level: 'critical' }) }),
        ],
        NOW + 2,
      )
      assert.deepEqual(await kinds(), ['alert', 'mention'])
      const claim = (nowMs: number) => ({ nowMs, leaseMs: 1_000, lease: 'l', limit: 10, triesMax: 3 })
      const sent = await stores.write.claimMessages(claim(NOW + 10))
      assert.deepEqual(
        sent.map(({ message }) => message.headline),
        ['Checkout fails'],
      )
      assert.deepEqual(await stores.write.claimLetters(claim(endMs - 1)), [])
      assert.equal(await stores.write.nextLetterMs(), endMs)
      const [letter, ...others] = await stores.write.claimLetters(claim(endMs))
      assert.ok(letter !== undefined && letter.held !== null && others.length === 0)
      assert.equal(letter.to.email, 'rosa@example.com')
      assert.deepEqual(
        letter.held.lines.map(({ headline, telling }) => telling?.detail.text ?? headline),
        ['look @rosa', 'p95 is 4 s'],
      )
      assert.equal(await stores.write.settleLetter(letter, { state: 'sent', says: 'OK' }, endMs), true)
      assert.equal(await stores.write.nextLetterMs(), null)
    })

    it('lead to the held email at once when quiet hours are switched off, and to none of what may not be read', async () => {
      await send({ group: 'a' })
      const a = await idOf('a')
      const hours = { isOn: true, fromMinute: 0, untilMinute: 1_439, timeZone: 'UTC', weekends: true }
      const own = anActor(NOW, { userId: rosa })
      await stores.write.setPersonQuietHours(rosa, hours, own)
      value(await stores.write.comment(choice(a), { text: 'one', mentions: [rosa] }, ada(NOW + 1)))
      await stores.write.setPersonQuietHours(rosa, { ...hours, isOn: false }, own)
      assert.equal(await stores.write.nextLetterMs(), NOW)
      value(await stores.write.removeMember(world.org, { user: rosa }, ada(NOW + 2)))
      const claim = { nowMs: NOW + 5, leaseMs: 1_000, lease: 'l', limit: 10, triesMax: 3 }
      assert.deepEqual(await stores.write.claimLetters(claim), [])
    })

    it('lose what was said in a comment with the comment, and keep it when its issue is merged', async () => {
      await send({ group: 'a' }, { group: 'b' })
      const [a, b] = [await idOf('a'), await idOf('b')]
      value(await stores.write.comment(choice(a), { text: 'one', mentions: [rosa] }, ada()))
      value(await stores.write.comment(choice(b), { text: 'two', mentions: [rosa] }, ada()))
      const [comment] = await stores.read.activity(world.scope, a, 5, 'commented')
      assert.ok(comment !== undefined)
      value(
        await stores.write.deleteComment({ ...choice(a), commentId: comment.id }, { isAnyones: true }, ada()),
      )
      value(await stores.write.merge(choice(b), a, ada()))
      const entries = await inbox()
      assert.deepEqual(
        entries.map(({ activity, issue }) => [activity?.detail.text, issue?.shortId]),
        [['two', 'SHOP-1']],
      )
    })

    it('have an alert for a person once, of a rule that goes on the newest, and no test', async () => {
      await stores.write.queueMessages([alert(), alert({ target: { to: 'members' } })], NOW)
      await stores.write.queueMessages([alert({ message: anAlert({ headline: 'still so' }) })], NOW + 10)
      await stores.write.queueMessages([alert({ message: anAlert({ moment: 'test' }) })], NOW + 20)
      const entries = await inbox()
      assert.deepEqual(
        entries.map(({ kind, alert: said }) => [kind, said?.headline]),
        [['alert', 'still so']],
      )
      assert.deepEqual(await kinds(world.owner), ['alert'], 'of the members')
    })

    it('tell of one occasion of an issue once, whatever told of it first', async () => {
      await send({ group: 'a', receivedMs: NOW })
      const a = await idOf('a')
      value(await stores.write.subscribe(choice(a), { user: rosa, isSubscribed: true }))
      value(await stores.write.resolve(choice(a), ada(NOW - 60_000)))
      await send({ group: 'a', receivedMs: NOW + 5 })
      const occasion = { of: 'events', atMs: NOW + 5 } as const
      await stores.write.queueMessages([alert({ issueId: a, occasion })], NOW + 100)
      assert.deepEqual(await kinds(), ['regression', 'activity'])
      const later = { of: 'events', atMs: NOW + 3_600_000 } as const
      await stores.write.queueMessages([alert({ issueId: a, occasion: later })], NOW + 3_600_000)
      assert.deepEqual(await kinds(), ['alert', 'regression', 'activity'])
    })

    it('tell owners and managers what could not be delivered, once until they read it', async () => {
      const sam = await addMember(stores, { org: world.org, email: 'sam@example.com', role: 'member' })
      const slack = { kind: 'slack', name: '#ops', settings: {}, secrets: {} } as const
      const { id } = value(await channelChanges(stores.write).createChannel(world.org, slack, anActor()))
      const fail = async (atMs: number, says: string) => {
        const target = { to: 'channel', channelId: id } as const
        await stores.write.queueMessages([alert({ target, firingId: atMs })], atMs)
        const claim = { nowMs: atMs + 1_000_000, leaseMs: 60_000, lease: `${atMs}`, limit: 9, triesMax: 3 }
        const [message] = await stores.write.claimMessages(claim)
        assert.ok(message !== undefined)
        await stores.write.settleMessage(message, { state: 'failed', says, tookMs: 1 }, atMs + 1_000_000)
      }
      await fail(NOW, 'Answered 404.')
      await fail(NOW + 2_000_000, 'Answered 410.')
      const [entry, ...others] = await inbox()
      assert.deepEqual(
        [entry?.kind, entry?.delivery?.channel?.name, entry?.delivery?.says],
        ['delivery', '#ops', 'Answered 410.'],
      )
      assert.deepEqual(others, [])
      assert.deepEqual(await kinds(world.owner), ['delivery'])
      assert.deepEqual(await kinds(sam), [])
      value(await stores.write.setRole(world.org, { user: rosa }, 'member', anActor()))
      assert.deepEqual(await kinds(), [], 'who looks after the organisation no more sees nothing of it')
      assert.equal(await unread(), 0)
    })

    it('show what is of the reader’s scopes alone', async () => {
      await send({ group: 'a' })
      const a = await idOf('a')
      value(await stores.write.comment(choice(a), { text: 'x', mentions: [rosa] }, ada()))
      assert.deepEqual(await inbox({}, rosa, [world.otherScope]), [])
      const blogOnly = scopeForTest({ orgId: world.org, projects: [world.blog] })
      assert.deepEqual(await inbox({}, rosa, [blogOnly]), [])
      assert.equal(await stores.read.inboxUnread(rosa, [blogOnly], 100), 0)
      assert.deepEqual(await inbox({}, world.owner), [])
    })

    it('are marked read and unread, one or all up to one, by their owner alone', async () => {
      await send({ group: 'a' })
      const a = await idOf('a')
      for (const text of ['1', '2', '3'])
        value(await stores.write.comment(choice(a), { text, mentions: [rosa] }, ada()))
      const [third, second, first] = await inbox()
      assert.ok(third !== undefined && second !== undefined && first !== undefined)
      assert.equal(await unread(), 3)
      const foreign = { user: world.owner, orgs: [world.org], entries: { ids: [first.id] }, isRead: true }
      assert.equal(await stores.write.markInbox(foreign, NOW), 0)
      const elsewhere = { user: rosa, orgs: [world.otherOrg], entries: { ids: [first.id] }, isRead: true }
      assert.equal(await stores.write.markInbox(elsewhere, NOW), 0)
      assert.equal(await mark({ ids: [third.id] }), 1)
      assert.equal(await mark({ ids: [third.id] }), 0, 'it was')
      assert.deepEqual(
        (await inbox({ isUnreadOnly: true })).map(({ id }) => id),
        [second.id, first.id],
      )
      assert.equal(await mark({ upTo: second.id }), 2)
      assert.equal(await unread(), 0)
      assert.equal(await mark({ ids: [second.id] }, false), 1)
      assert.deepEqual(
        (await inbox({ isUnreadOnly: true })).map(({ id }) => id),
        [second.id],
      )
      assert.equal(await stores.read.inboxUnread(rosa, [world.scope], 0), 0, 'counted up to a bound')
      assert.deepEqual(
        (await inbox({ before: second.id, limit: 1 })).map(({ id }) => id),
        [first.id],
      )
    })

    it('keep so many entries, the newest, for so long', async () => {
      await send({ group: 'a' })
      const a = await idOf('a')
      const most = max('inboxEntriesMax')
      for (let index = 0; index < most + 3; index++)
        await stores.write.queueMessages(
          [alert({ firingId: index, message: anAlert({ rule: { id: index + 1, name: 'r' } }) })],
          NOW + index,
        )
      assert.equal((await inbox({ limit: most + 10 })).length, most)
      value(await stores.write.comment(choice(a), { text: 'x', mentions: [rosa] }, ada()))
      assert.equal((await inbox({ kind: 'mention' })).length, 1)
      assert.equal((await inbox({ limit: most + 10 })).length, most)
    })

    it('take nothing of a kind that their owner switched off', async () => {
      await stores.write.setInboxOff(rosa, ['alert', 'mention'], anActor())
      assert.deepEqual(await stores.read.inboxOff(rosa), ['mention', 'alert'])
      await send({ group: 'a' })
      const a = await idOf('a')
      value(await stores.write.comment(choice(a), { text: 'x', mentions: [rosa] }, ada()))
      await stores.write.queueMessages([alert()], NOW)
      value(await stores.write.assign(choice(a), rosa, ada(NOW + 2)))
      assert.deepEqual(await kinds(), ['assignment'])
      await stores.write.setInboxOff(rosa, [], anActor())
      assert.deepEqual(await stores.read.inboxOff(rosa), [])
    })
  })
}
