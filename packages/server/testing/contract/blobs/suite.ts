/** Promises of every BlobStore, as tests over a real one. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { BlobStore } from '#ports/blobs.ts'

export function blobsContract(name: string, open: (directory: string) => Promise<BlobStore>): void {
  const openIn = async (t: TestContext) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-blobs-'))
    t.after(() => rm(directory, { recursive: true }))
    return open(join(directory, 'blobs'))
  }
  const bytes = (text: string) => new TextEncoder().encode(text)
  const text = (found: Uint8Array | null) => (found === null ? null : new TextDecoder().decode(found))

  describe(`blobs: ${name}`, () => {
    it('gives back what was put, replaces it whole, and forgets it when deleted', async (t) => {
      const blobs = await openIn(t)
      assert.equal(await blobs.get('quarantine/7'), null)
      await blobs.put('quarantine/7', bytes('first and longer'))
      assert.equal(text(await blobs.get('quarantine/7')), 'first and longer')
      await blobs.put('quarantine/7', bytes('second'))
      assert.equal(text(await blobs.get('quarantine/7')), 'second')
      await blobs.put('quarantine/8', new Uint8Array())
      assert.equal((await blobs.get('quarantine/8'))?.length, 0)
      await blobs.delete('quarantine/7')
      await blobs.delete('quarantine/7')
      assert.equal(await blobs.get('quarantine/7'), null)
    })

    it('lists names of a prefix, sorted, with size and time', async (t) => {
      const blobs = await openIn(t)
      const before = Date.now() - 2_000
      for (const name of ['b/2', 'a/10', 'a/1', 'a/sub/3', 'ab/1']) await blobs.put(name, bytes(name))
      const names = async (prefix: string) => (await blobs.list(prefix)).map(({ name }) => name)
      assert.deepEqual(await names('a/'), ['a/1', 'a/10', 'a/sub/3'])
      assert.deepEqual(await names('a/1'), ['a/1', 'a/10'])
      assert.deepEqual(await names('a'), ['a/1', 'a/10', 'a/sub/3', 'ab/1'])
      assert.deepEqual(await names(''), ['a/1', 'a/10', 'a/sub/3', 'ab/1', 'b/2'])
      assert.deepEqual(await names('nowhere/'), [])
      assert.deepEqual(await names('../'), [])
      const [listed] = await blobs.list('a/sub/')
      assert.equal(listed?.bytes, 7)
      assert.ok(listed.writtenMs > before)
    })

    it('takes names at the edge of what is allowed', async (t) => {
      const blobs = await openIn(t)
      for (const name of ['a/b', 'a/b.c_d-e', `a/${'x'.repeat(198)}`, '0/1/2/3']) {
        await blobs.put(name, bytes(name))
        assert.equal(text(await blobs.get(name)), name)
      }
    })

    const refused = [
      '',
      'a',
      '/a/b',
      'a/',
      'a//b',
      '../a',
      'a/../b',
      'a/..',
      './a/b',
      'a/.b',
      '.a/b',
      'A/b',
      'a\\b/c',
    ]
    for (const name of [...refused, 'a/b\0', 'a/b c', 'a/é', `a/${'x'.repeat(199)}`, 'c:/a', 'a/b\n']) {
      it(`refuses the name ${JSON.stringify(name.slice(0, 20))}`, async (t) => {
        const blobs = await openIn(t)
        await assert.rejects(async () => blobs.put(name, bytes('x')), { code: 'invalid_input' })
        await assert.rejects(async () => blobs.get(name), { code: 'invalid_input' })
        await assert.rejects(async () => blobs.delete(name), { code: 'invalid_input' })
      })
    }
  })
}
