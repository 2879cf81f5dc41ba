/**
 * Builds of one source by several bundlers and minifiers: they are run, and so is the source itself. A stack of the
 * build must come to what the stack of the source says.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { defaultStackParser } from '@sentry/node'
import { groupEvent } from '#group/group.ts'
import type { Frame, NormalizedEvent } from '#model/event.ts'
import type { MapLookup } from '#model/map-lookup.ts'
import { normalizeEvent } from '#normalize/normalize.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { aMapLookup } from '#testing/builders/source-map.ts'
import { symbolicateEvent } from './symbolicate.ts'

const FIXTURES = new URL('../../../../tests/fixtures/builds/', import.meta.url)
const fixture = (name: string) => fileURLToPath(new URL(name, FIXTURES))
const linesOf = (name: string) => readFileSync(fixture(name), 'utf8').split('\n')

type Failures = Readonly<Record<string, () => unknown>>
interface Thrown {
  readonly type: string
  readonly value: string
  /** Oldest call first, as the SDK sends them. */
  readonly frames: readonly Frame[]
}

/** Error thrown by each failure of a module. */
async function thrownBy(path: string): Promise<ReadonlyMap<string, Thrown>> {
  const { failures }: { failures: Failures } = await import(fixture(path))
  const thrown = new Map<string, Thrown>()
  for (const [name, fail] of Object.entries(failures)) {
    try {
      await fail()
    } catch (error) {
      assert.ok(error instanceof Error)
      const frames: readonly Frame[] = JSON.parse(JSON.stringify(defaultStackParser(error.stack ?? '')))
      const below = frames.filter(({ filename }) => filename !== import.meta.filename)
      thrown.set(name, { type: error.name, value: error.message, frames: below })
    }
  }
  return thrown
}

/** Path of a package installed where the build runs. */
const installed = (name: string) => `/srv/shop/dist/${name}.mjs`

function mapsOf(name: string): MapLookup {
  const file = (path: string) => readFileSync(fixture(`built/${path}`))
  return aMapLookup([{ path: installed(name), map: file(`${name}.mjs.map`), minified: file(`${name}.mjs`) }])
}

function resolved(name: string, { type, value, frames }: Thrown): NormalizedEvent {
  const built = fixture(`built/${name}.mjs`)
  const ran = frames.map((frame) =>
    frame.filename === built ? { ...frame, filename: installed(name) } : frame,
  )
  const answer = normalizeEvent(
    {
      platform: 'node',
      release: 'shop@1',
      exception: { values: [{ type, value, stacktrace: { frames: ran } }] },
    },
    {
      ...{ eventId: null, receivedMs: Date.now(), sentAt: null, clientAddress: null },
      ...{ userAgent: null, sdk: undefined, client: null },
    },
  )
  assert.ok(answer.ok)
  return symbolicateEvent(answer.event, { maps: mapsOf(name) }).event
}

const framesOf = (event: NormalizedEvent): readonly Frame[] =>
  event.exception?.values[0]?.stacktrace?.frames ?? []

