import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { digest } from '#base/ids.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { digestsOf, nextDigest } from './digests.ts'

const thrown = (fields: object) =>
  aScrubbedEvent({ exception: { values: [{ type: 'Error', value: 'no total' }] }, ...fields })

function aLine(argument: object | string, fields: object = {}) {
  return {
    type: 'debug',
    category: 'console',
    level: 'error',
    data: { arguments: [argument], logger: 'console' },
    ...fields,
  }
}

const crumbs = (...values: object[]) => ({ breadcrumbs: { values } })
const found = (fields: object) => digestsOf(thrown(fields)).map(({ digest: value }) => value)

describe('digests of an event', () => {
  const PLACES: Readonly<Record<string, object>> = {
    'a tag': { tags: [['digest', '2741933020']] },
    'a tag of its own name': { tags: [['next.digest', '2741933020@E394']] },
    'a context': { contexts: { nextjs: { digest: '2741933020' } } },
    'a context, deep': { contexts: { state: { a: { b: { c: { digest: '2741933020' } } } } } },
    'extra data': { extra: { error: { digest: '2741933020' } } },
    'extra data, as a number': { extra: { errorDigest: 1, error_digest: 2_741_933_020 } },
    'the mechanism': {
      exception: { values: [{ type: 'E', mechanism: { type: 'x', data: { digest: '2741933020' } } }] },
    },
    'the message': { exception: { values: [{ type: 'E', value: 'failed (digest: "2741933020")' }] } },
    'a console line': crumbs(aLine({ message: 'no total', digest: '2741933020' })),
    'a console line of text': crumbs(
      aLine("Error: no total\n    at x (y.js:1:2) {\n  digest: '2741933020'\n}"),
    ),
    'a console line without arguments': crumbs(
      aLine('', { data: {}, message: "Error: no total\n    at x {\n  digest: '2741933020'\n}" }),
    ),
  }
  for (const [place, fields] of Object.entries(PLACES)) {
    it(`are taken from ${place}`, () => assert.ok(found(fields).includes(digest('2741933020'))))
  }

  it('are not control flow', () => {
    for (const value of [
      'NEXT_REDIRECT;replace;/x;307;',
      'NEXT_NOT_FOUND',
      'NEXT_HTTP_ERROR_FALLBACK;404',
      'DYNAMIC_SERVER_USAGE',
      'BAILOUT_TO_CLIENT_SIDE_RENDERING',
    ]) {
      const fields = { tags: [['digest', value]], ...crumbs(aLine({ message: 'no total', digest: value })) }
      assert.deepEqual(found(fields), [], value)
    }
  })

  it('are not those of an earlier error in the breadcrumbs', () => {
    const earlier = aLine({ message: 'something else', digest: '11111' })
    const own = aLine({ message: 'no total', digest: '22222' })
    assert.deepEqual(found(crumbs(earlier, own)), ['22222'])
    assert.deepEqual(found(crumbs(own, earlier)), ['22222'])
    assert.deepEqual(found(crumbs(earlier)), [])
    assert.deepEqual(found(crumbs(aLine({ message: 'no total at all', digest: '11111' }))), [])
  })

  it('are those of the newest line where the same error failed before', () => {
    const line = (value: string) => aLine({ message: 'no total', digest: value })
    assert.deepEqual(found(crumbs(line('11111'), line('22222'))), ['22222'])
  })

  it('are those of the newest line where scrubbing hid the message', () => {
    const line = aLine({ message: 'no total for [Filtered]', digest: '22222' })
    assert.deepEqual(found(crumbs(aLine({ message: 'other', digest: '11111' }), line)), ['22222'])
    assert.deepEqual(found(crumbs(aLine({ digest: '33333' }))), ['33333'])
  })

  it('are not taken from lines that are no errors', () => {
    assert.deepEqual(found(crumbs(aLine({ message: 'no total', digest: '22222' }, { level: 'info' }))), [])
    assert.deepEqual(found(crumbs(aLine({ message: 'no total', digest: '22222' }, { category: 'http' }))), [])
  })

  it('come once, at most ten', () => {
    const tags = Array.from({ length: 30 }, (_, at) => [`k${at}.digest`, String(1_000 + at)])
    assert.equal(found({ tags }).length, 10)
    const twice = { tags: [['digest', '7']], ...crumbs(aLine({ message: 'no total', digest: '7' })) }
    assert.deepEqual(found(twice), ['7'])
  })

  it('survive deep and wide bags', () => {
    let deep: object = { digest: '1' }
    for (let at = 0; at < 100; at += 1) deep = { deep }
    assert.deepEqual(
      found({
        extra: { deep, wide: Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`k${at}`, {}])) },
      }),
      [],
    )
  })
})

describe('verification', () => {
  const message = "Cannot read properties of undefined (reading 'amount')"
  const stack = `TypeError: ${message}\n    at c (/srv/.next/server/chunks/x.js:1:1664)`
  const event = (fields: object) =>
    thrown({
      exception: { values: [{ type: 'TypeError', value: message }] },
      ...crumbs(aLine({ message, stack, ...fields })),
    })

  it('hashes as the framework does', () => {
    // Values of the `string-hash` package.
    assert.equal(nextDigest(''), '5381')
    assert.equal(nextDigest('a'), '177604')
  })

  it('is true for the hash of message and stack, false for another', () => {
    assert.deepEqual(digestsOf(event({ digest: nextDigest(message + stack) })), [
      { digest: nextDigest(message + stack), verified: true },
    ])
    assert.deepEqual(digestsOf(event({ digest: '123' })), [{ digest: '123', verified: false }])
  })

  it('is unknown where a part is missing or scrubbed', () => {
    assert.equal(digestsOf(event({ digest: '123', stack: undefined }))[0]?.verified, null)
    assert.equal(digestsOf(event({ digest: '123', stack: `${stack}[Filtered]` }))[0]?.verified, null)
    assert.equal(digestsOf(thrown({ tags: [['digest', '123']] }))[0]?.verified, null)
  })

  it('of a console line speaks for the same digest in a tag', () => {
    const value = nextDigest(message + stack)
    const tagged = aScrubbedEvent({ ...event({ digest: value }), tags: [['digest', value]] })
    assert.deepEqual(digestsOf(tagged), [{ digest: value, verified: true }])
  })
})
