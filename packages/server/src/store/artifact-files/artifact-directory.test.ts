/** Artifacts as files of a directory. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { orgId } from '#base/ids.ts'
import { testArtifactFiles } from '#testing/contract/artifacts/files-contract.ts'
import { openArtifactFiles } from './artifact-directory.ts'

function scratch(): string {
  return mkdtempSync(join(tmpdir(), 'errata-artifacts-'))
}

testArtifactFiles('a directory', async () => {
  const directory = scratch()
  return {
    files: await openArtifactFiles(directory),
    reopen: () => openArtifactFiles(directory),
    close: async () => rmSync(directory, { recursive: true }),
  }
})

const ORG = orgId(1)
const SHA1 = 'a'.repeat(40)

describe('the directory of artifacts', () => {
  const open = async (t: TestContext) => {
    const directory = scratch()
    t.after(() => rmSync(directory, { recursive: true }))
    return { directory, files: await openArtifactFiles(directory) }
  }

  it('is for its owner alone', async (t) => {
    const { directory, files } = await open(t)
    await files.put({ area: 'chunks', org: ORG, name: SHA1 }, Buffer.from('x'))
    for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
      assert.equal(statSync(join(directory, path)).mode & 0o077, 0, path)
  })

  it('removes what a crash left half-written, and nothing else', async (t) => {
    const { directory, files } = await open(t)
    await files.put({ area: 'chunks', org: ORG, name: SHA1 }, Buffer.from('x'))
    mkdirSync(join(directory, 'bundles', '1'), { recursive: true })
    writeFileSync(join(directory, 'bundles', '1', '.writing-0f0f'), 'half')
    const again = await openArtifactFiles(directory)
    assert.deepEqual(readdirSync(join(directory, 'bundles', '1')), [])
    assert.equal(await again.has({ area: 'chunks', org: ORG, name: SHA1 }), true)
  })

  it('keeps a chunk that is asked for as one that was written now', async (t) => {
    const { directory, files } = await open(t)
    await files.put({ area: 'chunks', org: ORG, name: SHA1 }, Buffer.from('x'))
    const old = new Date('2026-01-01')
    utimesSync(join(directory, 'chunks', '1', SHA1), old, old)
    assert.equal(await files.has({ area: 'chunks', org: ORG, name: SHA1 }), true)
    assert.equal(await files.dropChunksBefore(Date.now() - 60_000), 0)
  })
})
