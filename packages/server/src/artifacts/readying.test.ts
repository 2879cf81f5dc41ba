/** Maps are made ready one after the other, whatever ends in the middle. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { orgId, projectId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { ARTIFACT_QUOTA_DEFAULT } from '#model/artifact-quota.ts'
import { compileMap } from '#symbolicate/compile/compile.ts'
import { openCompiledMap } from '#symbolicate/compiled/open.ts'
import { aBundle, aManifest, aZip, PLAIN_DEBUG_ID, realBundle } from '#testing/builders/artifact-bundle.ts'
import { NOW } from '#testing/builders/times.ts'
import { openArtifacts } from '#testing/worlds/artifacts.ts'
import { createReadying, type ReadyingParts } from './readying.ts'
import { reconcile } from './reconcile.ts'

const ORG = orgId(1)
const WEB = projectId(11)
const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex')
const compile: ReadyingParts['compile'] = async ({ map, minified, sources }) =>
  compileMap({ map, minified, sourceText: (name) => sources.get(name) ?? null })

async function opened(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'errata-readying-'))
  const world = await openArtifacts(directory, manualClock(NOW))
  t.after(() => {
    world.close()
    rmSync(directory, { recursive: true })
  })
  const { files, index } = world
  return {
    ...world,
    async add(bytes: Uint8Array) {
      await files.put({ area: 'bundles', org: ORG, name: sha1(bytes) }, bytes)
      const place = { orgId: ORG, projects: [WEB], release: null, dist: null, by: 'token ci' }
      const upload = { kind: 'bundle', sha1: sha1(bytes), chunks: [sha1(bytes)], name: '' } as const
      const answer = await world.artifacts.assemble({ ...place, ...upload, quota: ARTIFACT_QUOTA_DEFAULT })
      assert.equal(answer.state, 'ok')
    },
    /** Makes ready what waits; resolves when nothing does, or when that failed. */
    async ready(more: Partial<ReadyingParts> = {}) {
      let rounds = 0
      const readying = createReadying({
        ...{ files, index, log: silentLog, compile, stopCompiling: async () => {} },
        onReady: () => {
          rounds++
        },
        ...more,
      })
      readying.wake()
      return { readying, rounds: () => rounds }
    },
    state: () => index.withDebugId(WEB, PLAIN_DEBUG_ID)?.state,
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

