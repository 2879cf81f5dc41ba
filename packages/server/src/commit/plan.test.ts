import assert from 'node:assert/strict'
import { it } from 'node:test'
import { keyId, projectId, seq } from '#base/ids.ts'
import { KINDS } from '#kinds/kinds.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import { encodeRows } from '#store/duckdb/row-lines.ts'
import { planCommit } from './plan.ts'

const MIDDLE = 1_000_000
const times = [MIDDLE - 1, MIDDLE, MIDDLE + 1]

/** Every order in which three outcomes of one key may come. */
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]

for (const order of ORDERS)
  it(`takes a key for used at the newest time of a batch, which came as number ${order.indexOf(2) + 1}`, async () => {
    const outcomes = order.map((at) => anOutcome(1, times[at] ?? 0))
    const keysUsed = await keysUsedOf([...outcomes, anOutcome(2, 5)])
    assert.deepEqual(keysUsed, [
      { keyId: keyId(1), atMs: MIDDLE + 1 },
      { keyId: keyId(2), atMs: 5 },
    ])
  })

it('takes no key for used where nobody’s was sent with', async () => {
  assert.deepEqual(await keysUsedOf([{ ...anOutcome(1, 5), keyId: null }]), [])
})

function anOutcome(key: number, atMs: number): CountedOutcome {
  const of = { category: 'error', quantity: 1, projectId: projectId(1), keyId: keyId(key) }
  return { outcome: 'accepted', reason: null, ...of, atMs }
}

async function keysUsedOf(outcomes: readonly CountedOutcome[]) {
  const range = { file: '/nowhere', start: 0, end: 0, firstSeq: seq(1), lastSeq: seq(9) }
  const nothing = () => Promise.reject(new Error('a batch without parts asks nothing'))
  const control = { payloadWindows: nothing, staleGroups: nothing, toldErrors: nothing }
  const plan = await planCommit(
    { range, parts: [], outcomes, quarantined: [] },
    {
      kinds: KINDS,
      eventIds: { fresh: async (asked) => asked.map(() => true) },
      control,
      encoding: encodeRows,
    },
  )
  return plan.control.keysUsed
}
