import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Frame, NormalizedEvent } from '#model/event.ts'
import type { MapLookup, Unresolved } from '#model/map-lookup.ts'
import { SharedParts } from '#model/shared-parts.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { aMapLookup, type LookupOptions } from '#testing/builders/source-map.ts'
import { symbolicateEvent } from './symbolicate.ts'

const RAN = 'app:///_next/static/chunks/9f2c.js'
const ID = 'e3f26a34-be2c-7d4a-6739-78a2d6d5a150'
const PLAIN_ID = ID.replaceAll('-', '')
const SOURCE = `export function pay(count: number) {
  if (count < 0) throw new RangeError('below zero')
}
`
/** Column 1: line 2 of the source; column 11: a library; column 21: a source without text; column 31: nothing. */
const MAP = {
  version: 3,
  sources: [
    'webpack://shop/./src/pay.ts',
    'webpack://shop/./node_modules/lib/index.js',
    'webpack://shop/./src/lost.ts',
  ],
  sourcesContent: [SOURCE, 'exports.run = (task) => task()\n', null],
  names: ['pay'],
  mappings: 'AACkBA,UCDlB,UCAA,U',
}

const maps = (options: LookupOptions = {}): MapLookup => aMapLookup([{ path: RAN, map: MAP }], options)

const ranAt = (colno: number, change: Partial<Frame> = {}): Frame => ({
  ...{ filename: RAN, abs_path: RAN, function: 'e', module: 'chunks/9f2c', lineno: 1, colno, in_app: true },
  ...change,
})

/** Not scrubbed yet; the builder is that of the next step, whose fields are the same. */
const anEvent = (fields: Partial<NormalizedEvent>): NormalizedEvent => ({
  ...aScrubbedEvent({ platform: 'javascript', release: 'shop@1' }),
  ...fields,
})
const DEBUG_META = { images: [{ type: 'sourcemap', code_file: RAN, debug_id: ID.toUpperCase() }] }
const thrown = (frames: readonly Frame[], fields: Partial<NormalizedEvent> = {}) =>
  anEvent({
    debug_meta: DEBUG_META,
    exception: { values: [{ type: 'RangeError', value: 'below zero', stacktrace: { frames } }] },
    ...fields,
  })
const framesOf = (event: NormalizedEvent) => event.exception?.values[0]?.stacktrace?.frames ?? []

