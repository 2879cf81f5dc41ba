import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { orgId, projectId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import type { ArtifactFile } from '#ports/artifacts.ts'
import { openArtifactIndex } from '#store/sqlite/artifacts/artifact-database.ts'
import { compileMap } from '#symbolicate/compile/compile.ts'
import { openCompiledMap } from '#symbolicate/compiled/open.ts'
import { createMaps } from '#symbolicate/lookup.ts'
import type { LookUps, RanPlace } from './look-up.ts'
import { createLookUps, NOTHING_INDEXED } from './look-ups.ts'

const [ORG, SHOP, ADMIN] = [orgId(1), projectId(7), projectId(8)]
const [ID, ELSEWHERE, DAMAGED] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)]
const PLACE: RanPlace = {
  ...{
    path: 'https://shop.example/assets/app.js',
    debugId: ID,
    release: null,
    dist: null,
    line: 1,
    column: 1,
  },
}
const MAP = JSON.stringify({
  ...{ version: 3, sources: ['../src/cart.ts'], names: [], mappings: 'AAAA' },
  sourcesContent: ['export const total = 1\n'],
})

function file(over: Partial<ArtifactFile>): ArtifactFile {
  return {
    ...{ path: 'app.js.map', type: 'source_map', url: '~/assets/app.js.map', debugId: ID },
    ...{ mapReference: null, bytes: 10, mapKey: 'key', ...over },
  }
}

describe('the steps of a look-up', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-look-ups-'))
  const index = openArtifactIndex({ path: join(directory, 'artifacts.sqlite'), log: silentLog })
  const compiled = compileMap({ map: Buffer.from(MAP), minified: Buffer.from('const a=1\n') })
  let lookUps: LookUps

  before(() => {
    const bundle = {
      ...{ orgId: ORG, kind: 'bundle' as const, name: '', bytes: 10, uploadedMs: 0, by: 'ci' },
      ...{ release: 'shop@1', dist: null, projects: [SHOP] },
    }
    index.addBundle({
      ...{ ...bundle, sha1: '1'.repeat(40) },
      files: [
        file({}),
        file({ path: 'bad.js.map', url: '~/assets/bad.js.map', debugId: DAMAGED, mapKey: 'bad' }),
      ],
    })
    index.addBundle({
      ...{ ...bundle, sha1: '2'.repeat(40), projects: [ADMIN] },
      files: [file({ debugId: ELSEWHERE })],
    })
    index.mapDone(ORG, 'key', { bytes: 10, problem: null })
    index.mapDone(ORG, 'bad', { bytes: 0, problem: 'no JSON' })
    const open = () => openCompiledMap({ read: (at, length) => compiled.subarray(at, at + length) })
    lookUps = createLookUps({ index, maps: createMaps({ index, open }) })
  })
  after(() => {
    index.close()
    rmSync(directory, { recursive: true })
  })

  const look = async (over: Partial<RanPlace>, asker = { id: SHOP, orgId: ORG }) => {
    const [found] = await lookUps.lookUp(asker, [{ ...PLACE, ...over }])
    assert.ok(found !== undefined)
    const { why, original, steps } = found
    const taken = steps.filter(({ state }) => state !== 'skipped')
    return { why, original, steps: taken.map(({ name, state }) => `${name} ${state}`), all: steps }
  }

  it('ends at the source, by debug id', async () => {
    const { why, original, steps } = await look({})
    assert.equal(why, null)
    assert.deepEqual(original, { source: 'src/cart.ts', line: 1, column: 1, functionName: '<module>' })
    assert.deepEqual(steps, [
      'debug_id yes',
      'map_of_debug_id yes',
      'opens yes',
      'position yes',
      'source yes',
    ])
  })

  it('goes by release and address without a debug id, and names the address', async () => {
    const { why, steps, all } = await look({ debugId: null, release: 'shop@1' })
    assert.equal(why, null)
    assert.deepEqual(steps.slice(0, 3), ['debug_id no', 'release yes', 'address yes'])
    assert.equal(all.find(({ name }) => name === 'address')?.detail, '~/assets/app.js')
  })

  for (const [name, over, why, last] of [
    ['neither id nor release', { debugId: null }, 'no_debug_id_no_release', 'release no'],
    ['an unknown id', { debugId: 'd'.repeat(32) }, 'no_map_for_debug_id', 'elsewhere no'],
    ['another project’s', { debugId: ELSEWHERE }, 'other_project', 'elsewhere yes'],
    [
      'another address',
      { debugId: null, release: 'shop@1', path: '/x/y.js' },
      'no_artifact_matches',
      'address no',
    ],
    ['another dist', { debugId: null, release: 'shop@1', dist: 'ios' }, 'other_dist', 'address no'],
    ['a damaged map', { debugId: DAMAGED }, 'map_damaged', 'opens no'],
    ['a line beyond the map', { line: 9 }, 'outside_map', 'position no'],
  ] as const) {
    it(`tells where it ends: ${name}`, async () => {
      const found = await look(over)
      assert.equal(found.why, why)
      assert.equal(found.steps.at(-1), last)
    })
  }

  it('tells another project’s also to a project that never had an upload, and not to another organisation', async () => {
    assert.equal((await look({}, { id: projectId(9), orgId: ORG })).why, 'other_project')
    assert.equal((await look({}, { id: projectId(10), orgId: orgId(2) })).why, 'no_map_for_debug_id')
  })

  it('says the same of an installation without uploads', async () => {
    const maps = createMaps({
      index: { ...NOTHING_INDEXED, version: () => 0, actions: () => [] },
      open: () => null,
    })
    const [found] = await createLookUps({ index: NOTHING_INDEXED, maps }).lookUp({ id: SHOP, orgId: ORG }, [
      PLACE,
    ])
    assert.equal(found?.why, 'no_map_for_debug_id')
  })
})
