import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Span } from '#model/span.ts'
import { waitsOf } from './waits.ts'

describe('what a segment waited for', () => {
  const span = (op: string, fromMs: number, toMs: number): Span => ({
    ...{ span_id: 'a'.repeat(16), op, name: op, status: 'ok' },
    ...{ start_timestamp: 1_000 + fromMs / 1_000, end_timestamp: 1_000 + toMs / 1_000 },
  })
  const root = span('http.server', 0, 100)

  it('is its queries and its calls, each moment once', () => {
    const spans = [
      root,
      span('db', 50, 70),
      span('db.query', 10, 30),
      span('cache.get', 20, 40),
      span('http.client', 30, 60),
      span('http.client', 60, 65),
      span('function', 0, 100),
      span('dba', 70, 90),
    ]
    assert.deepEqual(waitsOf({ spans, root: 0 }), { queriesMs: 50, callsMs: 10 })
    assert.deepEqual(waitsOf({ spans: spans.toReversed(), root: 7 }), { queriesMs: 50, callsMs: 10 })
  })

  it('lies within the segment, where that is known', () => {
    const spans = [root, span('db', -20, 10), span('db', 90, 150), span('db', 200, 300)]
    assert.deepEqual(waitsOf({ spans, root: 0 }), { queriesMs: 20, callsMs: 0 })
    assert.deepEqual(waitsOf({ spans: spans.slice(1), root: null }), { queriesMs: 190, callsMs: 0 })
  })

  it('is nothing of a segment alone, even of a call', () => {
    assert.deepEqual(waitsOf({ spans: [span('http.client', 0, 50)], root: 0 }), { queriesMs: 0, callsMs: 0 })
  })
})