describe('a frame of a build', () => {
  it('shows what was written, and what ran stays beside it', () => {
    const ran = [ranAt(3, { context_line: '{snip} throw new RangeError(…) {snip}', vars: { n: 1 } })]
    const { event, missed } = symbolicateEvent(thrown(ran), { maps: maps() })
    assert.deepEqual(framesOf(event), [
      {
        filename: 'src/pay.ts',
        abs_path: 'webpack://shop/./src/pay.ts',
        function: 'pay',
        ...{ lineno: 2, colno: 19, in_app: true, vars: { n: 1 } },
        pre_context: ['export function pay(count: number) {'],
        context_line: "  if (count < 0) throw new RangeError('below zero')",
        post_context: ['}', ''],
        data: { symbolicated: true, resolved_with: 'debug-id', sourcemap: `${RAN}.map` },
      },
    ])
    assert.deepEqual(event.exception?.values[0]?.raw_stacktrace?.frames, ran)
    assert.deepEqual(missed, [])
  })

  it('that the runtime made is its caller’s: it is in the app where the app called it', () => {
    const runtime = (name: string, filename = '<anonymous>'): Frame => ({
      ...{ filename, function: name, in_app: true },
    })
    const inAppOf = (frames: readonly Frame[]) =>
      framesOf(symbolicateEvent(thrown(frames), { maps: maps() }).event).map(({ in_app }) => in_app)
    const [own, library] = [ranAt(3), ranAt(11)]
    assert.deepEqual(inAppOf([library, runtime('Array.map'), own]), [false, false, true])
    assert.deepEqual(inAppOf([runtime('async Promise.all', 'index 2'), library, own]), [false, false, true])
    assert.deepEqual(inAppOf([library, runtime('Array.map'), runtime('new Promise'), own]), [
      ...[false, false, false, true],
    ])
    assert.deepEqual(inAppOf([own, runtime('Array.map'), own]), [true, true, true])
    assert.deepEqual(inAppOf([library, runtime('pay'), own]), [false, true, true])
  })

  it('is looked for by debug id, release and distribution', () => {
    const asked: unknown[] = []
    symbolicateEvent(thrown([ranAt(3)], { dist: '7' }), {
      maps: maps({ onAsked: (file) => asked.push(file) }),
    })
    assert.deepEqual(asked, [{ path: RAN, debugId: PLAIN_ID, release: 'shop@1', dist: '7' }])
  })

  it('is found again from what ran, not from what was found before', () => {
    const once = symbolicateEvent(thrown([ranAt(3)]), { maps: maps() }).event
    const again = symbolicateEvent(once, { maps: maps() }).event
    assert.deepEqual(again, once)
    const gone = symbolicateEvent(once, { maps: aMapLookup([]) }).event
    assert.deepEqual(framesOf(gone), framesOf(once), 'keeps what was found once')
  })

  it('is resolved in threads and in an event’s own stack', () => {
    const stacktrace = { frames: [ranAt(3)] }
    const { event } = symbolicateEvent(
      anEvent({ debug_meta: DEBUG_META, threads: { values: [{ id: 1, stacktrace }] }, stacktrace }),
      { maps: maps() },
    )
    assert.equal(event.threads?.values[0]?.stacktrace?.frames[0]?.filename, 'src/pay.ts')
    assert.equal(event.threads?.values[0]?.raw_stacktrace?.frames[0]?.filename, RAN)
    assert.equal(event.stacktrace?.frames[0]?.filename, 'src/pay.ts')
  })

  it('keeps its place where the map holds no source, and says so', () => {
    const { event } = symbolicateEvent(thrown([ranAt(1), ranAt(22)]), { maps: maps() })
    const frame = framesOf(event)[1]
    assert.equal(frame?.filename, 'src/lost.ts')
    assert.equal(frame?.context_line, undefined)
    assert.equal(frame?.data?.unresolved, 'no_source_in_map' satisfies Unresolved)
    assert.equal(frame?.function, 'pay', 'what the caller’s map names at the call')
  })

  it('outside of its map stays as it is', () => {
    const event = thrown([ranAt(33)])
    const answer = symbolicateEvent(event, { maps: maps() })
    assert.equal(answer.event, event)
    assert.deepEqual(answer.missed, [PLAIN_ID])
  })
})

describe('a resolved frame is the app’s own by its source', () => {
  const inApp = (frame: Frame) => {
    const [found] = framesOf(symbolicateEvent(thrown([frame]), { maps: maps() }).event)
    return found?.in_app
  }
  it('in a chunk that was taken for a library’s', () => {
    assert.equal(inApp(ranAt(3, { in_app: false })), true)
  })
  it('and a library’s in a chunk of the app', () => {
    assert.equal(inApp(ranAt(12)), false)
    assert.equal(inApp(ranAt(12, { in_app: false })), false)
  })
})

describe('frames that needed a map', () => {
  const countsOf = (frames: readonly Frame[]) => symbolicateEvent(thrown(frames), { maps: maps() }).frames

  it('are counted as resolved where their place is found, with its source or without', () => {
    assert.deepEqual(countsOf([ranAt(3), ranAt(22), ranAt(33)]), { resolved: 2, missed: 1 })
  })

  it('are not those that need none', () => {
    const page = { filename: 'https://shop.example/cart', lineno: 1, in_app: true }
    const written = { filename: 'src/pay.ts', lineno: 2, in_app: true }
    assert.deepEqual(countsOf([page, written]), { resolved: 0, missed: 0 })
  })

  it('are of all stacks of the event', () => {
    const stacktrace = { frames: [ranAt(3)] }
    const event = anEvent({
      debug_meta: DEBUG_META,
      threads: { values: [{ id: 1, stacktrace }] },
      stacktrace,
    })
    assert.deepEqual(symbolicateEvent(event, { maps: maps() }).frames, { resolved: 2, missed: 0 })
    assert.deepEqual(symbolicateEvent(event, { maps: aMapLookup([]) }).frames, { resolved: 0, missed: 2 })
  })
})

