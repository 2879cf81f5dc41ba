import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import type { OrgId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { Waiting } from '#ports/notices.ts'
import { NOW } from '#testing/builders/times.ts'
import type { Attempt } from './channels/attempt.ts'
import { Places, type PoolName } from './places.ts'

const SENT: Attempt = { outcome: 'sent', says: 'Answered 204.' }
const FAILED: Attempt = { outcome: 'failed', says: 'No answer within 10 seconds.' }
const AWAY: Attempt = { outcome: 'failed', says: 'The mail server cannot be reached.', isServerAway: true }

function aWaiting(receiver: string, org = 1, change: Partial<Waiting> = {}): Waiting {
  return { receiver, orgId: org as OrgId, isPager: false, dueMs: NOW, ...change }
}

function aHouse() {
  const clock = manualClock(NOW)
  const places = new Places(clock)
  const take = (pool: PoolName, ...waiting: readonly Waiting[]) => {
    const { chosen } = places.choose(pool, waiting)
    for (const one of chosen) places.begin(pool, one)
    return chosen.map(({ receiver }) => receiver)
  }
  return { clock, places, take }
}

describe('places of deliveries', () => {
  it('are of an organisation: one whose calls all hang takes none of another', () => {
    const { take } = aHouse()
    const many = Array.from({ length: 100 }, (_, index) => aWaiting(`channel:${index}`, 1))
    assert.equal(take('call', ...many).length, max('callsOfOrgAtOnceMax'))
    assert.deepEqual(take('call', ...many, aWaiting('channel:200', 2)), ['channel:200'])
  })

  it('go to organisations in turns, the one with the least under way first', () => {
    const { take } = aHouse()
    const orgs = Array.from({ length: 100 }, (_, org) => org + 1)
    const all = orgs.flatMap((org) => [1, 2, 3, 4].map((at) => aWaiting(`channel:${org}-${at}`, org)))
    const taken = take('call', ...all)
    assert.equal(taken.length, max('callsAtOnceMax'))
    for (const org of orgs) assert.ok(taken.some((receiver) => receiver.startsWith(`channel:${org}-`)))
    assert.deepEqual(take('call', ...all, aWaiting('channel:new', 1_000)), ['channel:new'], 'one beyond')
  })

  it('go to pagers first, which have some of their own', () => {
    const { take } = aHouse()
    const chats = Array.from({ length: 40 }, (_, index) => aWaiting(`channel:${index}`))
    const pager = aWaiting('channel:pager', 1, { isPager: true, dueMs: NOW })
    assert.equal(take('call', ...chats, pager)[0], 'channel:pager')
    const others = Array.from({ length: 20 }, (_, at) => aWaiting(`channel:p${at}`, 1, { isPager: true }))
    assert.equal(take('call', ...others).length, max('pagerCallsOfOrgAtOnceMax'))
  })

  it('rest a receiver that failed alone, longer each time, and ask with one call whether it is back', () => {
    const { clock, places, take } = aHouse()
    const [broken, fine] = [aWaiting('channel:1'), aWaiting('channel:2')]
    assert.deepEqual(take('call', broken, fine), ['channel:1', 'channel:2'])
    places.end('call', broken, FAILED)
    places.end('call', fine, SENT)
    assert.deepEqual(take('call', broken, fine), ['channel:2'])
    for (const restMs of [max('noticeRestMs'), 2 * max('noticeRestMs')]) {
      assert.equal(places.choose('call', [broken]).waitMs, restMs)
      clock.advance(restMs)
      assert.deepEqual([take('call', broken), take('call', broken)], [['channel:1'], []])
      places.end('call', broken, FAILED)
    }
    clock.advance(max('noticeRestMsMax'))
    take('call', broken)
    places.end('call', broken, SENT)
    for (let at = 0; at < max('callsOfReceiverAtOnceMax'); at++)
      assert.deepEqual(take('call', broken), ['channel:1'])
    assert.deepEqual(take('call', broken), [])
  })

  it('let one call that hangs hold up the next of its receiver for a while, and not the other receivers', () => {
    const { clock, places, take } = aHouse()
    const hung = aWaiting('channel:1')
    assert.deepEqual([take('call', hung), take('call', hung)], [['channel:1'], []])
    assert.equal(places.choose('call', [hung]).waitMs, max('noticePatienceMs'))
    for (let at = 1; at < max('callsOfReceiverAtOnceMax'); at++) {
      clock.advance(max('noticePatienceMs'))
      assert.deepEqual([take('call', hung), take('call', hung)], [['channel:1'], []])
    }
    clock.advance(max('noticePatienceMs'))
    assert.deepEqual(take('call', hung), [], 'as many as of one that answers')
    // Many that hang leave places to others.
    const many = Array.from({ length: max('callsOfOrgAtOnceMax') / 2 }, (_, at) =>
      aWaiting(`channel:h${at}`, 2),
    )
    assert.equal(take('call', ...many).length, many.length)
    clock.advance(max('noticePatienceMs'))
    assert.deepEqual(take('call', ...many), [])
    assert.deepEqual(take('call', aWaiting('channel:other', 2)), ['channel:other'])
  })

  it('of all mail rest with the mail server, and a mail that is refused says nothing of it', () => {
    const { clock, places, take } = aHouse()
    const [one, other] = [aWaiting('mail:1', 1), aWaiting('mail:2', 2)]
    assert.deepEqual(take('mail', one, other), ['mail:1', 'mail:2'])
    places.end('mail', one, { outcome: 'failed', says: 'The mail server said: 451 later' })
    places.end('mail', other, AWAY)
    assert.deepEqual([take('mail', one, other), take('letter', aWaiting('letters'))], [[], []])
    assert.deepEqual(take('call', aWaiting('channel:1')), ['channel:1'], 'no call waits for it')
    clock.advance(max('noticeRestMs'))
    assert.deepEqual(take('mail', one, other).length, 1)
    assert.deepEqual(take('letter', aWaiting('letters')), [], 'one finds out')
  })

  it('say how long it is until something may begin', () => {
    const { places } = aHouse()
    assert.equal(places.choose('call', []).waitMs, null)
    assert.equal(places.choose('call', [aWaiting('channel:1', 1, { dueMs: NOW + 700 })]).waitMs, 700)
  })

  it('remember no more receivers than they may', () => {
    const { places } = aHouse()
    for (let at = 0; at < max('noticeReceiversKnownMax') + 10; at++) {
      places.begin('call', aWaiting(`channel:${at}`))
      places.end('call', aWaiting(`channel:${at}`), FAILED)
    }
    assert.deepEqual(
      places.choose('call', [aWaiting('channel:1')]).chosen.length,
      1,
      'the first is forgotten',
    )
  })
})