/** A function's own name, without what only the caller's object or the engine adds to it. */
function ownName(name: string | undefined): string {
  const plain = (name ?? '').replace(/^(?:async |get |set )/, '').replace(/^Object\./, '')
  return plain === '?' || plain === '<anonymous>' ? '' : plain.replace(/^\w+\.(?=#)/, '')
}

interface Place {
  readonly file: string
  readonly line: number | undefined
  readonly name: string
}

const placesOf = (frames: readonly Frame[], folder: string): readonly Place[] =>
  frames
    .filter(({ filename }) => filename?.includes(`${folder}/`) === true && !filename.includes('node_modules'))
    .map((frame) => ({
      file: (frame.filename ?? '').split('/').at(-1) ?? '',
      line: frame.lineno,
      name: ownName(frame.function),
    }))

/** Names that a minified build tells better than the engine does. */
const BETTER_NAMED: Readonly<Record<string, string>> = { 'views.ts:10': 'Price' }

function expectedOf(written: Thrown): readonly Place[] {
  return placesOf(written.frames, 'shop').map((place) => {
    const name = BETTER_NAMED[`${place.file}:${place.line}`] ?? place.name
    return { ...place, name: name.replace(/^average$/, 'Cart.average') } // V8 shows a getter without its class
  })
}

const MODERN = ['esbuild', 'rolldown', 'webpack-terser', 'webpack-swc'] as const

describe('a stack of a build comes to the stack of its source', async () => {
  const written = await thrownBy('shop/main.ts')
  for (const name of [...MODERN, 'webpack-es5']) {
    const ran = await thrownBy(`built/${name}.mjs`)
    for (const [failure, thrown] of ran) {
      it(`${name}: ${failure}`, () => {
        const frames = framesOf(resolved(name, thrown))
        const expected = expectedOf(written.get(failure) ?? thrown)
        const found = placesOf(frames, 'src')
        assert.ok(expected.length > 0)
        assert.deepEqual(found.at(-1), expected.at(-1), 'the frame that failed')
        if (name !== 'webpack-es5') {
          for (const place of found) assert.ok(isAmong(place, expected), JSON.stringify({ place, expected }))
        }
        // A minifier may have put a function into its caller: all but one of the frames are left then.
        const missing = expected.filter((place) => !isAmong(place, found))
        assert.ok(missing.length <= 1, JSON.stringify({ missing, found }))
        for (const { filename, lineno, context_line: line } of frames) {
          if (filename?.startsWith('src/') !== true) continue
          assert.equal(line, linesOf(filename.replace('src/', 'shop/'))[(lineno ?? 0) - 1])
        }
      })
    }
    it(`${name}: fails in every way that its source does`, () => {
      assert.deepEqual([...ran.keys()].sort(), [...written.keys()].sort())
    })
  }
})

function isAmong(place: Place, places: readonly Place[]): boolean {
  return places.some(
    ({ file, line, name }) => file === place.file && line === place.line && name === place.name,
  )
}

describe('one failure of three builds is one issue', async () => {
  const ran = new Map<string, ReadonlyMap<string, Thrown>>()
  for (const name of MODERN) ran.set(name, await thrownBy(`built/${name}.mjs`))
  const failures = [...(ran.get('esbuild')?.keys() ?? [])]
  const hashOf = (name: string, failure: string): string => {
    const thrown = ran.get(name)?.get(failure)
    assert.ok(thrown !== undefined)
    const { exception } = resolved(name, thrown)
    return groupEvent(aScrubbedEvent({ exception, platform: 'node' })).hash
  }
  for (const failure of failures) {
    it(failure, () => {
      const hashes = MODERN.filter((name) => !INLINED.has(`${name} ${failure}`)).map((name) =>
        hashOf(name, failure),
      )
      assert.equal(new Set(hashes).size, 1)
    })
  }
  it('and two failures stay two', () => {
    const hashes = failures.map((failure) => hashOf('esbuild', failure))
    assert.equal(new Set(hashes).size, failures.length)
  })
})

/** Failures in which a minifier put a function into its caller: one frame is gone, and no map says so. */
const INLINED: ReadonlySet<string> = new Set(['webpack-terser defaultExport', 'webpack-swc defaultExport'])

it('resolves the script of a Vue component', async () => {
  const ran = await thrownBy('built/vite-vue.mjs')
  const places = [...ran].map(([failure, thrown]) => {
    const frame = framesOf(resolved('vite-vue', thrown)).findLast(
      ({ filename }) => filename === 'vue/Checkout.vue',
    )
    return { failure, name: frame?.function, line: frame?.context_line }
  })
  assert.deepEqual(places, [
    {
      failure: 'scriptArrow',
      name: 'total',
      line: 'const total = () => priceOf(props.count)',
    },
    {
      failure: 'scriptFunction',
      name: 'send',
      line: '  throw new Error(`cannot send $'.concat('{props.count}`)'),
    },
  ])
})
