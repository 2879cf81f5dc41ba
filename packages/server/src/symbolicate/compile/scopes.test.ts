import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { max } from '#limits/limits.ts'
import { originalPlaces } from '#testing/builders/source-map.ts'
import { PROPERTY_RUNS } from '#testing/property-runs.ts'
import { functionsOfMetro, functionsOfScopes } from './scopes.ts'

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function unsigned(value: number): string {
  const digit = value % 32
  const left = Math.floor(value / 32)
  return left > 0 ? (DIGITS[digit + 32] ?? '') + unsigned(left) : (DIGITS[digit] ?? '')
}
const signed = (value: number) => unsigned(value < 0 ? -2 * value + 1 : 2 * value)

/** The beginning of a scope: lines and columns on from what came before, the name on from the name before. */
const begin = (lines: number, columns: number, name?: number, isFunction = true) =>
  `B${unsigned((name === undefined ? 0 : 1) + (isFunction ? 4 : 0))}${unsigned(lines)}${unsigned(columns)}` +
  (name === undefined ? '' : signed(name))
const end = (lines: number, columns: number) => `C${unsigned(lines)}${unsigned(columns)}`

const NAMES = ['total', 'add', 'function']
/** Module 0:0–9:1 around `total` 1:0–5:1 around `add` 2:4–4:5, and a function without a name at 7:2–7:40. */
const SCOPES = [
  ...[begin(0, 0, undefined, false), 'DAC', begin(1, 0, 0), begin(1, 4, 1), end(2, 5), end(1, 1)],
  ...[begin(2, 2), end(0, 38), end(2, 1)],
].join(',')

describe('scopes of a map', () => {
  it('tell the functions of each source, by their places', () => {
    assert.deepEqual(functionsOfScopes(`A,${SCOPES},,${begin(0, 3, -1)},${end(1, 0)},E`, NAMES), [
      undefined,
      [
        { startLine: 1, startColumn: 0, endLine: 5, endColumn: 1, name: 'total' },
        { startLine: 2, startColumn: 4, endLine: 4, endColumn: 5, name: 'add' },
        { startLine: 7, startColumn: 2, endLine: 7, endColumn: 40, name: '' },
      ],
      undefined,
      [{ startLine: 0, startColumn: 3, endLine: 1, endColumn: 0, name: 'total' }],
    ])
  })

  it('keep what stands before what cannot be read, and skip items of others', () => {
    const whole = functionsOfScopes(SCOPES, NAMES)
    assert.deepEqual(functionsOfScopes(`${SCOPES},B!`, NAMES), whole)
    assert.deepEqual(functionsOfScopes(`qBF,${SCOPES},C`, NAMES), whole)
    assert.deepEqual(functionsOfScopes(begin(0, 0, 99), NAMES), [], 'one without an end')
  })

  it('are bounded in number and depth, and never throw', () => {
    const many = Array.from({ length: max('mapFunctionsMax') + 5 }, () => `${begin(0, 1)},${end(0, 1)}`)
    const [found] = functionsOfScopes(`${begin(0, 0)},${many.join(',')},${end(1, 0)}`, [])
    assert.equal(found?.length, max('mapFunctionsMax'))
    const depth = max('mapScopeDepthMax') + 1
    const deep = [
      ...Array.from({ length: depth }, () => begin(0, 1)),
      ...Array.from({ length: depth }, () => end(0, 1)),
    ]
    assert.deepEqual(functionsOfScopes(deep.join(','), []), [])
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'ABCDEFG+/,;g9'.split('')), { maxLength: 80 }), (letters) => {
        functionsOfScopes(letters.join(''), NAMES)
        functionsOfMetro([[{ names: NAMES, mappings: letters.join('') }]])
      }),
      { numRuns: PROPERTY_RUNS },
    )
  })

  const TEXT = 'const a = 1\nfunction t() {\n    n(() => {\n    })\n}\n'
  const aMap = {
    version: 3,
    sources: ['cart.ts'],
    sourcesContent: [TEXT],
    names: NAMES,
    mappings: 'AAEI;AACE',
  }
  it('name a frame before the text of its source does, also within a section', () => {
    assert.equal(originalPlaces(aMap).find(1, 5)?.functionName, 't')
    assert.equal(originalPlaces({ ...aMap, scopes: SCOPES }).find(1, 5)?.functionName, 'add')
    const section = { offset: { line: 4, column: 0 }, map: { ...aMap, scopes: SCOPES } }
    assert.equal(originalPlaces({ version: 3, sections: [section] }).find(5, 5)?.functionName, 'add')
  })
})

describe('what Metro tells of functions', () => {
  /** `<global>` from 0:0, `Cart#pay` from 1:2, a function without a name in it from 1:20, again `Cart#pay` from 3:4. */
  const mappings = `AAA;${signed(2)}${signed(1)}${signed(1)},${signed(18)}${signed(1)};${signed(4)}${signed(-1)}${signed(2)};AF${signed(2)}`
  const metro = [null, [{ names: ['<global>', 'Cart#pay', '<anonymous>', 'Cart#get__sum'], mappings }]]

  it('are pieces of functions', () => {
    assert.deepEqual(functionsOfMetro(metro), [
      undefined,
      [
        { startLine: 1, startColumn: 2, endLine: 1, endColumn: 20, name: 'Cart.pay' },
        { startLine: 1, startColumn: 20, endLine: 3, endColumn: 4, name: '' },
        { startLine: 3, startColumn: 4, endLine: 5, endColumn: 0, name: 'Cart.pay' },
      ],
    ])
  })

  it('names a frame where the source has no text', () => {
    const map = { version: 3, sources: ['a.js', 'cart.js'], names: [], mappings: 'ACCU' }
    assert.equal(originalPlaces(map).find(1, 1)?.functionName, null)
    assert.equal(originalPlaces({ ...map, x_facebook_sources: metro }).find(1, 1)?.functionName, 'Cart.pay')
  })

  it('names a getter by its name, and lets what is no such list be', () => {
    const getter = [[{ names: ['get__sum', 'Cart#set__sum'], mappings: 'AAA;ACC' }]]
    assert.deepEqual(
      functionsOfMetro(getter)[0]?.map(({ name }) => name),
      ['sum', 'Cart.sum'],
    )
    for (const other of [undefined, {}, ['x'], [[{ mappings: 3 }]], [[{ mappings: 'A', names: [] }]]]) {
      assert.ok(functionsOfMetro(other).every((each) => each === undefined))
    }
  })
})
