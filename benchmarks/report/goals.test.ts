import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeLatency } from '../measures/latency.ts'
import { refusedRows } from './goals.ts'

describe('rows of what was refused', () => {
  it('are left away when everything was acknowledged', () => {
    assert.deepEqual(refusedRows('half load', { 200: 4_000, 204: 1 }, 0), [])
  })

  it('say how many answers had which status, and how many never came', () => {
    const [row] = refusedRows('5 KB', { 200: 10, 429: 1_200, 503: 3, broken: 2 }, null)
    assert.deepEqual(row, {
      measure: '5 KB: refused, answers by status',
      result: '429: 1,200, 503: 3, broken: 2',
      goal: '',
      met: null,
    })
  })

  it('do not let a server that refuses half load meet the goals of those it answered', () => {
    const latency = { p50: 1, p95: 2, p99: 3, max: 4, count: 10 }
    const answers = { acknowledged: 10, lost: 0, byStatus: { 200: 10, 429: 30 }, latency }
    const memory = { memoryPeak: null, memoryAfter: null, restSeconds: 0 }
    const { rows } = describeLatency({
      rate: 5,
      capacity: 10,
      ...answers,
      pagesMs: [],
      coresBusy: null,
      ...memory,
    })
    const refused = rows.find(({ measure }) => measure.includes('refused'))
    assert.deepEqual([refused?.result, refused?.goal, refused?.met], ['429: 30', '0', false])
  })
})
