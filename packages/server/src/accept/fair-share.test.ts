import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { keyId, projectId } from '#base/ids.ts'
import { DemandWindow, maxMinShare } from './fair-share.ts'

describe('a fair share', () => {
  const rows: readonly [demands: readonly number[], capacity: number, share: number][] = [
    [[], 10, Number.POSITIVE_INFINITY],
    [[1, 2, 3], 6, Number.POSITIVE_INFINITY],
    [[1, 2, 90], 30, 27],
    [[1, 50, 90], 31, 15],
    [[10, 10, 10], 15, 5],
    [[5], 0, 0],
  ]
  for (const [demands, capacity, share] of rows) {
    it(`of ${capacity} between ${demands.join(', ') || 'nobody'} is ${share}`, () => {
      assert.equal(maxMinShare(demands, capacity), share)
    })
  }

  it('gives out all there is, and never more; nobody could have more without somebody poorer having less', () => {
    const demands = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(demands, fc.integer({ min: 0, max: 100_000 }), (asked, capacity) => {
        const share = maxMinShare(asked, capacity)
        const given = asked.map((demand) => Math.min(demand, share))
        const total = given.reduce((sum, one) => sum + one, 0)
        const wanted = asked.reduce((sum, one) => sum + one, 0)
        assert.ok(Math.abs(total - Math.min(wanted, capacity)) < 1e-6)
        // Whoever does not get all has as much as anybody.
        const most = Math.max(...given)
        for (const [index, one] of given.entries()) assert.ok(one === asked[index] || one >= most - 1e-9)
      }),
    )
  })
})

describe('the window of demand', () => {
  const open = () => new DemandWindow({ seconds: 4, keysMax: 3 })
  const [one, two, three] = [keyId(1), keyId(2), keyId(3)]
  const [shop, blog] = [projectId(1), projectId(2)]

  it('forgets what is older than it', () => {
    const demand = open()
    demand.ask(one, shop, 400)
    demand.pass(3)
    demand.ask(one, shop, 40)
    assert.equal(demand.ask(one, shop, 0)?.total, 440)
    demand.pass(1)
    assert.equal(demand.ask(one, shop, 0)?.total, 40)
    demand.pass(1_000_000)
    assert.equal(demand.ask(one, shop, 0)?.total, 0)
  })

  it('follows so many keys, and lets others pass', () => {
    const demand = open()
    for (const key of [one, two, three]) assert.notEqual(demand.ask(key, shop, 1), null)
    assert.equal(demand.ask(keyId(4), shop, 1), null)
    demand.pass(4)
    assert.notEqual(demand.ask(keyId(4), shop, 1), null)
  })

  it('measures a key over the seconds it has been seen, not over those it was not there', () => {
    const demand = open()
    for (let second = 0; second < 10; second++) {
      demand.ask(one, shop, 1_000)
      if (second >= 8) demand.ask(three, blog, 5_000)
      demand.pass(1)
    }
    demand.share(100, 0)
    assert.deepEqual(
      demand.heldBack().map(({ keyId: key, rate }) => [key, rate]),
      [
        [three, 5_000],
        [one, 750],
      ],
    )
  })

  it('shares between projects first, then between the keys of the heavy one', () => {
    const demand = open()
    demand.ask(one, shop, 1_000)
    demand.ask(two, shop, 10)
    demand.ask(three, blog, 100)
    demand.share(500, 0)
    const held = demand.heldBack()
    assert.deepEqual(
      held.map(({ keyId: key, allowed, rate }) => [key, allowed, rate]),
      [[one, 390, 1_000]],
    )
  })

  it('never leaves a project less than the least', () => {
    const demand = open()
    demand.ask(one, shop, 1_000)
    demand.ask(three, blog, 20)
    demand.share(0, 100)
    assert.deepEqual(
      demand.heldBack().map(({ keyId: key, allowed }) => [key, allowed]),
      [[one, 100]],
    )
  })
})
