import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type CpuProfile, shareOf } from './cpu-profile.ts'

const node = (id: number, functionName: string, children: readonly number[] = []) => ({
  ...{ id, children, callFrame: { functionName, url: '', lineNumber: 0 } },
})

/** root → ingest → rules → sql, ingest → write; idle beside it. A sample every 100 µs from 1,000 on. */
const PROFILE: CpuProfile = {
  nodes: [
    node(1, '(root)', [2, 6]),
    node(2, 'ingest', [3, 5]),
    node(3, 'rules', [4]),
    node(4, 'sql'),
    node(5, 'write'),
    node(6, '(idle)'),
  ],
  startTime: 1_000,
  samples: [2, 3, 4, 5, 6, 5, 3],
  timeDeltas: [100, 100, 100, 100, 100, 100, 100],
}

it('takes what a function calls for its own, and waiting for nobody’s', () => {
  const all = [{ fromMicros: 0, toMicros: 10_000 }]
  assert.deepEqual(shareOf(PROFILE, new Set(['rules']), all), { within: 300, busy: 600 })
})

it('counts a wait for a core as no more than a sample', () => {
  const [first, ...others] = PROFILE.timeDeltas
  const waited = { ...PROFILE, timeDeltas: [first ?? 0, 40_000, ...others.slice(1)] }
  const all = [{ fromMicros: 0, toMicros: 100_000 }]
  assert.deepEqual(shareOf(waited, new Set(['rules']), all), { within: 1_700, busy: 2_000 })
})

it('looks at the spans that are asked for alone', () => {
  const spans = [
    { fromMicros: 1_150, toMicros: 1_250 },
    { fromMicros: 1_550, toMicros: 1_650 },
  ]
  assert.deepEqual(shareOf(PROFILE, new Set(['rules']), spans), { within: 100, busy: 200 })
})
