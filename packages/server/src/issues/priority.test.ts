import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS } from '#base/durations.ts'
import { computedPriority } from './priority.ts'

type Facts = Parameters<typeof computedPriority>[0]
const QUIET: Facts = {
  level: 'error',
  handled: true,
  substatus: 'ongoing',
  eventCount: 10,
  firstSeenMs: 0,
  lastSeenMs: 10 * HOUR_MS,
  users: { count: 1, isExact: true },
}
const users = (count: number) => ({ users: { count, isExact: true } })

describe('the priority of an issue', () => {
  const CASES: readonly (readonly [string, Partial<Facts>, string])[] = [
    ['a handled error', {}, 'medium'],
    ['an unhandled error', { handled: false }, 'medium'],
    ['an unhandled error of ten users', { handled: false, ...users(10) }, 'high'],
    ['a handled error of a hundred users', users(100), 'high'],
    ['an unhandled error that came back', { handled: false, substatus: 'regressed' }, 'high'],
    ['an unhandled error of 100 events an hour', { handled: false, eventCount: 1_000 }, 'high'],
    ['the same within its first hour', { handled: false, eventCount: 100, lastSeenMs: 5 }, 'high'],
    ['a fatal one', { level: 'fatal' }, 'high'],
    ['a warning', { level: 'warning' }, 'low'],
    ['a warning of a hundred users', { level: 'warning', ...users(100) }, 'medium'],
    ['an info', { level: 'info', ...users(100) }, 'low'],
  ]
  for (const [name, change, wanted] of CASES)
    it(`of ${name} is ${wanted}`, () => assert.equal(computedPriority({ ...QUIET, ...change }), wanted))
})
