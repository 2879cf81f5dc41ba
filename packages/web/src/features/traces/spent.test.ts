import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { spentOf } from './spent.ts'

describe('what the time of a request went to', () => {
  const row = { durationMs: 100, requestKind: 'document', queriesMs: 30, callsMs: 20 } as const
  const parts = (change: Partial<Parameters<typeof spentOf>[0]> = {}) =>
    spentOf({ ...row, ...change }).map(({ part, ms }) => [part, ms])

  it('is its queries, its calls and the rest, of the side that it ran on', () => {
    const waited = [
      ['database', 30],
      ['calls', 20],
    ]
    assert.deepEqual(parts(), [...waited, ['server', 50]])
    assert.deepEqual(parts({ requestKind: 'browser' }), [...waited, ['browser', 50]])
    assert.deepEqual(parts({ queriesMs: 0, callsMs: 0 }), [['server', 100]])
  })

  it('is its own where nobody told, and never more than the whole', () => {
    assert.deepEqual(parts({ queriesMs: null, callsMs: null }), [['server', 100]])
    assert.deepEqual(parts({ queriesMs: 90, callsMs: 50 }), [
      ['database', 90],
      ['calls', 10],
    ])
    assert.deepEqual(parts({ queriesMs: 140, callsMs: 5 }), [['database', 100]])
    assert.deepEqual(parts({ durationMs: 0, queriesMs: 0, callsMs: 0 }), [])
  })
})
