import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { type CountedBeside, toldAs, toldFirst } from './told-twice.ts'

const SLACK_MS = max('failureSlackMs')
const AT = 1_000_000

const counted = (change: Partial<CountedBeside> = {}): CountedBeside => ({
  ...{ span: '1', kind: 'document', atMs: AT, durationMs: 100, end: 'failed', route: '/orders/7' },
  ...change,
})
type Told = Parameters<typeof toldAs>[0]
const told = (change: Partial<Told> = {}): Told => ({
  ...{ kind: 'document', route: '/_not-found', end: 'answered', atMs: AT, durationMs: 10 },
  ...change,
})
const isTold = (segment: Told, other: CountedBeside) => toldAs(segment, [other]) !== undefined

describe('a page in place of one that failed', () => {
  it('begins with the failure or after it, up to the slack behind its end', () => {
    const at = (ms: number) => isTold(told({ atMs: AT + ms }), counted())
    assert.deepEqual([-1, 0, 1].map(at), [false, true, true])
    const end = 100 + SLACK_MS
    assert.deepEqual([end - 1, end, end + 1].map(at), [true, true, false])
  })

  it('is of what failed alone, and of the same kind', () => {
    assert.equal(isTold(told(), counted({ end: 'answered' })), false)
    assert.equal(isTold(told(), counted({ kind: 'page-data' })), false)
    assert.equal(isTold(told({ route: '/other' }), counted()), false)
  })
})

describe('halves of a page of the edge runtime', () => {
  const pattern = { route: '/orders/[id]' } as const
  const address = { route: '/orders/7' } as const
  const inside = (ms: number, change: Partial<Told> = {}) =>
    told({ ...pattern, sandbox: 'inside', atMs: AT + ms, ...change })
  const outside = (ms: number, change: Partial<Told> = {}) =>
    told({ ...address, sandbox: 'outside', atMs: AT + ms, ...change })

  it('are one where the inside lies in the outside, to the millisecond', () => {
    const at = (ms: number) => isTold(inside(ms), counted())
    assert.deepEqual([-1, 0, 1].map(at), [false, true, true])
    assert.deepEqual([99, 100, 101].map(at), [true, true, false])
  })

  it('are one where the outside came second', () => {
    const at = (ms: number) => isTold(outside(ms, { durationMs: 99.5 }), counted(pattern))
    assert.deepEqual([1, 0, -100, -101].map(at), [false, true, true, false])
  })

  it('are one within a slack where a clock was corrected, the exact one before', () => {
    const at = (ms: number) => isTold(inside(ms, { isClockCorrected: true }), counted())
    assert.deepEqual([-SLACK_MS - 1, -SLACK_MS, 100 + SLACK_MS, 101 + SLACK_MS].map(at), [
      false,
      true,
      true,
      false,
    ])
    const after = (ms: number) => isTold(outside(ms, { isClockCorrected: true }), counted(pattern))
    assert.deepEqual([SLACK_MS + 1, SLACK_MS, -10 - SLACK_MS, -11 - SLACK_MS].map(after), [
      false,
      true,
      true,
      false,
    ])
    const near = counted({ span: 'near', atMs: AT + 50 })
    const exact = counted({ span: 'exact' })
    for (const both of [
      [near, exact],
      [exact, near],
    ])
      assert.equal(toldAs(inside(0, { isClockCorrected: true }), both)?.span, 'exact')
  })

  it('are taken outside first, and pages of errors last', () => {
    const all = [inside(0), told(), outside(0)]
    assert.deepEqual(toldFirst(all), [all[2], all[0], all[1]])
  })
})
