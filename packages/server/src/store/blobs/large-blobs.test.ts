import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { nodeDisk } from '#base/disk.ts'
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

  it('is synced bit by bit while it grows, and before it gets its name', async (t) => {
    const data = await mkdtemp(join(tmpdir(), 'errata-large-'))
    t.after(() => rm(data, { recursive: true }))
    const done: string[] = []
    const blobs = await openLargeBlobs({
      directory: data,
      disk: {
        ...nodeDisk,
        async create(path) {
          const file = await nodeDisk.create(path)
          return {
            writesAreDurable: false,
            read: (...of) => file.read(...of),
            write: (...of) => file.write(...of),
            async sync() {
              done.push('sync')
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
      },
    })
    const writer = await blobs.begin()
    const piece = new Uint8Array(max('blobPieceBytes'))
    for (let bytes = 0; bytes < 2 * max('blobSyncBytes'); bytes += piece.length) await writer.append(piece)
    assert.ok(done.includes('sync'), 'before the end')
    await writer.seal()
    await writer.keep(NAME)
    assert.deepEqual(done, ['sync', 'sync', 'sync', 'rename', 'directory'])
  })
})
