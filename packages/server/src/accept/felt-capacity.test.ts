import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FeltCapacity, type Look, UsualRate } from './felt-capacity.ts'

/** Looks twice a second for so long; `towards` may move. */
function follow(
  felt: FeltCapacity,
  seconds: number,
  { towards, ...change }: Partial<Omit<Look, 'towards'>> & { towards: (second: number) => number },
): number {
  for (let second = 0.5; second <= seconds; second += 0.5) {
    felt.follow({ asked: 1_000, seconds: 0.5, isOpen: true, ...change, towards: towards(second) })
  }
  return felt.perSecond()
}
const stays = (at: number) => () => at

describe('what usually comes in', () => {
  const usual = (...spells: readonly (readonly [rate: number, minutes: number])[]) => {
    const rate = new UsualRate()
    for (const [bytes, minutes] of spells) for (let at = 0; at < minutes * 60; at++) rate.note(bytes, 1)
    return rate.perSecond()
  }
  it('is unknown at first, and while nothing comes', () => {
    assert.equal(new UsualRate().perSecond(), null)
    assert.equal(usual([1_000, 0.1]), null)
    assert.equal(usual([0, 60]), null)
    assert.equal(usual([1_000, 1]), 1_000)
  })

  it('remembers the day through a quiet night', () => {
    assert.ok((usual([1_000, 720], [0, 480]) ?? 0) > 500)
  })

  it('follows a busy hour, and hardly a burst', () => {
    assert.ok((usual([100, 720], [1_000, 60]) ?? 0) > 900)
    assert.ok((usual([100, 720], [10_000, 0.1]) ?? 0) < 250)
  })
})

describe('what memory or disk bear', () => {
  it('is what usually comes in, a little less, and the less the nearer the hard limit is', () => {
    const felt = new FeltCapacity()
    const begun = [0, 0.5, 1].map((towards) => {
      felt.begin(1_000, towards)
      return felt.perSecond()
    })
    assert.deepEqual(begun, [900, 450, 90])
  })

  it('is all that is asked where nothing is known of before, however near the hard limit is', () => {
    const felt = new FeltCapacity()
    felt.begin(null, 0.8)
    assert.equal(felt.perSecond(), Number.POSITIVE_INFINITY)
    assert.equal(follow(felt, 60, { towards: stays(0.8) }), 1_000)
  })

  it('grows to all that is asked within a minute while it does not get worse', () => {
    const felt = new FeltCapacity()
    felt.begin(100, 0.2)
    const soon = follow(felt, 10, { towards: stays(0.2) })
    assert.ok(soon > 200 && soon < 300, `${soon}`)
    assert.equal(follow(felt, 50, { towards: stays(0.2) }), 1_000)
    assert.equal(follow(felt, 50, { towards: stays(0.2), asked: 10 }), 1_000, 'a pause takes nothing')
  })

  it('shrinks with the way that is left, down to a tenth of what is usual', () => {
    const felt = new FeltCapacity()
    felt.begin(1_000, 0)
    const half = follow(felt, 100, { towards: (second) => second / 200 })
    assert.ok(half > 400 && half < 520, `${half}`)
    assert.equal(follow(felt, 100, { towards: (second) => 0.5 + second / 200 }), 100)
  })

  it('refuses nobody for a disk that takes a day to fill', () => {
    const felt = new FeltCapacity()
    felt.begin(1_000, 0)
    assert.ok(follow(felt, 3_600, { towards: (second) => second / 86_400 }) > 990)
  })

  it('learns nothing while nobody is let in, and begins low after that', () => {
    const felt = new FeltCapacity()
    felt.begin(1_000, 0)
    assert.equal(follow(felt, 600, { towards: stays(1), isOpen: false }), 100)
    const open = follow(felt, 10, { towards: stays(0.8) })
    assert.ok(open > 200 && open < 300, `${open}`)
  })
})
