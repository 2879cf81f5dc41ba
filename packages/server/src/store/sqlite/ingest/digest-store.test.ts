import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { systemClock } from '#base/clock.ts'
import { digest } from '#base/ids.ts'
import { silentLog as log } from '#base/log.ts'
import { type DigestState, digestAfter } from '#issues/digest-sums.ts'
import type { DigestDelta } from '#ports/ingest.ts'
import { aBatch, withGroups } from '#testing/builders/control-batch.ts'
import { anEventId } from '#testing/builders/ids.ts'
import { anEvent } from '#testing/builders/stored-event.ts'
import { aControlWorld } from '#testing/contract/control/world.ts'
import { openNewControl } from '#testing/new-control.ts'
import { openControlReader } from '../control-reader.ts'

/** Few times, so that events at the same time are common. */
const added = fc.record({
  at: fc.integer({ min: 1_000, max: 1_005 }),
  length: fc.nat({ max: 3 }),
  count: fc.integer({ min: 1, max: 5 }),
  mirrorCount: fc.nat({ max: 1 }),
  verified: fc.constantFrom(null, true, false),
  hasPayload: fc.boolean(),
  environment: fc.constantFrom(null, 'production', 'staging'),
})

describe('digests in SQLite', () => {
  it('add up as the rule says', async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'errata-digests-'))
    const path = join(directory, 'control.sqlite')
    const write = openNewControl({ path, clock: systemClock, log })
    const read = openControlReader({ path, clock: systemClock, log })
    t.after(async () => {
      await read.close()
      await write.close()
      rmSync(directory, { recursive: true })
    })
    const { scope, shop } = await aControlWorld({ write, read, close: async () => {} })
    let seq = 1
    let runs = 0
    const asked = fc.asyncProperty(fc.array(added, { minLength: 2, maxLength: 6 }), async (changes) => {
      const number = digest(`${++runs}`)
      const deltas = changes.map(({ at, length, ...change }, index): DigestDelta => {
        const names = { release: 'a', route: `/${index}`, requestKind: 'document', traceId: null } as const
        const eventId = anEventId(`${runs} ${index}`)
        return { ...change, ...names, digest: number, eventId, firstMs: at - length, lastMs: at }
      })
      for (const delta of deltas) {
        const batch = aBatch(seq++, [anEvent({ projectId: shop, group: `${runs}` })])
        await write.applyBatch({
          ...batch,
          parts: withGroups(batch, (group) => ({ ...group, digests: [delta] })),
        })
      }
      const [first, ...rest] = deltas
      assert.ok(first !== undefined)
      const { hasPayload: _, ...begun } = first
      const {
        firstMs: firstSeenMs,
        lastMs: lastSeenMs,
        ...expected
      } = rest.reduce<DigestState>(digestAfter, begun)
      const [stored] = await read.digests(scope, [number])
      assert.ok(stored !== undefined)
      const { issueId, projectId, groupHash, ...found } = stored
      assert.deepEqual({ ...found }, { ...expected, firstSeenMs, lastSeenMs })
    })
    await fc.assert(asked, { numRuns: 60 })
  })
})
