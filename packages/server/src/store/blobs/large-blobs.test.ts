import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Disk, nodeDisk } from '#base/disk.ts'
import { max } from '#limits/limits.ts'
import { largeBlobsContract } from '#testing/contract/blobs/large-suite.ts'
import { openBlobDirectory } from './blob-directory.ts'
import { openLargeBlobs } from './large-blobs.ts'

largeBlobsContract('directory', (directory) => openLargeBlobs({ directory }))

const NAME = `attachment-2026-11-29.30/7/${'b'.repeat(32)}`

describe('a directory of large blobs', () => {
  it('is readable by its owner alone, and what was half written is gone with the next start', async (t) => {
    const data = await mkdtemp(join(tmpdir(), 'errata-large-'))
    t.after(() => rm(data, { recursive: true }))
    const directory = join(data, 'blobs', 'large')
    const blobs = await openLargeBlobs({ directory })
    const named = await blobs.begin()
    await named.append(new Uint8Array([1]))
    await named.seal()
    await named.keep(NAME)
    await (await blobs.begin()).append(new Uint8Array(10))
    assert.equal((await readdir(directory)).length, 2)
    const modes = ['.', 'attachment-2026-11-29.30/7', NAME].map(
      async (path) => (await stat(join(directory, path))).mode & 0o777,
    )
    assert.deepEqual(await Promise.all(modes), [0o700, 0o700, 0o600])
    await openBlobDirectory({ directory: join(data, 'blobs') })
    assert.deepEqual(await readdir(directory), ['attachment-2026-11-29.30'])
  })

  /** Blobs on a disk that tells what it does; `sync` is awaited before each. */
  async function told(t: TestContext, sync: (written: () => number) => Promise<void> = async () => {}) {
    const directory = await mkdtemp(join(tmpdir(), 'errata-large-'))
    t.after(() => rm(directory, { recursive: true }))
    const done: string[] = []
    let written = 0
    const disk: Disk = {
      ...nodeDisk,
      async create(path) {
        const file = await nodeDisk.create(path)
        return {
          writesAreDurable: false,
          read: (...of) => file.read(...of),
          async write(buffers, at) {
            await file.write(buffers, at)
            written = at + buffers.reduce((sum, { length }) => sum + length, 0)
          },
          async sync() {
            done.push('sync')
            await sync(() => written)
            await file.sync()
          },
          truncate: (bytes) => file.truncate(bytes),
          size: () => file.size(),
          close: () => file.close(),
        }
      },
      async rename(from, to) {
        done.push('rename')
        await nodeDisk.rename(from, to)
      },
      async syncDirectory(path) {
        if (done.includes('rename')) done.push('directory')
        await nodeDisk.syncDirectory(path)
      },
    }
    const writer = await (await openLargeBlobs({ directory, disk })).begin()
    const piece = new Uint8Array(max('blobPieceBytes'))
    const append = async (all: number) => {
      for (let bytes = 0; bytes < all; bytes += piece.length) await writer.append(piece)
    }
    return { writer, done, append }
  }

  it('is synced bit by bit while it grows, and before it gets its name', async (t) => {
    const { writer, done, append } = await told(t)
    await append(2 * max('blobSyncBytes'))
    assert.ok(done.includes('sync'), 'before the end')
    await writer.seal()
    await writer.keep(NAME)
    assert.deepEqual(done.slice(-3), ['sync', 'rename', 'directory'])
  })

  it('grows while it is synced, as far as a slow disk may be behind', async (t) => {
    const most = max('blobSyncBytes') + max('blobUnsyncedBytes')
    const during: number[] = []
    const { writer, append } = await told(t, async (written) => {
      if (during.length > 0) return
      while (written() < most) await setImmediate()
      for (let turns = 0; turns < 50; turns++) await setImmediate()
      during.push(written())
    })
    await append(2 * most)
    await writer.seal()
    assert.deepEqual(during, [most])
  })

  it('tells whoever goes on of a sync that failed', async (t) => {
    const { writer, append } = await told(t, async () => {
      throw new Error('EIO')
    })
    await assert.rejects(append(4 * max('blobUnsyncedBytes')), /EIO/)
    await assert.rejects(writer.seal(), /EIO/)
    await writer.discard()
  })
})