describe('making maps ready', () => {
  it('reads what a real tool uploaded, to the line that was written', async (t) => {
    const { add, ready, index, files, directory } = await opened(t)
    await add(realBundle('sentry-cli-3.8.0'))
    await ready()
    await until(() => index.waitingMaps(1).length === 0)
    const found = index.withDebugId(WEB, '932ebbb2cdec5aeabd019447959e26d3')
    assert.ok(found?.state === 'ready')
    assert.deepEqual((await files.names(ORG)).maps, [found.mapKey])
    const bytes = readFileSync(join(directory, 'maps', '1', found.mapKey))
    const places = openCompiledMap({ read: (at, length) => bytes.subarray(at, at + length) })
    const script = realScript()
    const line = script.findIndex((text) => text.includes('throw RangeError'))
    const place = places?.find(line + 1, (script[line]?.indexOf('throw RangeError') ?? 0) + 1)
    assert.match(place?.source ?? '', /cart\.ts$/)
    assert.deepEqual([place?.line, place?.functionName], [7, 'priceOf'])
    assert.equal(place?.context?.line, realSource('cart.ts')[6])
  })

  it('reads the map that a minified file carries itself', async (t) => {
    const { add, ready, state, index, directory } = await opened(t)
    const map = {
      version: 3,
      sources: ['one.ts'],
      sourcesContent: ['let one = 1'],
      names: [],
      mappings: 'AAAA',
    }
    const inline = Buffer.from(JSON.stringify(map)).toString('base64')
    const script = `var one=1\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${inline}\n`
    const headers = { 'debug-id': PLAIN_DEBUG_ID }
    await add(
      aZip([
        { name: 'files/app.js', bytes: Buffer.from(script), isDeflated: true },
        aManifest({ 'files/app.js': { type: 'minified_source', url: '~/app.js', headers } }),
      ]),
    )
    assert.equal(state(), 'waiting')
    await ready()
    await until(() => index.waitingMaps(1).length === 0)
    const found = index.withDebugId(WEB, PLAIN_DEBUG_ID)
    assert.ok(found?.state === 'ready')
    const bytes = readFileSync(join(directory, 'maps', '1', found.mapKey))
    const places = openCompiledMap({ read: (at, length) => bytes.subarray(at, at + length) })
    assert.equal(places?.find(1, 1)?.context?.line, 'let one = 1')
  })

  it('leaves a map waiting when Errata ends in the middle of it', async (t) => {
    const { add, ready, state, index } = await opened(t)
    await add(aBundle())
    const begun = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<never>()
    const { readying } = await ready({
      compile: () => {
        begun.resolve()
        return stopped.promise
      },
      stopCompiling: async () => stopped.reject(new Error('the thread was ended')),
    })
    await begun.promise
    await readying.close()
    assert.equal(state(), 'waiting')
    assert.equal(index.mapBegun(ORG, index.waitingMaps(1)[0]?.mapKey ?? ''), 1)
  })

  it('gives a map up that ended the process again and again', async (t) => {
    const { add, ready, state, index } = await opened(t)
    await add(aBundle())
    const key = index.waitingMaps(1)[0]?.mapKey ?? ''
    for (let life = 0; life < max('mapTriesMax'); life++) index.mapBegun(ORG, key)
    await ready()
    await until(() => state() !== 'waiting')
    assert.equal(state(), 'damaged')
  })

  it('says of a map that cannot be read that it is damaged, and goes on with the next', async (t) => {
    const { add, ready, index, state } = await opened(t)
    await add(aBundle())
    await add(aBundle({ id: 'f'.repeat(32), source: 'second' }))
    let calls = 0
    const { rounds } = await ready({
      compile: async (map) => {
        if (calls++ === 0) throw new Error('it is no JSON')
        return compile(map)
      },
    })
    await until(() => index.waitingMaps(1).length === 0)
    assert.equal(state(), 'damaged')
    assert.equal(index.withDebugId(WEB, 'f'.repeat(32))?.state, 'ready')
    await until(() => rounds() > 0)
    assert.equal(calls, 2)
  })

  it('keeps a map waiting while the disk takes none', async (t) => {
    const { add, ready, state, files } = await opened(t)
    await add(aBundle())
    const failed = Promise.withResolvers<void>()
    const full = { ...files, put: () => Promise.reject(new Error('ENOSPC')) }
    const log = { ...silentLog, error: () => failed.resolve() }
    const { readying } = await ready({ files: full, log })
    await failed.promise
    assert.equal(state(), 'waiting')
    await readying.close()
    await ready()
    await until(() => state() === 'ready')
  })

  it('keeps no map whose bundle was removed meanwhile', async (t) => {
    const { add, ready, index, files, artifacts } = await opened(t)
    await add(aBundle())
    const { readying } = await ready({
      compile: async (map) => {
        await artifacts.remove(ORG, { project: WEB })
        return compile(map)
      },
    })
    await until(() => index.waitingMaps(1).length === 0)
    await readying.close()
    assert.deepEqual(await files.names(ORG), { bundles: [], maps: [] })
  })
})

describe('files and index that parted', () => {
  it('come together again: a lost map is made again, a lost bundle is forgotten, a stray file goes', async (t) => {
    const { add, ready, index, files, state } = await opened(t)
    await add(aBundle())
    await add(aBundle({ id: 'f'.repeat(32), source: 'lost' }))
    const { readying } = await ready()
    await until(() => index.waitingMaps(1).length === 0)
    await readying.close()
    const lost = sha1(aBundle({ id: 'f'.repeat(32), source: 'lost' }))
    await files.drop('bundles', ORG, [lost])
    for (const mapKey of (await files.names(ORG)).maps) await files.drop('maps', ORG, [mapKey])
    await files.put({ area: 'bundles', org: orgId(9), name: 'e'.repeat(40) }, Buffer.from('stray'))
    await files.put({ area: 'maps', org: ORG, name: 'e'.repeat(40) }, Buffer.from('stray'))
    await reconcile({ files, index, log: silentLog })
    assert.equal(state(), 'waiting')
    assert.equal(index.withDebugId(WEB, 'f'.repeat(32)), null)
    assert.deepEqual(await files.names(orgId(9)), { bundles: [], maps: [] })
    assert.deepEqual(await files.names(ORG), { bundles: [sha1(aBundle())], maps: [] })
  })
})

/** Lines of a source that the fixtures were built of. */
function realSource(name: string): readonly string[] {
  return readFileSync(
    new URL(`../../../../tests/fixtures/artifact-bundles/src/${name}`, import.meta.url),
    'utf8',
  ).split('\n')
}

/** Lines of the script in the bundle. */
function realScript(): readonly string[] {
  return readFileSync(
    new URL('../../../../tests/fixtures/artifact-bundles/sentry-cli-3.8.0.app.js', import.meta.url),
    'utf8',
  ).split('\n')
}
