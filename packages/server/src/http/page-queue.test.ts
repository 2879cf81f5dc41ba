import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PagePlace, PageQueue } from './page-queue.ts'

const BOUNDS = { running: 1, waiting: 3, perAddress: 10, perSession: 10, slow: 10, slowPerSession: 10 }

function admitted(place: ReturnType<PageQueue['enter']>): PagePlace {
  if (typeof place === 'string') assert.fail(`refused: ${place}`)
  return place
}

/** A queue whose one turn is taken, and what says who had a turn since, in order. */
async function busyQueue(bounds = BOUNDS) {
  const queue = new PageQueue({ bounds })
  const first = admitted(queue.enter({ address: 'first', session: null }))
  await first.began
  const order: string[] = []
  const wait = (name: string, session: string | null = null, address = 'office') => {
    const place = admitted(queue.enter({ address, session }))
    void place.began.then((hasTurn) => {
      order.push(hasTurn ? name : `${name} left`)
      if (hasTurn) place.leave()
    })
    return place
  }
  return { queue, first, order, wait }
}

/** The loop goes round often enough for everybody. */
async function settled(): Promise<void> {
  for (let round = 0; round < 10; round++) await new Promise<void>((resolve) => setImmediate(resolve))
}

describe('the queue of pages', () => {
  it('gives the turn of a page that takes long to another, and holds back the session that has too many', async () => {
    const bounds = { ...BOUNDS, waiting: 10, slowPerSession: 1 }
    const queue = new PageQueue({ bounds, patienceMs: 0 })
    const enter = (session: string) => admitted(queue.enter({ address: 'office', session }))
    const slow = enter('a')
    await slow.began
    const order: string[] = []
    const next = enter('a')
    void next.began.then(() => order.push('a'))
    const other = enter('b')
    await other.began
    order.push('b')
    other.leave()
    await settled()
    assert.deepEqual(order, ['b'], 'the other session goes first, the same one waits')
    slow.leave()
    await next.began
    next.leave()
    const last = enter('c')
    assert.equal(await last.began, true, 'every turn is there again')
    last.leave()
  })

  it('says what a page waits for: pages of the same session, or of others', async () => {
    const bounds = { ...BOUNDS, waiting: 10, slowPerSession: 1 }
    const queue = new PageQueue({ bounds, patienceMs: 0 })
    const asker = (session: string) => ({ address: 'office', session })
    const slow = admitted(queue.enter(asker('a')))
    await slow.began
    assert.equal(queue.waitOf(asker('a')), null)
    const next = admitted(queue.enter(asker('a')))
    const other = admitted(queue.enter(asker('b')))
    assert.equal(queue.waitOf(asker('b')), 'others')
    await other.began
    assert.equal(queue.waitOf(asker('a')), 'own')
    for (const place of [other, slow]) place.leave()
    await next.began
    assert.equal(queue.waitOf(asker('a')), null)
    next.leave()
  })

  it('lets pages keep their turns where too many go on without', async () => {
    const queue = new PageQueue({ bounds: { ...BOUNDS, slow: 1 }, patienceMs: 0 })
    const places = ['a', 'b', 'c'].map((session) => admitted(queue.enter({ address: 'office', session })))
    const [one, two, three] = places
    await one?.began
    await two?.began
    let began = false
    void three?.began.then(() => {
      began = true
    })
    await new Promise<void>((resolve) => setTimeout(resolve, 5))
    await settled()
    assert.equal(began, false)
    two?.leave()
    assert.equal(await three?.began, true)
    one?.leave()
    three?.leave()
  })

  it('begins one page each time the loop goes round', async () => {
    const rounds: (() => void)[] = []
    const queue = new PageQueue({ bounds: { ...BOUNDS, running: 3 }, soon: (run) => void rounds.push(run) })
    let began = 0
    for (const address of ['a', 'b', 'c']) {
      const place = admitted(queue.enter({ address, session: null }))
      void place.began.then(() => {
        began++
        place.leave()
      })
    }
    for (const expected of [0, 1, 2, 3]) {
      assert.equal(began, expected)
      rounds.shift()?.()
      await Promise.resolve()
      assert.ok(rounds.length <= 1)
    }
  })

  it('lets another begin while somebody waits for what needs no turn', async () => {
    const { first, order, wait } = await busyQueue()
    const { promise: work, resolve: end } = Promise.withResolvers<string>()
    const beside = first.aside(() => work)
    wait('a')
    await settled()
    assert.deepEqual(order, ['a'])
    end('hashed')
    assert.equal(await beside, 'hashed')
    wait('b')
    await settled()
    assert.deepEqual(order, ['a'], 'whoever comes back has the turn again')
    first.leave()
    await settled()
    assert.deepEqual(order, ['a', 'b'])
  })

  it('lets so many run at a time, and the next when one is done', async () => {
    const queue = new PageQueue({ bounds: { ...BOUNDS, running: 2 } })
    const places = ['a', 'b', 'c'].map((address) => admitted(queue.enter({ address, session: null })))
    const began: number[] = []
    places.forEach(({ began: turn }, index) => void turn.then(() => began.push(index)))
    await settled()
    assert.deepEqual(began, [0, 1])
    places[0]?.leave()
    places[0]?.leave()
    await settled()
    assert.deepEqual(began, [0, 1, 2])
  })

  it('goes round the sessions, so that one with many pages holds up nobody', async () => {
    const { first, order, wait } = await busyQueue()
    wait('a1', 'a')
    wait('a2', 'a')
    wait('b1', 'b')
    first.leave()
    await settled()
    assert.deepEqual(order, ['a1', 'b1', 'a2'])
  })

  it('refuses beyond the bound of those who wait', async () => {
    const { queue, wait } = await busyQueue()
    for (const name of ['1', '2', '3']) wait(name)
    assert.equal(queue.enter({ address: 'another', session: null }), 'overloaded')
  })

  it('refuses more of one address and of one session, and forgets both when they are done', async () => {
    const { queue, first, wait } = await busyQueue({ ...BOUNDS, waiting: 10, perAddress: 3, perSession: 2 })
    wait('1', 's')
    wait('2', 's')
    assert.equal(queue.enter({ address: 'elsewhere', session: 's' }), 'rate_limited')
    wait('3', 't')
    assert.equal(queue.enter({ address: 'office', session: 'u' }), 'rate_limited')
    first.leave()
    await settled()
    admitted(queue.enter({ address: 'office', session: 's' }))
  })

  it('forgets who goes away while waiting, and takes nothing back from who has begun', async () => {
    const { queue, first, order, wait } = await busyQueue()
    const gone = wait('gone')
    wait('next')
    first.giveUp()
    gone.giveUp()
    await settled()
    assert.deepEqual(order, ['gone left'])
    first.leave()
    await settled()
    assert.deepEqual(order, ['gone left', 'next'])
    const again = admitted(queue.enter({ address: 'office', session: null }))
    assert.equal(await again.began, true)
  })
})
