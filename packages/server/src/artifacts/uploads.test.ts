/** From chunks to bundles: what real tools send, what nobody should, and two at once. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { manualClock } from '#base/clock.ts'
import { orgId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { ARTIFACT_QUOTA_DEFAULT } from '#model/artifact-quota.ts'
import {
  aBundle,
  aManifest,
  aZip,
  PLAIN_DEBUG_ID,
  REAL_BUNDLES,
  realBundle,
  type ZipFile,
} from '#testing/builders/artifact-bundle.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { NOW } from '#testing/builders/times.ts'
import { openArtifacts } from '#testing/worlds/artifacts.ts'
import type { AssembleAnswer, Assembly } from './artifact-work.ts'

const ORG = orgId(1)
const RIVAL = orgId(2)
const WEB = projectId(11)
const SCOPE = scopeForTest({ orgId: ORG, projects: [WEB] })
const ALL = { project: null, release: null, text: '', beforeId: null, limit: 100 }
const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex')

async function opened(t: TestContext, bytesMax: number | null = null) {
  const directory = mkdtempSync(join(tmpdir(), 'errata-uploads-'))
  const world = await openArtifacts(directory, manualClock(NOW), bytesMax)
  t.after(() => {
    world.close()
    rmSync(directory, { recursive: true })
  })
  const { artifacts } = world
  const put = async (
    chunks: readonly Uint8Array[],
    org = ORG,
    names: readonly string[] = chunks.map(sha1),
  ) => {
    const form = new FormData()
    for (const [at, chunk] of chunks.entries())
      form.append('file_gzip', new Blob([gzipSync(chunk)]), names[at] ?? '')
    return artifacts.putChunks(org, await bodyOf(form))
  }
  const assemble = (bytes: Uint8Array, more: Partial<Assembly> = {}): Promise<AssembleAnswer> =>
    artifacts.assemble({
      ...{ orgId: ORG, projects: [WEB], release: null, dist: null, by: 'token ci', kind: 'bundle' },
      ...{ sha1: sha1(bytes), chunks: [sha1(bytes)], name: '', quota: ARTIFACT_QUOTA_DEFAULT },
      ...more,
    })
  return {
    ...world,
    put,
    assemble,
    async upload(bytes: Uint8Array, more: Partial<Assembly> = {}) {
      const first = await assemble(bytes, more)
      if (first.state !== 'not_found') return first
      const put_ = await put([bytes], more.orgId)
      assert.ok(put_.ok)
      return assemble(bytes, more)
    },
    /** Every file below the directory of artifacts. */
    onDisk: () =>
      readdirSync(world.directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name),
  }
}

async function bodyOf(form: FormData) {
  const sent = new Response(form)
  return { contentType: sent.headers.get('content-type') ?? '', body: await sent.bytes() }
}

