import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { issueId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import { aHash } from '#testing/builders/ids.ts'
import {
  type BoundedAsk,
  boundsOf,
  eventsPerIssue,
  isBounded,
  type KnownOfGroup,
  needsDigests,
  payloadWindow,
  UNBOUNDED,
} from './payload-bounds.ts'

const asked = (change: Partial<BoundedAsk> & { readonly events?: number }): BoundedAsk => {
  const { events = 1, ...others } = change
  return {
    ask: { projectId: projectId(1), hash: aHash('boom'), events },
    ...{ bounds: { cap: 10, begins: null }, issueId: issueId(4) },
    ...others,
  }
}
const known = (change: Partial<KnownOfGroup> = {}): KnownOfGroup => ({
  window: { hour: 7, events: 8 },
  digests: ['123'],
  ...change,
})

describe('what the commit is told of payloads', () => {
  it('is nothing where the project bounds nothing', () => {
    assert.ok(!isBounded(UNBOUNDED))
    const window = payloadWindow(asked({ bounds: UNBOUNDED, issueId: null }), 9, known())
    assert.deepEqual(window, { cap: null, issueId: null, hour: 0, events: 0, begins: null, digests: null })
  })

  it('is the issue’s hour, and its digests where the cap may be passed', () => {
    const within = payloadWindow(asked({}), 2, known())
    assert.deepEqual([within.hour, within.events, within.digests], [7, 8, null])
    assert.deepEqual(payloadWindow(asked({}), 3, known()).digests, new Set(['123']))
  })

  it('needs the digests of a group whose issue may pass the cap, and of no other', () => {
    const window = { hour: 7, events: 8 }
    const needs = (change: Parameters<typeof asked>[0], events: number) =>
      needsDigests(asked(change), events, window)
    assert.deepEqual(
      [1, 2, 3].map((events) => needs({}, events)),
      [false, false, true],
    )
    assert.ok(!needs({ issueId: null }, 3))
    assert.ok(!needs({ bounds: UNBOUNDED }, 3))
  })

  it('says nothing of digests where there are so many that a new one is nothing special', () => {
    const many = Array.from({ length: max('digestPayloadsMax') }, (_, at) => `${at}`)
    assert.equal(payloadWindow(asked({}), 3, known({ digests: many })).digests, null)
  })

  it('of a new group is how many issues may begin, and that it has no digest yet', () => {
    const bounds = boundsOf(
      { ...PROJECT_OPTIONS_DEFAULT, payloadsPerIssueHour: 10, spikeProtection: true },
      { hour: 7, events: 2 },
    )
    const window = payloadWindow(asked({ bounds, issueId: null, events: 11 }), 0, known())
    assert.deepEqual([window.begins, window.digests], [{ hour: 7, count: 2 }, new Set()])
    const full = payloadWindow(asked({ bounds, issueId: null, events: 10 }), 0, known())
    assert.equal(full.digests, null, 'as many as the cap are all kept')
  })

  it('counts the groups of an issue together', () => {
    const sums = eventsPerIssue([asked({ events: 2 }), asked({ events: 3 }), asked({ issueId: null })])
    assert.deepEqual([...sums], [[4, 5]])
  })
})
