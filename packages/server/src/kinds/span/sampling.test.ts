import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isSpanSampled } from './read.ts'

const row = { traceId: 'a'.repeat(32), end: 'answered', status: 'ok', durationMs: 10 } as const
const RULE = { share: 0.000_001, slowMs: 500 }

describe('the sampling rule of a project', () => {
  it('keeps everything where there is none', () => {
    assert.equal(isSpanSampled(row, null), true)
  })

  it('keeps what failed and what was slow, and of the rest next to nothing', () => {
    assert.equal(isSpanSampled(row, RULE), false)
    assert.equal(isSpanSampled({ ...row, durationMs: 500 }, RULE), true)
    assert.equal(isSpanSampled({ ...row, durationMs: 499 }, RULE), false)
    assert.equal(isSpanSampled({ ...row, end: 'failed' }, RULE), true)
    assert.equal(isSpanSampled({ ...row, end: 'failed-behind-200' }, RULE), true)
    assert.equal(isSpanSampled({ ...row, end: 'aborted' }, RULE), false)
    assert.equal(isSpanSampled({ ...row, end: null, status: 'internal_error' }, RULE), true)
    assert.equal(isSpanSampled({ ...row, end: null, status: 'cancelled' }, RULE), false)
  })

  it('keeps about its share of traces, each whole', () => {
    const kept = Array.from({ length: 4_000 }, (_, at) => at.toString(16).padStart(32, '0')).filter(
      (traceId) => isSpanSampled({ ...row, traceId }, { share: 0.25, slowMs: 500 }),
    )
    assert.ok(Math.abs(kept.length - 1_000) < 120, String(kept.length))
  })
})