describe('uploads', () => {
  for (const name of REAL_BUNDLES) {
    it(`take what ${name} sent, and find its map`, async (t) => {
      const { upload, artifacts, index, added, onDisk } = await opened(t)
      const bytes = realBundle(name)
      assert.deepEqual(await upload(bytes, { release: 'web@1.0.0' }), { state: 'ok', detail: null })
      const [bundle] = await artifacts.bundles(SCOPE, ALL)
      assert.deepEqual(
        [bundle?.fileCount, bundle?.bytes, bundle?.debugIdCount, bundle?.maps.waiting],
        [2, bytes.length, name.endsWith('without-ids') ? 0 : 1, 1],
      )
      const files = (await artifacts.files(SCOPE, bundle?.id ?? 0, 10)) ?? []
      assert.deepEqual(new Set(files.map(({ mapKey }) => mapKey)).size, 1)
      assert.equal(index.waitingMaps(1)[0]?.minifiedPath?.endsWith('app.js'), true)
      assert.equal(added(), 1)
      assert.deepEqual(onDisk(), [sha1(bytes)])
    })
  }

  it('take nothing a second time', async (t) => {
    const { upload, assemble, artifacts } = await opened(t)
    await upload(aBundle())
    assert.equal((await assemble(aBundle())).state, 'ok')
    assert.equal((await assemble(aBundle(), { projects: [projectId(12)] })).state, 'ok')
    assert.equal((await artifacts.usage(ORG)).bundles, 1)
    const other = scopeForTest({ orgId: ORG, projects: [projectId(12)] })
    assert.equal((await artifacts.bundles(other, ALL)).length, 1)
  })

  it('make one bundle of what is sent many times at once', async (t) => {
    const { put, assemble, artifacts, onDisk } = await opened(t)
    const bytes = aBundle()
    await Promise.all([put([bytes]), put([bytes]), put([bytes])])
    const answers = await Promise.all([assemble(bytes), assemble(bytes), assemble(bytes)])
    assert.deepEqual(new Set(answers.map(({ state }) => state)), new Set(['ok']))
    assert.equal((await artifacts.usage(ORG)).bundles, 1)
    assert.ok(onDisk().includes(sha1(bytes)))
  })

  it('leave a chunk to the other upload that needs it', async (t) => {
    const { put, assemble, onDisk } = await opened(t)
    const bytes = aBundle()
    const [head, first, second] = [bytes.subarray(0, 100), bytes.subarray(100), aBundle({ url: '~/b.js' })]
    const other = { head: second.subarray(0, 50), rest: second.subarray(50) }
    const sharing = Buffer.concat([head, second])
    await put([head, first])
    // The second one has heard that this chunk is there before the first is made.
    const asked = await assemble(sharing, { chunks: [sha1(head), sha1(other.head), sha1(other.rest)] })
    assert.deepEqual(asked, { state: 'not_found', missing: [sha1(other.head), sha1(other.rest)] })
    assert.equal((await assemble(bytes, { chunks: [sha1(head), sha1(first)] })).state, 'ok')
    await put([other.head, other.rest])
    const made = await assemble(sharing, { chunks: [sha1(head), sha1(other.head), sha1(other.rest)] })
    // All of its bytes were there: it is no bundle, which is another matter.
    assert.equal(made.state, 'error')
    assert.deepEqual(onDisk(), [sha1(bytes)])
  })

  it('never make a bundle of another organisation’s chunks', async (t) => {
    const { put, assemble } = await opened(t)
    const bytes = aBundle()
    await put([bytes], RIVAL)
    assert.deepEqual(await assemble(bytes), { state: 'not_found', missing: [sha1(bytes)] })
  })

  it('go on where a process ended between joining and listing', async (t) => {
    const { files, assemble } = await opened(t)
    const bytes = aBundle()
    await files.put({ area: 'bundles', org: ORG, name: sha1(bytes) }, bytes)
    assert.equal((await assemble(bytes)).state, 'ok')
  })

  it('keep a debug file whose bytes are no bundle, whatever else they are sent as', async (t) => {
    const { upload, assemble, files, artifacts } = await opened(t)
    const bytes = Buffer.from('\x7fELF')
    assert.equal((await upload(bytes, { kind: 'debug_file', name: 'lib.so' })).state, 'ok')
    assert.equal((await assemble(bytes)).state, 'error')
    assert.equal(await files.has({ area: 'bundles', org: ORG, name: sha1(bytes) }), true)
    assert.deepEqual(await artifacts.unknownFiles(ORG, [sha1(bytes), 'a'.repeat(40)]), ['a'.repeat(40)])
  })

  it('remove what is beyond the quota after each, and take nothing that is larger than all of it', async (t) => {
    const { upload, artifacts, onDisk } = await opened(t)
    const quota = { ...ARTIFACT_QUOTA_DEFAULT, bundlesMax: 2 }
    const sent = ['1', '2', '3'].map((source) => aBundle({ source }))
    for (const bytes of sent) assert.equal((await upload(bytes, { quota })).state, 'ok')
    assert.deepEqual(onDisk().sort(), sent.slice(1).map(sha1).sort())
    const small = { ...quota, bytesMax: 50 }
    const refused = await upload(aBundle({ source: '4' }), { quota: small })
    assert.match(refused.state === 'error' ? refused.detail : '', /the organisation keeps 50 of uploads/)
    assert.equal((await artifacts.usage(ORG)).bundles, 2)
  })
})

describe('uploads where the disk is bounded', () => {
  it('take no more of it than their part, however much the quota allows', async (t) => {
    const sent = ['1', '2', '3'].map((source) => aBundle({ source }))
    const { upload, onDisk } = await opened(t, 2 * (sent[0]?.length ?? 0))
    for (const bytes of sent) assert.equal((await upload(bytes)).state, 'ok')
    assert.deepEqual([...onDisk()].sort(), sent.slice(1).map(sha1).sort())
  })
})