describe('a map is missed', () => {
  const missedOf = (frame: Partial<Frame>, fields: Partial<NormalizedEvent> = {}) =>
    symbolicateEvent(thrown([ranAt(1, frame)], fields), { maps: aMapLookup([]) }).missed

  it('by its debug id, also of a library’s chunk', () => {
    assert.deepEqual(missedOf({}), [PLAIN_ID])
    assert.deepEqual(missedOf({ in_app: false }), [PLAIN_ID])
  })
  it('without one where the app’s own frame cannot be read', () => {
    assert.deepEqual(missedOf({}, { debug_meta: {} }), [''])
    assert.deepEqual(missedOf({ context_line: `${'x'.repeat(300)}` }, { debug_meta: {} }), [''])
  })
  const readable = { context_line: 'total()', pre_context: ['{'], post_context: ['}'] }
  const nowhere: Readonly<Record<string, readonly [Partial<Frame>, Partial<NormalizedEvent>?]>> = {
    'of a library': [
      {
        in_app: false,
        filename: '/srv/node_modules/pg/lib/client.js',
        abs_path: '/srv/node_modules/pg/lib/client.js',
      },
      { debug_meta: {} },
    ],
    'of the runtime': [{ filename: 'node:internal/timers', abs_path: 'node:internal/timers' }],
    'of a server that reads maps itself': [{ filename: '/srv/src/cart.ts', abs_path: '/srv/src/cart.ts' }],
    'of a server that ships its sources': [
      { filename: '/srv/cart.js', abs_path: '/srv/cart.js', ...readable },
    ],
    'of a script in a page': [{ filename: 'https://shop.test/cart', abs_path: 'https://shop.test/cart' }],
    'of an extension': [{ filename: 'chrome-extension://a/b.js', abs_path: 'chrome-extension://a/b.js' }],
    'of another language': [{ filename: 'cart.py', abs_path: '/srv/cart.py', platform: 'python' }],
  }
  for (const [what, [frame, fields]] of Object.entries(nowhere)) {
    it(`nowhere ${what}`, () => assert.deepEqual(missedOf(frame, fields), []))
  }

  it('and who reads the event is told why, what is stored is not', () => {
    const lookup = aMapLookup([], { otherwise: 'other_project' })
    const event = thrown([ranAt(1)])
    assert.equal(symbolicateEvent(event, { maps: lookup }).event, event)
    const told = symbolicateEvent(event, { maps: lookup, tellsWhy: true }).event
    assert.deepEqual(framesOf(told)[0]?.data, { symbolicated: false, unresolved: 'other_project' })
    assert.equal(told.exception?.values[0]?.raw_stacktrace, undefined)
  })
})

describe('frames that several events share', () => {
  const shared = new SharedParts()
  const ran = [ranAt(3)]
  shared.keepDerived(ran)
  const lookup = maps()
  const resolvedIn = (fields: Partial<NormalizedEvent>, given = lookup) =>
    framesOf(symbolicateEvent(thrown(ran, fields), { maps: given, shared }).event)

  it('come to one and the same list, which is shared too', () => {
    const first = resolvedIn({})
    assert.equal(resolvedIn({}), first)
    assert.ok(shared.has(first))
    const sameIds = { images: DEBUG_META.images.map((image) => ({ ...image })) }
    assert.equal(resolvedIn({ debug_meta: sameIds }), first)
  })
  it('to one of each release where two send them in turn', () => {
    const [one, other] = [resolvedIn({ release: 'shop@2' }), resolvedIn({ release: 'shop@3' })]
    assert.notEqual(one, other)
    assert.equal(resolvedIn({ release: 'shop@2' }), one)
    assert.equal(resolvedIn({ release: 'shop@3' }), other)
  })
  it('to others for another build, and for who reads', () => {
    const first = resolvedIn({})
    assert.notEqual(resolvedIn({ dist: '2' }), first)
    assert.notEqual(resolvedIn({ debug_meta: {} }), first)
    assert.equal(resolvedIn({}, aMapLookup([])), ran, 'maps that are gone')
    const why = symbolicateEvent(thrown(ran), { maps: aMapLookup([]), shared, tellsWhy: true })
    assert.equal(framesOf(why.event)[0]?.data?.symbolicated, false)
  })
})
