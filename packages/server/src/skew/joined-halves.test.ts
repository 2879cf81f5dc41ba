import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { orgId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { SHOP } from '#testing/builders/ids.ts'
import { aStaleClick, aStaleRequest } from '#testing/builders/stale-click.ts'
import { NOW } from '#testing/builders/times.ts'
import { firstHalf, type StaleClick } from './clicks.ts'
import { joinHalves } from './joined-halves.ts'
import { ToldBefore } from './told-before.ts'

const HALVES = 20_000
const NEAR_MAX = max('staleNearMax')
const ORG = orgId(1)
const orgs = new Map([[SHOP, ORG]])
const counts = new Map([[SHOP, 0]])

/** The click, which counts how often somebody asks for its time. */
function watched(click: StaleClick, onAsk: () => void): StaleClick {
  const get = () => {
    onAsk()
    return click.atMs
  }
  return Object.defineProperty({ ...click }, 'atMs', { enumerable: true, get })
}

function storedClick(id: number, click: StaleClick) {
  return { id, orgId: ORG, seriesId: 1, slot: 1, click }
}

describe('halves of a batch', () => {
  it('are each compared with as many clicks as may be near, however many are', () => {
    let asked = 0
    const stored = Array.from({ length: 1_000 }, (_, at) => {
      const seen = aStaleClick({ atMs: NOW - 1 - at, subject: `stored ${at}` })
      return storedClick(
        at + 1,
        watched(firstHalf(seen), () => asked++),
      )
    })
    const seen = Array.from({ length: HALVES }, (_, at) =>
      aStaleClick({ atMs: NOW + (at % 9_000), subject: `/seen ${at}.js` }),
    )
    const { touched } = joinHalves(seen, { stored, counts, orgs })
    assert.equal(touched.length, HALVES)
    // Of each that is near, its time alone: to take it, to find it, and to compare it.
    assert.ok(asked <= HALVES * 3 * NEAR_MAX, `${asked} looks at stored clicks`)
    assert.ok(asked > HALVES, `${asked} looks at stored clicks`)
  })

  for (const [count, isFound] of [
    [NEAR_MAX - 1, true],
    [NEAR_MAX, true],
    [NEAR_MAX + 1, false],
  ] as const)
    it(`find the last of ${count} by time: ${isFound}`, () => {
      const none = { traceId: null, user: null }
      const stored = Array.from({ length: count }, (_, at) => {
        const subject = at === count - 1 ? '40f1c2' : `other ${at}`
        return storedClick(at + 1, firstHalf(aStaleRequest({ ...none, atMs: NOW + at, subject })))
      })
      const { steps } = joinHalves([aStaleClick({ ...none, atMs: NOW })], { stored, counts, orgs })
      // A click that only a browser told of has no release that answered.
      assert.equal(steps[0]?.click.release !== '', isFound)
    })
})

describe('clicks that were told before', () => {
  it('are the last of those near, however many there are', () => {
    const before = new ToldBefore(() => ORG)
    const clicks = Array.from({ length: NEAR_MAX + 1 }, (_, at) =>
      firstHalf(aStaleClick({ traceId: null, subject: `${at}` })),
    )
    for (const click of clicks) before.add(click)
    assert.deepEqual(before.near(aStaleClick()), clicks.slice(1).toReversed())
  })

  it('are those of the trace in the organisation, whatever trace another names', () => {
    const [own, other] = [projectId(71), projectId(72)]
    for (const [isSame, count] of [
      [true, 1],
      [false, 0],
    ] as const) {
      const before = new ToldBefore((project) => (project === own || isSame ? ORG : orgId(2)))
      before.add(firstHalf(aStaleRequest({ projectId: other, atMs: NOW })))
      // Near by the trace alone: the other project is none of its own.
      assert.equal(before.near(aStaleClick({ projectId: own, atMs: NOW })).length, count)
    }
  })
})
