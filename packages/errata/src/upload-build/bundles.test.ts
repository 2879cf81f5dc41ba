/** Bundles of a build, read by the server's own reader. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openBundle } from '../../../server/src/artifacts/bundle.ts'
import { filesOfBundle } from '../../../server/src/artifacts/manifest.ts'
import type { CoveredFile } from './built-file.ts'
import { type BundleOptions, bundlesOf, makeBundle } from './bundles.ts'

const ID = '0a1b2c3d-0000-4000-8000-00000000000a'
const MAP = { version: 3, sources: ['../src/one.ts'], names: [], mappings: 'AAAA', debugId: ID }

describe('the bundles of a build', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'errata-bundles-'))
  const root = join(scratch, 'dist')
  for (const folder of ['dist/maps', 'src']) mkdirSync(join(scratch, folder), { recursive: true })
  after(() => rmSync(scratch, { recursive: true }))
  writeFileSync(join(scratch, 'src/one.ts'), 'export const one = 1\n')

  const covered = (file: string, over: Partial<CoveredFile> = {}): CoveredFile => ({
    ...{ state: 'covered', file, mapFile: `${file}.map`, debugId: ID, isInjected: true },
    probe: { line: 1, column: 1, expected: { source: 'one.ts', line: 1, column: 1 } },
    ...over,
  })
  const write = (name: string, text: string | object) =>
    writeFileSync(join(root, name), typeof text === 'string' ? text : JSON.stringify(text))
  const options: BundleOptions = {
    ...{ root, target: { org: 'shop', project: 'web' }, name: { release: 'shop@1', dist: '7' } },
    addressOf: (file) => `~/${file}`,
  }
  const opened = async (files: readonly CoveredFile[]) => {
    const { bytes } = await makeBundle(files, options)
    return openBundle({
      bytes: bytes.length,
      read: async (at, length) => bytes.subarray(at, at + length),
      close: async () => {},
    })
  }

  it('have scripts and maps with their ids, and lead from one to the other', async () => {
    const data = `data:application/json;base64,${Buffer.from(JSON.stringify(MAP)).toString('base64')}`
    write('[a].js', 'a()\n')
    write('[a].js.map', MAP)
    write('b.js', 'b()\n//# sourceMappingURL=maps/b.map\n')
    write('maps/b.map', { ...MAP, debugId: undefined })
    write('c.js', `c()\n//# sourceMappingURL=${data}\n`)
    const files = [
      covered('[a].js'),
      covered('b.js', { mapFile: 'maps/b.map', debugId: null }),
      covered('c.js', { mapFile: null, debugId: ID.replace('a', 'b') }),
    ]
    const bundle = await opened(files)
    const found = await filesOfBundle(bundle)
    assert.deepEqual(
      found.map(({ type, url, debugId, mapReference }) => [
        type,
        url,
        debugId?.slice(0, 2) ?? null,
        mapReference,
      ]),
      [
        ['minified_source', '~/[a].js', '0a', '[a].js.map'],
        ['source_map', '~/[a].js.map', '0a', null],
        ['minified_source', '~/b.js', null, '~/maps/b.map'],
        ['source_map', '~/maps/b.map', null, null],
        ['minified_source', '~/c.js', '0b', 'c.js.inline.map'],
        ['source_map', '~/c.js.inline.map', '0b', null],
      ],
    )
    const [a, , b, , c] = found
    assert.ok(
      [a, b, c].every((file) => typeof file?.mapKey === 'string'),
      'each script has a map',
    )
    const text = async (path: string) => Buffer.from((await bundle.read(path, 10_000)) ?? []).toString('utf8')
    const manifest = JSON.parse(await text('manifest.json'))
    assert.deepEqual([manifest.release, manifest.dist], ['shop@1', '7'])
    // Texts that maps lack come with them, and the id of the script.
    const inline = JSON.parse(await text('files/_/_/c.js.inline.map'))
    assert.deepEqual(JSON.parse(await text('files/_/_/[a].js.map')).sourcesContent, [
      'export const one = 1\n',
    ])
    assert.equal(inline.debugId, ID.replace('a', 'b'))
  })

  it('are the same bytes each time, so that a server knows them again', async () => {
    write('[a].js', 'a()\n')
    write('[a].js.map', MAP)
    const [one, other] = [
      await makeBundle([covered('[a].js')], options),
      await makeBundle([covered('[a].js')], options),
    ]
    assert.equal(one.sha1, other.sha1)
    const renamed = { ...options, name: { release: 'shop@2', dist: null } }
    assert.notEqual((await makeBundle([covered('[a].js')], renamed)).sha1, one.sha1)
  })

  it('are taken however well a script packs', async () => {
    write('long.js', `${' '.repeat(3_000_000)}a()\n`)
    write('long.js.map', MAP)
    const bundle = await opened([covered('long.js')])
    assert.equal(bundle.bytesOf('files/_/_/long.js'), 3_000_004)
  })

  it('are several where one would be large', async () => {
    write('x.js', 'x()\n')
    write('x.js.map', MAP)
    const many = Array.from({ length: 1_001 }, () => covered('x.js'))
    assert.deepEqual(
      (await bundlesOf(many, root)).map(({ length }) => length),
      [1_000, 1],
    )
    write('huge.js', 'y'.repeat(30_000_000))
    const huge = covered('huge.js', { mapFile: 'x.js.map' })
    const small = covered('x.js')
    assert.deepEqual(
      (await bundlesOf([huge, huge, small], root)).map(({ length }) => length),
      [1, 2],
    )
    assert.deepEqual(await bundlesOf([], root), [])
  })
})
