import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { blobsContract } from '#testing/contract/blobs/suite.ts'
import { openBlobDirectory } from './blob-directory.ts'

blobsContract('directory', (directory) => openBlobDirectory({ directory }))

describe('a blob directory', () => {
  it('drops half-written files when it is opened, and never lists them', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-blobs-'))
    t.after(() => rm(directory, { recursive: true }))
    await mkdir(join(directory, 'quarantine'))
    const before = await openBlobDirectory({ directory })
    await writeFile(join(directory, 'quarantine', '.writing-0011'), 'half')
    assert.deepEqual(await before.list('quarantine/'), [])
    const after = await openBlobDirectory({ directory })
    assert.deepEqual(await readdir(join(directory, 'quarantine')), [])
    assert.deepEqual(await after.list(''), [])
  })

  it('is readable by its owner alone', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-blobs-'))
    t.after(() => rm(directory, { recursive: true }))
    const blobs = await openBlobDirectory({ directory: join(directory, 'blobs') })
    await blobs.put('area/leaf', new Uint8Array([1]))
    const mode = async (path: string) => (await stat(join(directory, 'blobs', path))).mode & 0o777
    assert.deepEqual([await mode('.'), await mode('area'), await mode('area/leaf')], [0o700, 0o700, 0o600])
  })
})
