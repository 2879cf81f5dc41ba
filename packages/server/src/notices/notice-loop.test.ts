import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { manualClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { systemRandom } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import type { NoticeQueue } from '#ports/notices.ts'
import type { Outbox } from '#ports/outbox.ts'
import { NOW } from '#testing/builders/times.ts'
import { evenRandom, openHook, openPost } from '#testing/notices/receivers.ts'
import { aNoticeStore, noticeParts } from '#testing/notices/store.ts'
import { createSend, retryDelayMs, type Sending } from './deliver.ts'
import { NoticeLoop, type NoticeLoopParts } from './notice-loop.ts'
import { createNotices } from './notices.ts'

const CHILD = fileURLToPath(new URL('../../testing/notices/notice-kill.ts', import.meta.url))

/** Everything that waits for no timer and no socket has run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
}

/** A store, a webhook that answers what it is told, and a loop without timers. */
async function aHouse(t: TestContext, statuses: readonly number[] = [], mail = false) {
  const clock = manualClock(NOW)
  let calls = 0
  const hook = await openHook((_, response) => response.writeHead(statuses[calls++] ?? 204).end())
  t.after(() => hook.close())
  const notices = await aNoticeStore(t, { clock, webhook: hook.url(), mail })
  const loopOver = (queue: NoticeQueue & Outbox, change: Partial<NoticeLoopParts> = {}) => {
    const parts = noticeParts({ queue, outbox: queue, clock })
    return new NoticeLoop({
      ...parts,
      send: createSend(parts),
      mail: false,
      letterWork: null,
      messageWork: null,
      ...change,
    })
  }
  /** Sends as many in a minute as are told one by one. */
  const arrive: typeof notices.arrive = async (...shapes) => {
    const most = max('noticesPerMinuteMax')
    for (let at = 0; at < shapes.length; at += most) {
      if (at > 0) clock.advance(60_000)
      await notices.arrive(...shapes.slice(at, at + most))
    }
  }
  return { clock, hook, loopOver, loop: loopOver(notices.store), ...notices, arrive }
}

describe('the delivery loop', () => {
  it('sends what was queued once, and nothing twice', async (t) => {
    const { arrive, loop, hook, logged } = await aHouse(t)
    await arrive({ group: 'a' }, { group: 'b' })
    assert.equal(await loop.runOnce(), 2)
    assert.equal(await loop.runOnce(), 0)
    assert.equal(hook.calls.length, 2)
    const states = (await logged()).flatMap(({ deliveries }) =>
      deliveries.map(({ state, says }) => [state, says]),
    )
    assert.deepEqual(states, [
      ['sent', 'Answered 204.'],
      ['sent', 'Answered 204.'],
    ])
  })

  it('tries again later and later, with the same key, until it gives up', async (t) => {
    const most = max('noticeTriesMax')
    const { clock, arrive, loop, hook, logged, store } = await aHouse(
      t,
      Array.from({ length: most }, () => 503),
    )
    await arrive({ group: 'a' })
    const waits: number[] = []
    for (let tries = 1; tries <= most; tries++) {
      assert.equal(await loop.runOnce(), 1, `try ${tries}`)
      const nextMs = (await store.waitingDeliveries('webhook'))[0]?.dueMs ?? null
      if (nextMs === null) break
      waits.push(nextMs - clock.now())
      clock.advance(nextMs - clock.now() - 1)
      assert.equal(await loop.runOnce(), 0, 'not before its time')
      clock.advance(1)
    }
    assert.equal(hook.calls.length, most)
    assert.equal(new Set(hook.calls.map(({ headers }) => headers['errata-notice'])).size, 1)
    assert.deepEqual(
      hook.calls.map(({ headers }) => headers['errata-try']),
      Array.from({ length: most }, (_, index) => String(index + 1)),
    )
    assert.equal(waits.length, most - 1)
    for (const [index, wait] of waits.entries()) {
      const before = waits[index - 1]
      if (before !== undefined) assert.ok(wait >= before, `${waits}`)
      assert.ok(wait <= max('noticeRetryMsMax'))
    }
    const [entry] = await logged()
    assert.deepEqual(
      entry?.deliveries.map(({ state, tries, says }) => [state, tries, says]),
      [['failed', most, 'Answered 503.']],
    )
  })

  it('gives up at once what no patience will change', async (t) => {
    const { arrive, loop, logged, store } = await aHouse(t, [404])
    await arrive({ group: 'a' })
    await loop.runOnce()
    assert.equal((await logged())[0]?.deliveries[0]?.state, 'failed')
    assert.deepEqual(await store.waitingDeliveries('webhook'), [])
  })

  it('sends nothing twice with two loops over one store', async (t) => {
    const { arrive, loop, loopOver, another, hook } = await aHouse(t)
    const other = loopOver(another(), { random: systemRandom })
    await arrive(...Array.from({ length: 20 }, (_, index) => ({ group: `flood ${index}` })))
    const tried = await Promise.all([loop.runOnce(), other.runOnce()])
    assert.equal(tried[0] + tried[1], 20)
    assert.equal(new Set(hook.calls.map(({ headers }) => headers['errata-notice'])).size, 20)
    assert.equal(hook.calls.length, 20)
  })

  it('sends again, with the same key, what a process was killed over before it noted it', async (t) => {
    const { clock, arrive, loop, path, hook, logged } = await aHouse(t)
    await arrive({ group: 'a' })
    const child = spawn(process.execPath, [...process.execArgv, CHILD, path, String(clock.now())], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 120_000,
    })
    let complaint = ''
    child.stderr.on('data', (text: Buffer) => {
      complaint += text.toString()
    })
    const [, signal] = await once(child, 'close')
    assert.equal(signal, 'SIGKILL', complaint)
    assert.equal(hook.calls.length, 1, 'it had been sent')
    assert.equal(await loop.runOnce(), 0, 'its lease still runs')
    clock.advance(max('noticeLeaseMs'))
    assert.equal(await loop.runOnce(), 1)
    const keys = hook.calls.map(({ headers }) => headers['errata-notice'])
    assert.deepEqual([keys.length, new Set(keys).size], [2, 1])
    assert.deepEqual(
      (await logged())[0]?.deliveries.map(({ state, tries }) => [state, tries]),
      [['sent', 2]],
    )
  })

  it('sends no more at once than it may', async (t) => {
    let running = 0
    let most = 0
    const send = async (_: Sending) => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
      return { outcome: 'sent' as const, says: 'Answered 204.' }
    }
    const { arrive, loopOver, store } = await aHouse(t)
    await arrive(...Array.from({ length: 20 }, (_, index) => ({ group: `flood ${index}` })))
    assert.equal(await loopOver(store, { send }).runOnce(), 20)
    assert.equal(most, max('callsOfReceiverAtOnceMax'))
  })

  it('lets no mail server that hangs hold up webhooks', async (t) => {
    const { arrive, loopOver, store } = await aHouse(t, [], true)
    const done = Promise.withResolvers<void>()
    let hanging = 0
    let called = 0
    const send = async ({ to, signal }: Sending) => {
      if (to.channel === 'mail') {
        hanging++
        await once(signal, 'abort')
        return { outcome: 'failed' as const, says: 'Errata stopped while it was being sent.' }
      }
      if (++called === 12) done.resolve()
      return { outcome: 'sent' as const, says: 'Answered 204.' }
    }
    const loop = loopOver(store, { send, mail: true, stopMs: 1 })
    t.after(() => loop.close())
    await arrive(...Array.from({ length: 12 }, (_, index) => ({ group: `${index}` })))
    loop.start()
    await done.promise
    assert.equal(hanging, max('mailsOfOrgAtOnceMax'))
  })

  it('leaves a mail server alone that cannot be reached, and asks it with one mail whether it is back', async (t) => {
    const { clock, arrive, loopOver, store, logged, hook } = await aHouse(t, [], true)
    let isAway = true
    const send = async ({ to }: Sending) =>
      isAway && to.channel === 'mail'
        ? {
            outcome: 'failed' as const,
            says: 'The mail server cannot be reached.',
            isServerAway: true as const,
          }
        : { outcome: 'sent' as const, says: 'Sent.' }
    const loop = loopOver(store, { send, mail: true, letterWork: null, messageWork: null })
    const triesOfMails = async () =>
      (await logged())
        .flatMap(({ deliveries }) => deliveries.filter(({ channel }) => channel === 'mail'))
        .reduce((sum, { tries }) => sum + tries, 0)
    await arrive(...Array.from({ length: 12 }, (_, index) => ({ group: `${index}` })))
    const first = (await loop.runOnce()) - 12
    assert.ok(first >= 1 && first <= max('mailsOfOrgAtOnceMax'), 'no mail beyond those that began at once')
    for (const [times, restMs] of [max('noticeRestMs'), 2 * max('noticeRestMs')].entries()) {
      clock.advance(restMs - 1)
      assert.equal(await loop.runOnce(), 0, 'not even what is due again')
      clock.advance(1)
      assert.equal(await loop.runOnce(), 1)
      assert.equal(await triesOfMails(), first + times + 1)
    }
    isAway = false
    clock.advance(max('noticeRetryMsMax'))
    assert.equal(await loop.runOnce(), 12)
    assert.deepEqual(
      new Set((await logged()).flatMap(({ deliveries }) => deliveries.map(({ state }) => state))),
      new Set(['sent']),
    )
    assert.equal(hook.calls.length, 0)
  })

  it('wakes when something was queued, and breaks off what hangs when it closes', async (t) => {
    const { clock, arrive, loopOver, store, logged } = await aHouse(t)
    const sending = Promise.withResolvers<Sending>()
    const send = async (one: Sending) => {
      sending.resolve(one)
      await once(one.signal, 'abort')
      return { outcome: 'failed' as const, says: 'Errata stopped while it was being sent.' }
    }
    const loop = loopOver(store, { send, stopMs: 1 })
    loop.start()
    await arrive({ group: 'a' })
    loop.wake()
    await sending.promise
    await loop.close()
    loop.wake()
    const [entry] = await logged()
    assert.deepEqual(
      entry?.deliveries.map(({ state, tries }) => [state, tries]),
      [['waiting', 1]],
    )
    clock.advance(max('noticeRetryMsMax'))
    assert.equal(await loop.runOnce(), 0, 'a closed loop takes nothing')
  })

  it('pauses longer and longer while the store fails, and says so once', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { arrive, loopOver, store, hook } = await aHouse(t)
    const looks: (() => void)[] = []
    let fails = true
    const queue: NoticeQueue & Outbox = {
      ...store,
      claimFor: async (sender, claim) => {
        looks.shift()?.()
        if (fails) throw new Error('the disk is full')
        return store.claimFor(sender, claim)
      },
    }
    const said: string[] = []
    const say = (message: string) => said.push(message)
    const log = { ...silentLog, warn: say, info: say }
    const nextLook = () => new Promise<void>((resolve) => looks.push(resolve))
    await arrive({ group: 'a' })
    const loop = loopOver(queue, { log })
    t.after(() => loop.close())
    const first = nextLook()
    loop.start()
    await first
    for (const seconds of [2, 4, 8, 16, 30, 30]) {
      await settled()
      let looked = false
      const look = nextLook().then(() => {
        looked = true
      })
      loop.wake()
      t.mock.timers.tick(seconds * 1_000 - 1)
      await settled()
      assert.equal(looked, false, `before ${seconds} seconds`)
      t.mock.timers.tick(1)
      await look
    }
    assert.deepEqual(said, ['notices cannot be delivered: the store fails'])
    await settled()
    fails = false
    t.mock.timers.tick(30_000)
    while (said.length < 2) await settled()
    assert.deepEqual(said.slice(1), ['notices are delivered again'])
    assert.equal(hook.calls.length, 1)
  })

  it('mails everybody who reads the project, over a real mail server', async (t) => {
    const clock = manualClock(NOW)
    const post = await openPost()
    t.after(() => post.close())
    const { store, arrive, logged } = await aNoticeStore(t, { clock, webhook: null, mail: true })
    const parts = noticeParts({ queue: store, outbox: store, clock, smtp: post.smtp })
    await arrive({ group: 'a', digests: ['42'], requestKind: 'document' })
    await new NoticeLoop({
      ...parts,
      send: createSend(parts),
      mail: true,
      letterWork: null,
      messageWork: null,
    }).runOnce()
    assert.deepEqual(
      post.letters.map(({ to }) => to),
      [['Ada@Example.com']],
    )
    assert.match(post.letters[0]?.raw ?? '', /Subject: SHOP-1 is new: Error: a/)
    assert.equal((await logged())[0]?.deliveries[0]?.state, 'sent')
  })

  it('tells of its own accord once started', async (t) => {
    const { arrive, hook, store } = await aHouse(t)
    const settled = Promise.withResolvers<void>()
    const outbox: Outbox = {
      ...store,
      settleFor: async (...settlement) => {
        const done = await store.settleFor(...settlement)
        settled.resolve()
        return done
      },
    }
    const notices = createNotices(noticeParts({ queue: store, outbox, clock: manualClock(NOW) }))
    await arrive({ group: 'a' })
    notices.wake()
    assert.equal(hook.calls.length, 0, 'not before the public address is known')
    notices.start()
    await settled.promise
    await notices.close()
    assert.equal(hook.calls.length, 1)
  })
})

describe('waits between tries', () => {
  it('double up to an hour, give or take a fifth', () => {
    const first = max('noticeRetryMs')
    assert.ok(Math.abs(retryDelayMs(1, evenRandom) - first) < first * 0.01)
    assert.ok(Math.abs(retryDelayMs(3, evenRandom) - first * 4) < first * 0.04)
    for (let tries = 1; tries <= 40; tries++) {
      const wait = retryDelayMs(tries, systemRandom)
      const middle = Math.min(first * 2 ** (tries - 1), max('noticeRetryMsMax'))
      assert.ok(wait >= middle * 0.8 - 1 && wait <= middle * 1.2 + 1, `${tries}: ${wait}`)
    }
  })
})
