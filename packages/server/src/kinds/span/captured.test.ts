/** Spans as unmodified SDKs of two generations sent them; origin in tests/fixtures/captured-spans. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import * as zlib from 'node:zlib'
import type { ProcessedBatch } from '#model/batch.ts'
import {
  anEnvelope,
  blocksOf,
  outcomesOf,
  processRecords,
  storedFragments,
} from '#testing/builders/records.ts'

interface Capture {
  readonly capturedMs: number
  readonly envelopes: readonly string[]
}

function read(name: string): ProcessedBatch {
  const file = new URL(`../../../../../tests/fixtures/captured-spans/${name}`, import.meta.url)
  const { capturedMs, envelopes } = JSON.parse(readFileSync(file, 'utf8')) as Capture // as its README says
  return processRecords(envelopes.map((body) => anEnvelope(body, { receivedMs: capturedMs })))
}

const rowsOf = (batch: ProcessedBatch) => storedFragments(batch).map(({ row }) => row)

for (const [name, sdk, query] of [
  ['node-11.12.json', 'sentry.javascript.node', 'db.query'],
  ['node-8.55.json', 'sentry.javascript.node', 'db.query'],
] as const) {
  describe(`spans of ${name}`, () => {
    const batch = read(name)
    const rows = rowsOf(batch)

    it('are two requests and a task, and nothing is left out', () => {
      assert.deepEqual(outcomesOf(batch), [])
      assert.deepEqual(
        rows.map((row) => [row.op, row.hasRoot, row.spanCount, row.httpStatus, row.end]).sort(),
        [
          ['http.server', true, 2, 200, 'answered'],
          ['http.server', true, 2, 500, 'failed'],
          ['task', true, 1, null, null],
        ],
      )
      for (const row of rows) {
        assert.deepEqual(
          [row.sdk, row.platform, row.release, row.environment, row.user, row.weight],
          [sdk, 'node', 'shop@1.0.0', 'production', 'id:77', 1],
        )
        assert.ok(Number(row.durationMs) >= 0 && Number(row.durationMs) < 1_000)
      }
      assert.ok(rows.filter(({ op }) => op === 'http.server').every(({ ops }) => String(ops).includes(query)))
    })

    it('hold none of the secrets they came with', () => {
      const payloads = blocksOf(batch).map(({ compressed }) => zlib.zstdDecompressSync(compressed).toString())
      assert.doesNotMatch(`${JSON.stringify(rows)}${payloads.join('\n')}`, /hunter2secret/)
      assert.match(payloads.join('\n'), /Filtered/)
    })
  })
}
