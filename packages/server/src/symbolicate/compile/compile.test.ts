import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { AnyMap, eachMapping, encodedMap, originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import fc from 'fast-check'
import { max } from '#limits/limits.ts'
import type { OriginalPlaces } from '#model/map-lookup.ts'
import { compiledBytes, type MapJson, openBytes, originalPlaces } from '#testing/builders/source-map.ts'
import { PROPERTY_RUNS } from '#testing/property-runs.ts'
import { DamagedMap } from './raw-map.ts'

/** Returns what a compiled map says about a place, counted and named as the library does. */
function ours(places: OriginalPlaces, line: number, column: number) {
  const place = places.find(line, column + 1)
  if (place === null) return NOTHING
  const { source, line: originalLine, column: originalColumn, name } = place
  // The library resolves names as addresses.
  return { source: source.replace('/./', '/'), line: originalLine, column: originalColumn - 1, name }
}

const NOTHING = { source: null, line: null, column: null, name: null }

function theirs(map: TraceMap, line: number, column: number) {
  const { source, ...place } = originalPositionFor(map, { line, column })
  return source === null || source === '' ? NOTHING : { source, ...place } // empty: no source by that name
}

type Segment = [number] | [number, number, number, number] | [number, number, number, number, number]

const SOURCES = ['src/a.ts', '../b.ts', null, 'webpack://shop/./c.ts']
const NAMES = ['total', '', 'größe', 'x']

const original = [fc.nat(SOURCES.length - 1), fc.nat(5_000), fc.nat(300)] as const
const rest = fc.oneof(fc.constant([]), fc.tuple(...original), fc.tuple(...original, fc.nat(NAMES.length - 1)))
const segment = fc.tuple(fc.nat(400), rest).map(([column, more]) => [column, ...more] as Segment) // a tuple of one of its lengths
const aLine = fc
  .uniqueArray(segment, { maxLength: 40, selector: ([column]) => column })
  .map((segments) => segments.toSorted(([a], [b]) => a - b))
const lines = fc.array(aLine, { maxLength: 30 })

function mapOf(mappings: Segment[][]) {
  const map = { version: 3 as const, sources: SOURCES, names: NAMES, mappings }
  return { ...map, mappings: encodedMap(new TraceMap(map)).mappings }
}

describe('a compiled map says what the map says', () => {
  it('of every place of any map', () => {
    fc.assert(
      fc.property(
        lines,
        fc.array(fc.tuple(fc.nat(32), fc.nat(450)), { maxLength: 40 }),
        (mappings, asked) => {
          const map = mapOf(mappings)
          const [places, reference] = [originalPlaces(map), new TraceMap(map)]
          const exact = mappings.flatMap((segments, line) =>
            segments.map(([column]) => [line, column] as const),
          )
          for (const [line, column] of [...asked, ...exact]) {
            assert.deepEqual(ours(places, line + 1, column), theirs(reference, line + 1, column))
          }
        },
      ),
      { numRuns: PROPERTY_RUNS },
    )
  })

  it('of every place of a map made of sections', () => {
    const section = fc.record({ lines: fc.nat(12), column: fc.nat(200), mappings: lines })
    fc.assert(
      fc.property(
        fc.array(section, { maxLength: 5 }),
        fc.array(fc.tuple(fc.nat(60), fc.nat(450))),
        (drawn, asked) => {
          let line = 0
          const sections = drawn.map(({ lines: more, column, mappings }) => {
            line += more + 1
            return { offset: { line, column }, map: mapOf(mappings) }
          })
          const map = { version: 3 as const, sections }
          const [places, reference] = [originalPlaces(map), new AnyMap(map)]
          for (const [at, column] of asked) {
            assert.deepEqual(ours(places, at + 1, column), theirs(reference, at + 1, column))
          }
        },
      ),
      { numRuns: PROPERTY_RUNS },
    )
  })

  it('of every place that real builds map', () => {
    const folder = new URL('../../../../../tests/fixtures/builds/built/', import.meta.url)
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.map'))) {
      const json = readFileSync(new URL(name, folder))
      const [places, reference] = [originalPlaces(json), new TraceMap(json.toString('utf8'))]
      let count = 0
      eachMapping(reference, ({ generatedLine: line, generatedColumn: column }) => {
        assert.deepEqual(ours(places, line, column), theirs(reference, line, column))
        count++
      })
      assert.ok(count > 50, `${name} maps ${count} places`)
    }
  })

  it('where the mappings of a line are unsorted, across more than one block', () => {
    const segments = Array.from({ length: 1_000 }, (_, at): Segment => [at * 3, 0, at, 1])
    const shuffled = [
      ...segments.filter((_, at) => at % 2 === 1),
      ...segments.filter((_, at) => at % 2 === 0),
    ]
    const encoded = { version: 3, sources: ['a.ts'], names: [], mappings: encodeUnsorted(shuffled) }
    const places = originalPlaces(encoded)
    for (const [column, , line = 0] of segments) assert.equal(places.find(1, column + 2)?.line, line + 1)
  })
})

