import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { collectGarbage } from '#engine/threads/idle-memory.ts'
import { returnFreedMemory } from './driver.ts'

/** Small enough to lie in an arena of the C library instead of a mapping of its own. */
const PIECE_BYTES = 60_000
const PIECES = 2_000
/** Keeps every tenth piece, so that freed ones lie between pieces in use. */
const KEPT_OF = 10
const WAIT_MS = 20_000

describe('freed memory', () => {
  // The C libraries of other systems give back what they like.
  const skip = process.platform !== 'linux'
  it('goes back to the system, also from between what is in use', { skip }, async () => {
    await returnFreedMemory() // DuckDB's own code and tables come into memory
    let pieces = Array.from({ length: PIECES }, () => new Uint8Array(PIECE_BYTES).fill(1))
    const before = process.memoryUsage.rss()
    pieces = pieces.filter((_, index) => index % KEPT_OF === 0)
    const isBack = () => before - process.memoryUsage.rss() > (PIECES * PIECE_BYTES) / 2
    // A thread of V8's own frees the arrays, a while after the collection that found them.
    for (const endMs = performance.now() + WAIT_MS; !isBack() && performance.now() < endMs; ) {
      collectGarbage()
      await returnFreedMemory()
    }
    assert.ok(isBack())
    assert.equal(pieces.length, PIECES / KEPT_OF)
  })
})
