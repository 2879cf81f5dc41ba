import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Fragment, Span } from '#model/span.ts'
import { cpuMs } from '#testing/cpu-time.ts'
import { costsOf, repeatedIn, statementOf } from './costs.ts'

const fragmentOf = (spans: readonly Span[]): Fragment => ({ spans, root: null }) as unknown as Fragment // what costs are made of

const query = (at: number, change: Partial<Span> = {}): Span => ({
  ...{ span_id: String(at).padStart(16, '0'), parent_span_id: 'a'.repeat(16), op: 'db', status: 'ok' },
  ...{ name: `SELECT * FROM lines WHERE id = ${at}`, start_timestamp: at, end_timestamp: at + 0.5 },
  ...change,
})

describe('what the time of a segment went to', () => {
  it('is own time: what children took is theirs, each moment once, and a web vital took nothing', () => {
    const span = (id: string, op: string, start: number, end: number): Span =>
      query(1, { span_id: id, op, name: op, start_timestamp: start, end_timestamp: end })
    const below = { parent_span_id: 'p' }
    const costs = costsOf(
      fragmentOf([
        span('p', 'template.render', 0, 10),
        { ...span('c', 'db', 5, 9), ...below },
        { ...span('d', 'db', 1, 6), ...below },
        { ...span('v', 'ui.webvital.lcp', 0, 10), ...below },
        {
          ...{ ...span('i', 'ui.interaction.click', 0, 10), ...below },
          attributes: { 'browser.web_vital.inp.value': 200 },
        },
      ]),
    )
    assert.deepEqual(Object.fromEntries(costs.map(({ op, totalMs }) => [op, totalMs])), {
      db: 9_000,
      'template.render': 2_000,
    })
  })

  it('is one cost a statement, and one that ran again and again is called out', () => {
    const [cost, ...rest] = costsOf(fragmentOf([1, 2, 3, 4, 5].map((at) => query(at))))
    assert.deepEqual(rest, [])
    assert.deepEqual([cost?.count, cost?.totalMs, cost?.isRepeated], [5, 2_500, true])
    assert.equal(cost?.description, 'SELECT * FROM lines WHERE id = ?')
  })

  it('names the most time first, and of spans as slow the first', () => {
    const cost = (at: number, name: string, took: number) =>
      query(at, { name, op: 'file.read', end_timestamp: at + took })
    const all = [
      cost(1, 'short', 1),
      cost(3, 'long', 2),
      cost(6, 'long', 2),
      cost(9, 'long', 1),
      cost(11, 'between', 3),
    ]
    for (const spans of [all, all.toReversed()])
      assert.deepEqual(
        costsOf(fragmentOf(spans)).map(({ totalMs }) => totalMs),
        [5_000, 3_000, 1_000],
      )
    const [most] = costsOf(fragmentOf(all))
    assert.deepEqual([most?.slowestMs, most?.slowestId], [2_000, all[1]?.span_id])
  })

  it('calls nothing out that ran side by side, or below another parent each', () => {
    const beside = [1, 2, 3, 4, 5].map((at) => query(at, { start_timestamp: 1, end_timestamp: 2 }))
    const apart = [1, 2, 3, 4, 5].map((at) => query(at, { parent_span_id: `${at}`.repeat(16) }))
    for (const spans of [beside, apart]) assert.deepEqual(repeatedIn(costsOf(fragmentOf(spans))), [])
  })

  it('is no web vital, which measures what the page shows', () => {
    const spans = ['ui.webvital.lcp', 'ui.webvital.cls', 'db'].map((op, at) => query(at, { op }))
    assert.deepEqual(
      costsOf(fragmentOf(spans)).map(({ op }) => op),
      ['db'],
    )
  })

  it('takes no longer for each of many of one statement', () => {
    const spans = Array.from({ length: 10_000 }, (_, at) => query(at, { name: 'SELECT 1' }))
    const startMs = cpuMs()
    assert.equal(costsOf(fragmentOf(spans))[0]?.count, 10_000)
    // Ten milliseconds; where each copied those before it, a hundred times as many.
    assert.ok(cpuMs() - startMs < 500, `${cpuMs() - startMs} ms`)
  })
})

describe('a statement', () => {
  it('is without values', () => {
    assert.equal(
      statementOf(`SELECT a1 FROM t WHERE b IN (1, 2, 3) AND c = 'x''y' /* trace=17 */ AND d = $1`),
      'SELECT a1 FROM t WHERE b IN (?) AND c = ? AND d = ?',
    )
  })
})
