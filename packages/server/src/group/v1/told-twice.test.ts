import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Frame, Stacktrace } from '#model/event.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { groupEvent } from '../group.ts'

const BUNDLE = 'https://x.test/assets/main-BuzKLHJ7.js'

/** Place as it ran, with the line it has in the source. */
type Place = readonly [name: string, colno: number, line: string]

const ENTRY = '  return submit(cart)'
const BODY = '  const total = readTotal(cart)'
const READ = '  return cart.items.total'
const CHROME: readonly Place[] = [
  ['a', 10, ENTRY],
  ['qc', 35_108, BODY],
  ['Zs', 31_040, READ],
]
/** The outer half of the async function stands at its end: the line is that of what follows. */
const SAFARI: readonly Place[] = [
  ['a', 12, ENTRY],
  ['qc', 35_223, 'async function other() {'],
  ['qc', 35_110, BODY],
  ['Zs', 31_039, READ],
]

function hashOf(places: readonly Place[], contexts: Readonly<Record<string, { readonly name: string }>>) {
  const ran: readonly Frame[] = places.map(([name, colno]) => {
    return { function: name, abs_path: BUNDLE, lineno: 1, colno, in_app: true }
  })
  const written: readonly Frame[] = places.map(([name, , line]) => {
    return {
      function: name,
      filename: 'src/cart.js',
      context_line: line,
      in_app: true,
      data: { sourcemap: 'm' },
    }
  })
  const of = (frames: readonly Frame[]): Stacktrace => ({ frames })
  const value = { type: 'TypeError', value: 'no', stacktrace: of(written), raw_stacktrace: of(ran) }
  const event = aScrubbedEvent({ platform: 'javascript', contexts, exception: { values: [value] } })
  return groupEvent(event).hash
}

describe('an async function, of which JavaScriptCore tells two calls', () => {
  const chrome = hashOf(CHROME, { browser: { name: 'Chrome' } })

  it('is one frame in Safari, and in every browser of a phone of Apple', () => {
    assert.equal(hashOf(SAFARI, { browser: { name: 'Mobile Safari' } }), chrome)
    assert.equal(hashOf(SAFARI, { browser: { name: 'Chrome Mobile iOS' }, os: { name: 'iOS' } }), chrome)
  })

  it('is a call of itself in another engine', () => {
    assert.notEqual(hashOf(SAFARI, { browser: { name: 'Chrome' } }), chrome)
  })

  it('is a call of itself where the newer call stands behind', () => {
    const recursion: readonly Place[] = SAFARI.map(([name, colno, line]) => [name, 99_999 - colno, line])
    assert.notEqual(
      hashOf(recursion, { browser: { name: 'Safari' } }),
      hashOf(
        CHROME.map(([name, colno, line]): Place => [name, 99_999 - colno, line]),
        {},
      ),
    )
  })
})
