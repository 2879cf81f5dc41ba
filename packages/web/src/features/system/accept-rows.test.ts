import assert from 'node:assert/strict'
import { it } from 'node:test'
import { acceptRows } from './accept-rows.ts'

const ALL_WELL = { running: 4, replaced: { died: 0, hung: 0 }, socketRenewed: 0 }

for (const [threads, rows] of [
  [{ count: 1, wanted: 1, apart: null }, []],
  [{ count: 1, wanted: 4, apart: null }, ['Accept threads: 1 of 4: no shared port on this system']],
  [{ count: 4, wanted: 4, apart: ALL_WELL }, ['Accept threads: 4']],
  [{ count: 4, wanted: 4, apart: { ...ALL_WELL, running: 3 } }, ['Accept threads: 3 of 4 running']],
  [
    { count: 4, wanted: 4, apart: { ...ALL_WELL, replaced: { died: 2, hung: 1 }, socketRenewed: 1 } },
    ['Accept threads: 4', 'Restarted: 2 died, 1 hung, socket file lost once'],
  ],
  [
    { count: 4, wanted: 4, apart: { ...ALL_WELL, socketRenewed: 2 } },
    ['Accept threads: 4', 'Restarted: socket file lost 2 times'],
  ],
] as const) {
  it(`tells of accept threads: ${rows.join('; ') || 'nothing'}`, () => {
    assert.deepEqual(
      acceptRows(threads).map(([name, value]) => `${name}: ${value}`),
      rows,
    )
  })
}
