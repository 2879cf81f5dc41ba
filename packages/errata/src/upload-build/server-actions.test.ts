/** Names of server actions: out of a build, into a bundle, and out of that by the server's own reader. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { actionsOfBundle } from '../../../server/src/artifacts/actions.ts'
import { openBundle } from '../../../server/src/artifacts/bundle.ts'
import { makeBundle } from './bundles.ts'
import { findServerActions } from './server-actions.ts'

const FIXTURES = new URL('../../../../tests/fixtures/server-actions/', import.meta.url)
const FAIL = '00a99c8b49aa6d8fee488f6549726bc7635288e255'
const RESERVE = '60e7468a52cab79f36dbe50deed0ef2a786506ec14'

describe('the server actions of a build', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'errata-actions-'))
  let root = ''
  beforeEach(() => {
    root = mkdtempSync(join(scratch, 'build-'))
  })
  after(() => rmSync(scratch, { recursive: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const fixture = (name: string) => readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8')

  for (const folder of ['.next/server', 'server', '.'])
    it(`are found in ${folder}, of Turbopack as of webpack`, async () => {
      write(`${folder}/server-reference-manifest.json`, fixture('turbopack'))
      assert.deepEqual((await findServerActions(root))[FAIL], { file: 'app/actions.ts', name: 'fail' })
      write(`${folder}/server-reference-manifest.json`, fixture('webpack'))
      assert.deepEqual(await findServerActions(root), {
        [RESERVE]: { file: 'app/actions.ts', name: 'reserve' },
      })
    })

  it('are named by their workers, too, and left out where nothing names a file', async () => {
    const worker = { moduleId: '7', async: false }
    const node = {
      aa: { workers: { 'app/page': { ...worker, filename: 'app/a.ts', exportedName: 'pay' } } },
      bb: { workers: { 'app/page': worker }, filename: 'app/page.tsx' },
      cc: { workers: { 'app/page': '7' }, layer: { 'app/page': 'rsc' } },
    }
    write('server/server-reference-manifest.json', JSON.stringify({ node, edge: {} }))
    assert.deepEqual(await findServerActions(root), {
      aa: { file: 'app/a.ts', name: 'pay' },
      bb: { file: 'app/page.tsx', name: '' },
    })
  })

  it('are none where there is no manifest, or an unusable one', async () => {
    assert.deepEqual(await findServerActions(root), {})
    write('server/server-reference-manifest.json', '{"node":')
    assert.deepEqual(await findServerActions(root), {})
  })

  it('go with a bundle, without the key that encrypts their arguments', async () => {
    write('server/server-reference-manifest.json', fixture('turbopack'))
    const { bytes } = await makeBundle([], {
      ...{ root, target: { org: 'shop', project: 'web' }, name: { release: 'shop@1', dist: null } },
      addressOf: (file) => `~/${file}`,
      actions: await findServerActions(root),
    })
    const bundle = await openBundle({
      bytes: bytes.length,
      read: async (at, length) => bytes.subarray(at, at + length),
      close: async () => {},
    })
    const named = await actionsOfBundle(bundle)
    assert.deepEqual(named.map(({ file, name }) => `${name} ${file}`).sort(), [
      'fail app/actions.ts',
      'go app/actions.ts',
      'pay app/actions.ts',
    ])
    for (const name of bundle.names) {
      const text = Buffer.from((await bundle.read(name, 10_000)) ?? []).toString('utf8')
      assert.ok(!text.includes('a key that must stay'), name)
    }
  })
})