const KIB = 1024
const bomb = Buffer.alloc(8 * KIB * KIB)
const one = (file: ZipFile, type = 'source_map') => aZip([file, aManifest({ [file.name]: { type } })])
const some = (count: number): readonly ZipFile[] =>
  Array.from({ length: count }, (_, at) => ({ name: `files/${at}`, bytes: Buffer.alloc(0) }))

const HOSTILE: Readonly<Record<string, { readonly bytes: Uint8Array; readonly says: RegExp }>> = {
  'no bundle at all': { bytes: Buffer.from('GIF89a, truly'), says: /no artifact bundle/ },
  'nothing but a head': { bytes: Buffer.from('SYSB\x02\0\0\0'), says: /cannot be read/ },
  'a bundle that was cut off': { bytes: aBundle().subarray(0, -40), says: /cannot be read/ },
  'no manifest': { bytes: aZip([{ name: 'a.js', bytes: Buffer.from('1') }]), says: /no manifest\.json/ },
  'a manifest that is no JSON': {
    bytes: aZip([{ name: 'manifest.json', bytes: Buffer.from('{"files":') }]),
    says: /no JSON/,
  },
  'a manifest without files': {
    bytes: aZip([{ name: 'manifest.json', bytes: Buffer.from('[]') }]),
    says: /lists no files/,
  },
  'a manifest that is nested without end': {
    bytes: aZip([{ name: 'manifest.json', bytes: Buffer.from('['.repeat(300_000)), isDeflated: true }]),
    says: /nested too deeply/,
  },
  'a manifest that points outside': {
    bytes: aZip([aManifest({ '../../control.sqlite': { type: 'source' } })]),
    says: /not in it: \.\.\/\.\.\/control\.sqlite/,
  },
  'a name that climbs out': {
    bytes: one({ name: '../../control.sqlite', bytes: Buffer.from('x') }),
    says: /invalid relative path/,
  },
  'a name that begins at the root': {
    bytes: one({ name: '/etc/passwd', bytes: Buffer.from('x') }),
    says: /absolute path/,
  },
  'a file that grows when unpacked': {
    bytes: one({ name: 'a.map', bytes: bomb, isDeflated: true }),
    says: /too large when unpacked/,
  },
  'many files that grow together': {
    bytes: aZip([
      ...Array.from({ length: 80 }, (_, at) => ({
        ...{ name: `files/${at}`, bytes: bomb.subarray(0, KIB * KIB), isDeflated: true },
      })),
      aManifest({}),
    ]),
    says: /too large when unpacked/,
  },
  'a file that is larger than it says': {
    bytes: one({ name: 'a.map', bytes: bomb, isDeflated: true, lies: { bytes: 10 } }),
    says: /does not unpack/,
  },
  'an encrypted file': {
    bytes: one({ name: 'a.map', bytes: Buffer.from('x'), isDeflated: true, lies: { flags: 1 } }),
    says: /encrypted/,
  },
  'a file that is packed in another way': {
    bytes: one({ name: 'a.map', bytes: Buffer.from('x'), lies: { method: 93 } }),
    says: /packed in a way/,
  },
  'too many files': { bytes: aZip(some(20_001)), says: /20001 files; 20000 are allowed/ },
  'more files than are there': { bytes: aZip(some(2), { claims: 60_000 }), says: /60000 files/ },
}