/** The library sorts what it encodes. */
function encodeUnsorted(segments: readonly Segment[]): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const number = (value: number) => {
    let left = value < 0 ? -value * 2 + 1 : value * 2
    let text = ''
    do {
      const digit = left % 32
      left = Math.floor(left / 32)
      text += digits[left > 0 ? digit + 32 : digit]
    } while (left > 0)
    return text
  }
  let before: Segment = [0, 0, 0, 0]
  return segments
    .map((each) => {
      const text = each.map((value, at) => number(value - (before[at] ?? 0))).join('')
      before = each
      return text
    })
    .join(',')
}

/** Builds a map of one mapping: the beginning of the file to the beginning of its source. */
const aMap = (change: Readonly<Record<string, unknown>> = {}) => ({
  ...{ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' },
  ...change,
})

describe('sources of a map', () => {
  it('carry the root, unless they are absolute', () => {
    const sources = ['a.ts', '/srv/b.ts', 'webpack://shop/./c.ts']
    const places = originalPlaces(aMap({ sources, sourceRoot: '/src', mappings: 'AAAA;ACAA;ACAA' }))
    const found = [1, 2, 3].map((line) => places.find(line, 1)?.source)
    assert.deepEqual(found, ['/src/a.ts', '/srv/b.ts', 'webpack://shop/./c.ts'])
  })

  for (const key of ['ignoreList', 'x_google_ignoreList']) {
    it(`are passed over by ${key}`, () => {
      const places = originalPlaces(aMap({ sources: ['a.ts', 'lib.ts'], mappings: 'AAAA;ACAA', [key]: [1] }))
      assert.deepEqual(
        [1, 2].map((line) => places.find(line, 1)?.isIgnored),
        [false, true],
      )
    })
  }

  it('have their text from the map, else from what was uploaded beside it', () => {
    const texts: Record<string, string> = { 'src/b.ts': 'function fromBundle() {}' }
    const map = aMap({
      ...{ sources: ['src/a.ts', 'src/b.ts', 'src/c.ts'], mappings: 'AAAY;ACAA;ACAA' },
      sourcesContent: ['const a = () => 1', null],
    })
    const places = originalPlaces(map, { sourceText: (source) => texts[source] ?? null })
    const found = [1, 2, 3].map((line) => places.find(line, 1))
    assert.deepEqual(
      found.map((place) => [place?.context?.line ?? null, place?.functionName]),
      [
        ['const a = () => 1', 'a'],
        ['function fromBundle() {}', 'fromBundle'],
        [null, null],
      ],
    )
  })

  it('show five lines either side, and of a long line what is around the column', () => {
    const text = Array.from({ length: 40 }, (_, at) => `// ${at + 1}`)
    text[19] = `${'x'.repeat(900)} here ${'y'.repeat(900)}`
    const map = aMap({ sourcesContent: [text.join('\r\n')], mappings: 'AAmBonB' })
    assert.deepEqual(originalPlaces(aMap({ sourcesContent: [text.join('\n')] })).find(1, 1)?.context, {
      before: [],
      line: '// 1',
      after: ['// 2', '// 3', '// 4', '// 5', '// 6'],
    })
    const place = originalPlaces(map).find(1, 1)
    assert.equal(place?.line, 20)
    assert.deepEqual(place.context?.before, ['// 15', '// 16', '// 17', '// 18', '// 19'])
    assert.deepEqual(place.context?.after, ['// 21', '// 22', '// 23', '// 24', '// 25'])
    assert.equal(place.context?.line.length, max('contextLineCharsMax'))
  })
})

describe('an `await` that a minifier moved into another statement', () => {
  const source = 'async function rows() {\n  const found = await load()\n  return found.rows\n}\n'
  /** `async function r(){return(await l()).rows}`, as Terser and Oxc map it. */
  const moved: Segment[] = [
    [0, 0, 0, 0],
    [15, 0, 0, 15],
    [19, 0, 2, 2],
    [32, 0, 1, 22],
    [36, 0, 2, 15],
  ]
  const placeAt = (segments: Segment[], column: number) => {
    const { mappings } = mapOf([segments])
    const { line, column: at } =
      originalPlaces(aMap({ mappings, sourcesContent: [source] })).find(1, column) ?? {}
    return `${line}:${at}`
  }

  it('is where it was written', () => assert.equal(placeAt(moved, 27), '2:17'))

  it('so it is where words are mapped one by one', () => {
    const words = [...moved.slice(0, 3), [26, 0, 2, 2], [31, 0, 2, 2], ...moved.slice(3)] as Segment[] // of tuples
    assert.equal(placeAt(words, 27), '2:17')
  })

  it('and what stands before it is where the map says', () => {
    assert.deepEqual([placeAt(moved, 20), placeAt(moved, 26), placeAt(moved, 33)], ['3:3', '3:3', '2:23'])
  })
})

describe('a map that cannot be used is told', () => {
  const many = (count: number, value: unknown) => Array.from({ length: count }, () => value)
  const section = (line: number, column = 0) => ({ offset: { line, column }, map: aMap() })
  const cases: readonly (readonly [string, MapJson, RegExp])[] = [
    ['no JSON', Buffer.from('{"version":3,"mappi'), /no JSON/],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /no JSON/],
    ['a list', Buffer.from('[]'), /no JSON object/],
    ['another version', aMap({ version: 2 }), /version 3/],
    ['no mappings', aMap({ mappings: undefined }), /no mappings/],
    ['no sources', aMap({ sources: 'a.ts' }), /sources are no list/],
    ['a mapping cut off', aMap({ mappings: 'AAAA;AAg' }), /no number/],
    ['a character that is no digit', aMap({ mappings: 'AA!A' }), /no number/],
    ['two numbers', aMap({ mappings: 'AA' }), /no number/],
    ['six numbers', aMap({ names: ['a'], mappings: 'AAAAAA' }), /more than five/],
    ['a number without end', aMap({ mappings: `${'g'.repeat(50)}A` }), /no number/],
    ['a place before the first', aMap({ mappings: 'AADA' }), /no place/],
    ['a source that is not there', aMap({ mappings: 'ACAA' }), /not there/],
    ['a name that is not there', aMap({ mappings: 'AAAAA' }), /not there/],
    ['a section at no line', { version: 3, sections: [section(2_000_000_000)] }, /no place/],
    ['a section at a negative line', { version: 3, sections: [section(-1)] }, /no place/],
    [
      'sections of sections',
      { version: 3, sections: [{ ...section(0), map: { version: 3, sections: [] } }] },
      /made of sections/,
    ],
    ['unsorted sections', { version: 3, sections: [section(4), section(3)] }, /unsorted/],
    ['too many sections', { version: 3, sections: many(max('mapSectionsMax') + 1, section(1)) }, /sections/],
    ['too many sources', aMap({ sources: many(max('mapSourcesMax') + 1, 'a') }), /sources/],
    ['too many names', aMap({ names: many(max('mapNamesMax') + 1, '') }), /names/],
    ['too many lines', aMap({ mappings: ';'.repeat(max('mapLinesMax') + 1) }), /lines/],
    [
      'too many sources in all sections',
      {
        version: 3,
        sections: many(11, {
          offset: { line: 1, column: 0 },
          map: aMap({ sources: many(max('mapSourcesMax') / 10, 'a') }),
        }),
      },
      /sources/,
    ],
  ]
  for (const [what, map, reason] of cases) {
    it(what, () => {
      assert.throws(
        () => compiledBytes(map),
        (error) => error instanceof DamagedMap && reason.test(error.message),
      )
    })
  }

  it('and one behind the guard that servers put before JSON is not', () => {
    assert.equal(originalPlaces(Buffer.from(`)]}'\n${JSON.stringify(aMap())}`)).find(1, 1)?.source, 'a.ts')
  })
})

describe('a compiled map that is not whole', () => {
  const text = Array.from({ length: 400 }, (_, at) => `export const f${at} = () => ${at}`).join('\n')
  const mappings = Array.from({ length: 400 }, (_, at): Segment[] => [
    [0, 0, at, 0],
    [9, 0, at, 13, 3],
  ])
  const whole = compiledBytes({
    ...mapOf(mappings),
    sources: ['a.ts', 'b.ts', 'c.ts', 'd.ts'],
    sourcesContent: [text],
  })

  it('is not opened when it was cut off', () => {
    assert.ok(openBytes(whole) !== null)
    for (const left of [0, 3, 63, 64, whole.length >> 1, whole.length - 1]) {
      assert.equal(openBytes(whole.subarray(0, left)), null, `${left} bytes`)
    }
  })

  it('does not throw, whichever of its bytes went bad', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 20 }), (changes) => {
        const bytes = Buffer.from(whole)
        for (const [at, value] of changes) bytes[at] = value
        const places = openBytes(bytes)
        for (const line of [1, 200, 400]) places?.find(line, 12)
      }),
      { numRuns: PROPERTY_RUNS },
    )
  })
})
