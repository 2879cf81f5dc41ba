/** Contract of every LargeBlobs, as tests over a real one. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { BlobWriter } from '#ports/blobs.ts'
import type { LargeBlobCare } from '#store/embedded/care/stores/large-blobs.ts'

const ID = 'a'.repeat(32)
const AREA = 'attachment-2026-11-29.30'
const NAME = `${AREA}/7/${ID}`

export function largeBlobsContract(name: string, open: (directory: string) => Promise<LargeBlobCare>): void {
  const openIn = async (t: TestContext) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-large-'))
    t.after(() => rm(directory, { recursive: true }))
    return open(join(directory, 'blobs', 'large'))
  }
  const keep = async (blobs: LargeBlobCare, at: string, ...pieces: readonly string[]) => {
    const writer = await blobs.begin()
    await write(writer, pieces)
    const sealed = await writer.seal()
    await writer.keep(at)
    return sealed
  }
  const namesOf = async (blobs: LargeBlobCare, area = AREA) => {
    const names: string[] = []
    for await (const { name: found } of blobs.list(area)) names.push(found)
    return names.sort()
  }

  describe(`large blobs: ${name}`, () => {
    it('gives back what was written in pieces, whole and in ranges, and says what it was', async (t) => {
      const blobs = await openIn(t)
      const sealed = await keep(blobs, NAME, 'first, ', '', 'second')
      assert.deepEqual(sealed, {
        bytes: 13,
        sha256: createHash('sha256').update('first, second').digest('hex'),
      })
      assert.equal(await read(blobs, NAME), 'first, second')
      assert.equal(await read(blobs, NAME, { start: 7, end: 10 }), 'sec')
      assert.equal(await read(blobs, NAME, { start: 13, end: 13 }), '')
      assert.equal(await blobs.bytes(NAME), 13)
    })

    it('keeps a blob of no bytes, and replaces one of the same name', async (t) => {
      const blobs = await openIn(t)
      await keep(blobs, NAME)
      assert.equal(await read(blobs, NAME), '')
      await keep(blobs, NAME, 'now more')
      assert.equal(await read(blobs, NAME), 'now more')
    })

    it('lists what has a name by its area, and nothing that is being written or was discarded', async (t) => {
      const blobs = await openIn(t)
      const open = await blobs.begin()
      await write(open, ['half'])
      const dropped = await blobs.begin()
      await write(dropped, ['gone'])
      await dropped.seal()
      await dropped.discard()
      await keep(blobs, NAME, 'a')
      await keep(blobs, `${AREA}/8/${ID}`, 'b')
      assert.deepEqual(await blobs.areas(), [AREA])
      assert.deepEqual(await namesOf(blobs), [NAME, `${AREA}/8/${ID}`])
      assert.deepEqual(await namesOf(blobs, `${AREA}/8`), [`${AREA}/8/${ID}`])
      await open.discard()
      await open.discard()
    })

    it('removes one blob, or an area, and what is absent without an error', async (t) => {
      const blobs = await openIn(t)
      await keep(blobs, NAME, 'a')
      await keep(blobs, `${AREA}/8/${ID}`, 'b')
      await blobs.remove(NAME)
      await blobs.remove(NAME)
      assert.equal(await blobs.read(NAME), null)
      assert.equal(await blobs.bytes(NAME), null)
      await blobs.removeArea(`${AREA}/8`)
      assert.deepEqual(await namesOf(blobs), [])
      await blobs.removeArea(AREA)
      assert.deepEqual(await blobs.areas(), [])
      assert.deepEqual(await namesOf(blobs), [])
    })

    it('takes no name that leads elsewhere', async (t) => {
      const blobs = await openIn(t)
      for (const bad of [
        '',
        'a',
        `../${AREA}/7/${ID}`,
        `${AREA}/../${ID}`,
        `${AREA}/7/..`,
        `${AREA}/7/${ID}/x`,
      ]) {
        await assert.rejects(async () => blobs.read(bad), /large blob/, bad)
        await assert.rejects(async () => blobs.removeArea(`${bad}/`), /large blob/, bad)
      }
    })
  })
}

async function write(writer: BlobWriter, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) await writer.append(new TextEncoder().encode(piece))
}

async function read(blobs: LargeBlobCare, name: string, range?: Parameters<LargeBlobCare['read']>[1]) {
  const stream = await blobs.read(name, range)
  return stream === null ? null : new Response(stream).text()
}