describe('hostile uploads', () => {
  for (const [what, { bytes, says }] of Object.entries(HOSTILE)) {
    it(`are refused and leave nothing: ${what}`, async (t) => {
      const { upload, onDisk, artifacts } = await opened(t)
      const answer = await upload(bytes)
      assert.match(answer.state === 'error' ? answer.detail : answer.state, says)
      assert.deepEqual(onDisk(), [])
      assert.equal((await artifacts.usage(ORG)).bundles, 0)
    })
  }

  it('with offsets that count from the archive are read all the same', async (t) => {
    const { upload } = await opened(t)
    const files = [{ name: 'a.js', bytes: Buffer.from('1') }, aManifest({ 'a.js': { type: 'source' } })]
    assert.equal((await upload(aZip(files, { startsAt: 8 }))).state, 'ok')
  })

  it('with a wrong sum are refused, and their chunks go', async (t) => {
    const { put, assemble, onDisk } = await opened(t)
    const bytes = aBundle()
    await put([bytes])
    const answer = await assemble(bytes, { sha1: 'f'.repeat(40) })
    assert.deepEqual(answer, { state: 'error', detail: 'Reported checksum mismatch' })
    assert.deepEqual(onDisk(), [])
  })

  it('with one wrong chunk leave none of the request', async (t) => {
    const { put, onDisk } = await opened(t)
    const [good, evil] = [Buffer.from('good'), Buffer.from('evil')]
    const wrong: Readonly<Record<string, readonly string[]>> = {
      'do not have the SHA-1': [sha1(good), sha1(good)],
      'is named by the SHA-1': [sha1(good), '../../../etc/passwd'],
    }
    for (const [says, names] of Object.entries(wrong)) {
      const answer = await put([good, evil], ORG, names)
      assert.match(answer.ok ? '' : answer.message, new RegExp(says))
      assert.deepEqual(onDisk(), [])
    }
  })

  it('with chunks that grow, are no gzip, or are too many are refused', async (t) => {
    const { put, artifacts, onDisk } = await opened(t)
    const grown = Buffer.alloc(max('chunkBytesMax') + 1)
    const large = await put([grown])
    assert.match(large.ok ? '' : large.message, /larger than the chunk size/)
    const plain = new FormData()
    plain.append('file', new Blob([grown]), sha1(grown))
    const huge = await artifacts.putChunks(ORG, await bodyOf(plain))
    assert.equal(huge.ok ? '' : huge.message, 'Chunk size too large')
    const no = new FormData()
    no.append('file_gzip', new Blob(['no gzip']), sha1(Buffer.from('no gzip')))
    const raw = await artifacts.putChunks(ORG, await bodyOf(no))
    assert.match(raw.ok ? '' : raw.message, /no gzip/)
    const many = await put(
      Array.from({ length: max('chunksPerRequestMax') + 1 }, (_, at) => Buffer.from([at])),
    )
    assert.equal(many.ok ? '' : many.message, 'Too many chunks')
    assert.deepEqual(onDisk(), [])
  })

  it('that are no form are refused; an empty one is none', async (t) => {
    const { artifacts } = await opened(t)
    const body = Buffer.from('--x\r\nno form')
    for (const contentType of [
      '',
      'application/json',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await artifacts.putChunks(ORG, { contentType, body })
      assert.match(answer.ok ? '' : answer.message, /no multipart/)
    }
    const nothing = await artifacts.putChunks(ORG, { contentType: '', body: new Uint8Array() })
    assert.ok(nothing.ok)
  })
})

describe('files of bundles', () => {
  it('without ids and headers say where their map is in their last line', async (t) => {
    const { upload, artifacts } = await opened(t)
    const files = {
      'a.js': { type: 'minified_source', url: '~/a.js' },
      'b.map': { type: 'source_map', url: '~/maps/b.map' },
    }
    const script = Buffer.from('x()\n//# sourceMappingURL=maps/b.map?v=1\n')
    await upload(
      aZip([
        { name: 'a.js', bytes: script, isDeflated: true },
        { name: 'b.map', bytes: Buffer.from('{}') },
        aManifest(files),
      ]),
      { release: 'web@1' },
    )
    const [bundle] = await artifacts.bundles(SCOPE, ALL)
    const [minified] = (await artifacts.files(SCOPE, bundle?.id ?? 0, 10)) ?? []
    assert.equal(minified?.mapReference, 'maps/b.map?v=1')
  })

  it('are paired by debug id however many there are', async (t) => {
    const { upload, index } = await opened(t)
    const files: ZipFile[] = []
    const manifest: Record<string, unknown> = {}
    const count = 1_000
    for (let at = 0; at < count; at++) {
      const headers = { 'debug-id': at.toString(16).padStart(32, '0') }
      files.push(
        { name: `${at}.js`, bytes: Buffer.from(String(at)) },
        { name: `${at}.map`, bytes: Buffer.from('{}') },
      )
      manifest[`${at}.js`] = { type: 'minified_source', url: `~/${at}.js`, headers }
      manifest[`${at}.map`] = { type: 'source_map', url: `~/${at}.map`, headers }
    }
    const bytes = aZip([...files, aManifest(manifest)])
    assert.equal((await upload(bytes)).state, 'ok')
    assert.equal(index.waitingMaps(count + 1).length, count)
  })

  it('keep their debug ids as frames ask for them', async (t) => {
    const { upload, index } = await opened(t)
    await upload(aBundle())
    assert.deepEqual(index.withDebugId(WEB, PLAIN_DEBUG_ID), { state: 'waiting' })
  })
})
