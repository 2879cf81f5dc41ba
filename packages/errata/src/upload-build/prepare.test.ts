/** Builds as they lie on a disk: what of them is covered, what is not and why, and what an upload makes of the files. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { AnyMap, originalPositionFor, type SourceMapInput } from '@jridgewell/trace-mapping'
import type { BuiltFile } from './built-file.ts'
import { findScripts } from './find-scripts.ts'
import { inlineMap, mapReferenceIn } from './map-reference.ts'
import { type PrepareOptions, prepareBuild } from './prepare.ts'

const FIXTURES = fileURLToPath(new URL('../../../../tests/fixtures/builds/built/', import.meta.url))
const ID = '0a1b2c3d-0000-4000-8000-00000000000a'
const SCRIPT = 'export const one = 1;console.log(one)\n'
/** `one` of the script is at 2:7 of the source. */
const MAP = {
  ...{ version: 3, sources: ['../src/one.ts'], names: [], mappings: 'AACO' },
  sourcesContent: ['// the number\nconst one: number = 1\n'],
}
const END = '//# sourceMappingURL=a.js.map\n'

describe('a build', () => {
  let root = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'errata-prepare-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  const write = (path: string, text: string | object) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), typeof text === 'string' ? text : JSON.stringify(text))
  }
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const all = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((path) => statSync(join(root, path)).isFile())
        .sort()
        .map((path) => [path, read(path)]),
    )
  const prepare = async (options: Partial<PrepareOptions> = {}): Promise<readonly BuiltFile[]> =>
    prepareBuild(await findScripts(root), {
      isInjecting: true,
      isWriting: true,
      hasRelease: false,
      ...options,
    })
  const whyOf = async (options: Partial<PrepareOptions> = {}) => {
    const [built] = await prepare(options)
    return built?.state === 'uncovered' ? [built.why, built.detail] : built?.state
  }
  const place = (mapText: string, line: number, column: number) => {
    const map = new AnyMap(JSON.parse(mapText) as SourceMapInput) // one that was just written
    const found = originalPositionFor(map, { line, column: column - 1 })
    return `${found.source?.replace('/./', '/')}:${found.line}:${(found.column ?? 0) + 1}`
  }

  it('of each bundler is covered; ids come once, and a second run changes nothing', async () => {
    for (const name of readdirSync(FIXTURES)) write(name, readFileSync(join(FIXTURES, name), 'utf8'))
    const dry = await prepare({ isWriting: false })
    const before = all()
    const first = await prepare()
    const after = all()
    assert.deepEqual(first, dry)
    for (const built of first) {
      assert.ok(built.state === 'covered' && built.isInjected, built.file)
      const { file, mapFile, debugId, probe } = built
      assert.notEqual(after[file], before[file])
      assert.equal((after[file] ?? '').split(debugId ?? '').length - 1, 2)
      const { source, line, column } = probe.expected
      assert.equal(
        place(after[mapFile ?? ''] ?? '', probe.line, probe.column),
        `${source.replace('/./', '/')}:${line}:${column}`,
      )
    }
    const second = await prepare()
    assert.deepEqual(all(), after)
    assert.deepEqual(
      second.map((built) => built.state === 'covered' && [built.debugId, built.isInjected]),
      first.map((built) => built.state === 'covered' && [built.debugId, false]),
    )
  })

  it('runs as before, keeps who may start it, and leaves nothing else behind', async () => {
    write('a.mjs', `#!/usr/bin/env node\n${SCRIPT}//# sourceMappingURL=a.mjs.map`)
    write('a.mjs.map', { ...MAP, mappings: `;${MAP.mappings}` })
    chmodSync(join(root, 'a.mjs'), 0o755)
    const [built] = await prepare()
    assert.ok(built?.state === 'covered')
    assert.equal(execFileSync(process.execPath, [join(root, 'a.mjs')], { encoding: 'utf8' }), '1\n')
    assert.equal(statSync(join(root, 'a.mjs')).mode & 0o777, 0o755)
    assert.deepEqual(Object.keys(all()), ['a.mjs', 'a.mjs.map'])
    assert.deepEqual([built.probe.line, built.probe.expected.line], [3, 2])
    assert.equal(place(read('a.mjs.map'), 3, 1), '../src/one.ts:2:8')
  })

  it('is mended where an earlier run ended between script and map', async () => {
    const bundlers = { ...MAP, debugId: ID }
    const indexed = { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: MAP }] }
    for (const map of [MAP, bundlers, indexed, { ...indexed, debugId: ID }]) {
      write('a.js', SCRIPT + END)
      write('a.js.map', map)
      const whole = await prepare()
      const after = all()
      write('a.js.map', map)
      const again = await prepare()
      assert.deepEqual(all(), after)
      assert.equal(place(read('a.js.map'), 2, 1), '../src/one.ts:2:8')
      assert.deepEqual(
        again.map((built) => built.state === 'covered' && built.probe),
        whole.map((built) => built.state === 'covered' && built.probe),
      )
    }
  })

  it('keeps the ids that bundlers gave; what lacks half of one gets it', async () => {
    // A plugin's: in the script alone, its map moved by the bundler.
    write(
      'plugin.js',
      `;{try{let e=window;e._sentryDebugIds[1]="${ID}"}catch(e){}};\n${SCRIPT}//# sourceMappingURL=plugin.js.map\n`,
    )
    write('plugin.js.map', { ...MAP, mappings: `;${MAP.mappings}` })
    // A bundler's: a comment and a map with the id, and nothing that an SDK would see.
    const other = ID.replace('a', 'b')
    write('rollup.js', `${SCRIPT}//# debugId=${other}\n//# sourceMappingURL=rollup.js.map\n`)
    write('rollup.js.map', { ...MAP, debugId: other })
    const [plugin, rollup] = await prepare()
    assert.ok(plugin?.state === 'covered' && rollup?.state === 'covered')
    assert.deepEqual([plugin.debugId, plugin.isInjected], [ID, false])
    assert.deepEqual([rollup.debugId, rollup.isInjected], [other, true])
    assert.equal(place(read('plugin.js.map'), 2, 1), '../src/one.ts:2:8')
    assert.equal(place(read('rollup.js.map'), 2, 1), '../src/one.ts:2:8')
    assert.equal(JSON.parse(read('plugin.js.map')).debug_id, ID)
    assert.equal(read('rollup.js').split(`debugId=${other}`).length - 1, 1)
    const after = all()
    await prepare()
    assert.deepEqual(all(), after)
  })

  it('may have its maps inside of the scripts', async () => {
    const base64 = Buffer.from(JSON.stringify(MAP)).toString('base64')
    write('a.js', `${SCRIPT}//# sourceMappingURL=data:application/json;base64,${base64}\n`)
    const [built] = await prepare()
    assert.ok(built?.state === 'covered' && built.mapFile === null)
    const reference = mapReferenceIn(read('a.js'))
    const map = reference === null ? '' : (inlineMap(reference) ?? '')
    assert.equal(place(map, 2, 1), '../src/one.ts:2:8')
    assert.equal(JSON.parse(map).debugId, built.debugId)
    const after = all()
    await prepare()
    assert.deepEqual(all(), after)
  })

  it('may have its maps anywhere below, under coded names, or beside scripts that name none', async () => {
    write('js/[id].js', `${SCRIPT}//# sourceMappingURL=../maps/%5Bid%5D.js.map?v=1\n`)
    write('maps/[id].js.map', MAP)
    write('js/hidden.js', `${SCRIPT}// hidden`)
    write('js/hidden.js.map', MAP)
    write('js/served.js', `${SCRIPT}//# sourceMappingURL=https://cdn.example/js/served.js.map\n`)
    write('js/served.js.map', { ...MAP, file: 'served.js' })
    const found = await prepare()
    assert.deepEqual(
      found.map((built) => built.state === 'covered' && built.mapFile),
      ['maps/[id].js.map', 'js/hidden.js.map', 'js/served.js.map'],
    )
  })

  it('gives the copy of a script the id of the script', async () => {
    write('server/a.js', SCRIPT + END)
    write('server/a.js.map', MAP)
    write('out/server/a.js', SCRIPT + END)
    const [copy, original] = await prepare()
    assert.ok(copy?.state === 'copy' && original?.state === 'covered')
    assert.deepEqual([copy.of, copy.debugId], ['server/a.js', original.debugId])
    assert.equal(read('out/server/a.js'), read('server/a.js'))
    const after = all()
    const states = (await prepare()).map(({ state }) => state)
    assert.deepEqual([states, all()], [['copy', 'covered'], after])
    // One that no source stands behind has copies, too.
    write('server/a.js', SCRIPT + END)
    write('server/a.js.map', { version: 3, sources: [], names: [], mappings: '' })
    write('out/server/a.js', SCRIPT + END)
    assert.deepEqual(
      (await prepare()).map(({ state }) => state),
      ['unmapped', 'unmapped'],
    )
  })

  it('counts lists that Next writes as scripts to what no source stands behind', async () => {
    const lists = ['middleware-build-manifest.js', 'page_client-reference-manifest.js', '_ssgManifest.js']
    for (const path of [...lists, 'required-server-files.js']) write(path, 'self.x={}\n')
    assert.ok((await prepare()).every(({ state }) => state === 'unmapped'))
  })

  it('says of each script why it is not covered', async () => {
    const rows: readonly (readonly [script: string, map: string | object | null, answer: unknown])[] = [
      [SCRIPT, null, ['no_map', '']],
      [SCRIPT + END, null, ['map_missing', 'a.js.map']],
      [
        `${SCRIPT}//# sourceMappingURL=https://cdn.example/b.map\n`,
        null,
        ['map_elsewhere', 'https://cdn.example/b.map'],
      ],
      [
        `${SCRIPT}//# sourceMappingURL=../../../../etc/a.map\n`,
        null,
        ['map_missing', '../../../../etc/a.map'],
      ],
      [SCRIPT + END, '<!doctype html>', ['map_broken', 'it isn’t JSON']],
      [
        SCRIPT + END,
        { ...MAP, mappings: ';;;;;;AACO' },
        ['map_broken', 'it maps places that the script doesn’t have, so it belongs to another build'],
      ],
      [SCRIPT + END, { version: 3, sources: [], names: [], mappings: '' }, 'unmapped'],
    ]
    for (const [script, map, answer] of rows) {
      rmSync(join(root, 'a.js.map'), { force: true })
      write('a.js', script)
      if (map !== null) write('a.js.map', map)
      const before = all()
      assert.deepEqual(await whyOf(), answer)
      assert.deepEqual(all(), before)
    }
  })

  it('is left as it is without injecting: found by ids that are there, else by release', async () => {
    write('a.js', SCRIPT + END)
    write('a.js.map', MAP)
    const before = all()
    assert.deepEqual(await whyOf({ isInjecting: false }), ['no_id_no_release', ''])
    assert.equal(await whyOf({ isInjecting: false, hasRelease: true }), 'covered')
    assert.deepEqual(all(), before)
  })

  it('never moves a map twice for two scripts, nor gives two scripts one id', async () => {
    write('a.js', SCRIPT + END)
    write('b.js', `${SCRIPT}b()\n${END}`)
    write('a.js.map', MAP)
    const [, second] = await prepare()
    assert.ok(second?.state === 'uncovered')
    assert.deepEqual([second.why, second.detail], ['map_shared', 'a.js'])
    const registered = (text: string) => `e._sentryDebugIds[n]="${ID}";${text}\n`
    write('a.js', registered('a()') + END)
    write('b.js', `${registered('b()')}//# sourceMappingURL=b.js.map\n`)
    write('a.js.map', MAP)
    write('b.js.map', MAP)
    const [, twin] = await prepare()
    assert.ok(twin?.state === 'uncovered')
    assert.deepEqual([twin.why, twin.detail], ['id_shared', 'a.js'])
  })

  it('takes the text of sources from where they lie, and of nothing but sources', async () => {
    const { sourcesContent: _none, ...bare } = MAP
    write('dist/a.js', SCRIPT + END)
    write('dist/a.js.map', { ...bare, sources: ['../.env', '../src/one.ts'], mappings: 'AAAA,GCCO' })
    write('.env', 'SECRET=1\n')
    write('src/one.ts', '// the number\nconst one: number = 1\n')
    const [built] = await prepare()
    // The better place is the one whose source has a text.
    assert.ok(built?.state === 'covered')
    assert.deepEqual(built.probe.expected, { source: '../src/one.ts', line: 2, column: 8 })
  })
})
