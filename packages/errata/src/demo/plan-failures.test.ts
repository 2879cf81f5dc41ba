import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crc32 } from 'node:zlib'
import { artifactBundle } from './artifact-bundle.ts'
import builds from './builds.json' with { type: 'json' }
import { RELEASES, releaseName } from './plan-events.ts'
import { planFailures } from './plan-failures.ts'
import { RELEASE_COMMITS } from './release-story.ts'

const NOW = Date.UTC(2026, 10, 22, 12)

/** A generator that answers the same in every run. */
function steady(): () => number {
  let state = 7
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

interface SentFailure {
  readonly release: string
  readonly environment: string
  readonly debug_meta: {
    readonly images: readonly { readonly code_file: string; readonly debug_id: string }[]
  }
  readonly exception: {
    readonly values: readonly {
      readonly value: string
      readonly stacktrace: {
        readonly frames: readonly {
          readonly filename: string
          readonly lineno: number
          readonly colno: number
        }[]
      }
    }[]
  }
}

describe('failures of the sample shop’s builds', () => {
  const plan = planFailures({ nowMs: NOW, random: steady() })
  const sent = plan.map(({ payload }) => payload as unknown as SentFailure) // what planFailures makes of an event
  const releasesOf = (text: string) =>
    new Set(
      sent.filter(({ exception }) => exception.values[0]?.value.includes(text)).map(({ release }) => release),
    )

  it('happen where the file of their own release failed', () => {
    assert.ok(sent.length > 300)
    for (const { release, exception, debug_meta } of sent) {
      const build = builds[RELEASES.findIndex((_, index) => releaseName(index) === release)]
      const file = build?.files.find(({ debugId }) => debugId === debug_meta.images[0]?.debug_id)
      assert.ok(file !== undefined, `no build of ${release}`)
      for (const { filename, lineno, colno } of exception.values[0]?.stacktrace.frames ?? []) {
        assert.equal(filename, file.address)
        assert.ok((file.code.split('\n')[lineno - 1]?.length ?? 0) >= colno)
      }
    }
  })

  it('tell of an issue that is new, one that is resolved, and one that came back', () => {
    assert.deepEqual([...releasesOf("reading 'currency'")], [releaseName(3)])
    assert.deepEqual([...releasesOf("reading 'value'")].sort(), [releaseName(1), releaseName(0)].sort())
    const back = [releaseName(0), releaseName(1), releaseName(3)].sort()
    assert.deepEqual([...releasesOf('Invalid time value')].sort(), back)
  })

  it('have a commit that touched the file of the new one', () => {
    const [newest] = RELEASE_COMMITS.at(-1) ?? []
    const checkout = builds.at(-1)?.files.find(({ name }) => name === 'checkout')
    const { sources } = JSON.parse(checkout?.map ?? '{}') as { readonly sources: readonly string[] } // a source map
    assert.ok(newest?.patch_set.every(({ path }) => sources.includes(`../${path}`)))
    assert.ok(RELEASE_COMMITS.flat().every(({ id }) => /^[0-9a-f]{40}$/.test(id)))
    assert.equal(new Set(RELEASE_COMMITS.flat().map(({ id }) => id)).size, RELEASE_COMMITS.flat().length)
  })

  it('are of files whose debug ids are those of their maps', () => {
    for (const { files } of builds)
      for (const { code, map, debugId } of files) {
        assert.ok(code.includes(`//# debugId=${debugId}\n`))
        assert.equal(JSON.parse(map).debug_id, debugId)
      }
  })
})

it('an artifact bundle is a ZIP behind its header, with what was put in', () => {
  const text = 'var one = 1\n'
  const file = { type: 'minified_source', url: '~/a.js', headers: { 'debug-id': 'x' }, text } as const
  const bundle = artifactBundle({ 'files/a.js': file })
  assert.equal(bundle.subarray(0, 8).toString('latin1'), 'SYSB\x02\0\0\0')
  const end = bundle.subarray(-22)
  assert.deepEqual([end.readUInt32LE(0), end.readUInt16LE(10)], [0x06054b50, 2])
  const directory = bundle.subarray(end.readUInt32LE(16))
  assert.equal(directory.readUInt32LE(0), 0x02014b50)
  assert.equal(directory.subarray(46, 59).toString(), 'manifest.json')
  const at = bundle.indexOf('files/a.js', 8 + bundle.subarray(8).indexOf('PK\x03\x04', 4))
  assert.equal(bundle.subarray(at + 10, at + 10 + text.length).toString(), text)
  assert.equal(bundle.readUInt32LE(at - 16), crc32(text))
})
