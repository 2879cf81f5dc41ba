/** Contract of the store of artifact bytes: chunks, bundles, compiled maps. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { orgId } from '#base/ids.ts'
import type { ArtifactFiles } from '#ports/artifact-files.ts'

interface FilesUnderTest {
  readonly files: ArtifactFiles
  /** The same files, opened anew. */
  reopen(): Promise<ArtifactFiles>
  close(): Promise<void>
}

const ACME = orgId(1)
const RIVAL = orgId(2)
const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex')
const [FIRST, SECOND] = [Buffer.from('first piece, '), Buffer.from('second piece')]
const WHOLE = Buffer.concat([FIRST, SECOND])

export function testArtifactFiles(name: string, open: () => Promise<FilesUnderTest>): void {
  describe(`ArtifactFiles: ${name}`, () => {
    let under: FilesUnderTest
    beforeEach(async () => {
      under = await open()
    })
    afterEach(() => under.close())

    const putBoth = async () => {
      for (const piece of [FIRST, SECOND])
        await under.files.put({ area: 'chunks', org: ACME, name: sha1(piece) }, piece)
    }

    it('joins chunks of one organisation in their order, and reads what was joined in pieces', async () => {
      await putBoth()
      assert.equal(await under.files.join(ACME, sha1(WHOLE), [sha1(FIRST), sha1(SECOND)]), 'joined')
      const bundle = await under.files.openBundle(ACME, sha1(WHOLE))
      assert.equal(bundle.bytes, WHOLE.length)
      assert.deepEqual(Buffer.from(await bundle.read(6, 10)), WHOLE.subarray(6, 16))
      assert.deepEqual(Buffer.from(await bundle.read(20, 1_000)), WHOLE.subarray(20))
      assert.equal((await bundle.read(1_000, 10)).length, 0)
      await bundle.close()
    })

    it('keeps nothing of chunks that make other bytes than they should', async () => {
      await putBoth()
      assert.equal(await under.files.join(ACME, sha1(WHOLE), [sha1(SECOND), sha1(FIRST)]), 'other_bytes')
      assert.equal(await under.files.has({ area: 'bundles', org: ACME, name: sha1(WHOLE) }), false)
      assert.deepEqual(await under.files.names(ACME), { bundles: [], maps: [] })
    })

    it('says that a chunk is gone', async () => {
      await under.files.put({ area: 'chunks', org: ACME, name: sha1(FIRST) }, FIRST)
      assert.equal(await under.files.join(ACME, sha1(WHOLE), [sha1(FIRST), sha1(SECOND)]), 'gone')
    })

    it('shows no organisation what is another one’s', async () => {
      await putBoth()
      await under.files.join(ACME, sha1(WHOLE), [sha1(FIRST), sha1(SECOND)])
      await under.files.put({ area: 'maps', org: ACME, name: sha1(WHOLE) }, WHOLE)
      assert.equal(await under.files.has({ area: 'chunks', org: RIVAL, name: sha1(FIRST) }), false)
      assert.equal(await under.files.join(RIVAL, sha1(WHOLE), [sha1(FIRST), sha1(SECOND)]), 'gone')
      assert.equal(await under.files.has({ area: 'bundles', org: RIVAL, name: sha1(WHOLE) }), false)
      await assert.rejects(under.files.openBundle(RIVAL, sha1(WHOLE)))
      assert.deepEqual(await under.files.names(RIVAL), { bundles: [], maps: [] })
      assert.deepEqual(await under.files.chunkUsage(RIVAL), { count: 0, bytes: 0 })
    })

    it('counts chunks, and removes those that nobody asked for since', async () => {
      await putBoth()
      assert.deepEqual(await under.files.chunkUsage(ACME), { count: 2, bytes: WHOLE.length })
      assert.equal(await under.files.dropChunksBefore(Date.now() - 60_000), 0)
      assert.equal(await under.files.dropChunksBefore(Date.now() + 60_000), 2)
      assert.equal(await under.files.has({ area: 'chunks', org: ACME, name: sha1(FIRST) }), false)
    })

    it('has everything after it was opened anew, and removes what it is told to, more than once', async () => {
      await putBoth()
      await under.files.put({ area: 'bundles', org: ACME, name: sha1(WHOLE) }, WHOLE)
      await under.files.put({ area: 'maps', org: RIVAL, name: sha1(FIRST) }, FIRST)
      const files = await under.reopen()
      assert.deepEqual([...(await files.organisations())].sort(), [ACME, RIVAL])
      assert.deepEqual(await files.names(ACME), { bundles: [sha1(WHOLE)], maps: [] })
      assert.deepEqual(await files.names(RIVAL), { bundles: [], maps: [sha1(FIRST)] })
      for (const _ of [1, 2]) {
        await files.drop('bundles', ACME, [sha1(WHOLE)])
        await files.drop('maps', RIVAL, [sha1(FIRST)])
        await files.drop('chunks', ACME, [sha1(FIRST)])
      }
      assert.deepEqual(await files.names(ACME), { bundles: [], maps: [] })
      assert.deepEqual(await files.chunkUsage(ACME), { count: 1, bytes: SECOND.length })
    })

    it('takes no name that is no hash', async () => {
      for (const evil of [
        '../../control.sqlite',
        '/etc/passwd',
        '',
        sha1(FIRST).toUpperCase(),
        `${sha1(FIRST)}/..`,
      ]) {
        await assert.rejects(
          async () => under.files.put({ area: 'chunks', org: ACME, name: evil }, FIRST),
          /named by its hash/,
        )
        await assert.rejects(async () => under.files.openBundle(ACME, evil), /named by its hash/)
      }
    })
  })
}
