import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryDirectory } from '../server/temporary-directory.ts'
import { compactedBytes } from './compaction.ts'

/** A program in the product's place, with a data directory of 1,000 bytes. */
function productOf(directory: string, program: string) {
  const [bin, data] = [join(directory, 'errata.mjs'), join(directory, 'data')]
  writeFileSync(bin, program)
  mkdirSync(data)
  writeFileSync(join(data, 'payloads'), Buffer.alloc(1_000))
  return { product: { directory, bin, hash: 'test' }, data }
}

describe('the size after compaction', () => {
  it('is what the product leaves when its command has ended', async () => {
    using directory = temporaryDirectory()
    const { product, data } = productOf(
      directory.path,
      `import { truncateSync } from 'node:fs'
      const [command, , data] = process.argv.slice(2)
      if (command === 'compact') truncateSync(data + '/payloads', 400)`,
    )
    assert.deepEqual(await compactedBytes(product, data), { total: 400, parts: { payloads: 400 } })
  })

  it('is none when compaction fails, with what the product says', async () => {
    using directory = temporaryDirectory()
    const { product, data } = productOf(
      directory.path,
      `console.error('the disk is full')
      process.exitCode = 1`,
    )
    await assert.rejects(compactedBytes(product, data), /the disk is full/)
  })
})
