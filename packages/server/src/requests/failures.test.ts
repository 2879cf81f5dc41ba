import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { failureDistance } from './failures.ts'

const SLACK_MS = max('failureSlackMs')
const AT = 1_000_000
const segment = { atMs: AT, durationMs: 99.5, ended: 'answered' } as const

describe('the distance of a failure from a segment', () => {
  it('is none beyond the slack, before its start and after its end', () => {
    const isNear = (ms: number) => failureDistance(segment, AT + ms) !== null
    assert.deepEqual([-SLACK_MS - 1, -SLACK_MS, -SLACK_MS + 1].map(isNear), [false, true, true])
    const end = 100 + SLACK_MS
    assert.deepEqual([end - 1, end, end + 1].map(isNear), [true, true, false])
  })

  it('is least where the segment failed itself, then where it began last, and grows outside', () => {
    const of = (atMs: number, ended = 'answered') =>
      failureDistance({ ...segment, atMs, ended }, AT + 50) ?? 9e9
    const order = [of(AT, 'failed'), of(AT + 40), of(AT), of(AT + 51), of(AT + 52)]
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    )
    assert.equal(new Set(order).size, order.length)
  })
})
