import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ExceptionValue, Frame, Grouping, ScrubbedEvent } from '#model/event.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { groupEvent } from '../group.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'

interface Thrown extends Partial<ExceptionValue> {
  readonly frames?: readonly Frame[]
}

function thrown({ frames, ...exception }: Thrown, fields: object = {}): ScrubbedEvent {
  const value = frames === undefined ? exception : { ...exception, stacktrace: { frames } }
  return aScrubbedEvent({ exception: { values: [value] }, ...fields })
}

const words = ({ explanation }: Grouping) =>
  explanation.map(({ name, value, contributes }) => `${contributes ? '+' : '-'} ${name} ${value}`)

const hashesOf = (events: readonly ScrubbedEvent[]) =>
  new Set(events.map((event) => groupEvent(event).hash)).size

describe('a mirror of a server failure', () => {
  const contexts = { trace: { trace_id: TRACE } }
  const mirror = (value: string, fields: object = {}) =>
    thrown({ type: 'Error', value }, { platform: 'javascript', contexts, ...fields })
  const TEXTS = [
    'Minified React error #441; visit https://react.dev/errors/441 for the full message or use the non-minified dev environment',
    'Minified React error #419; visit https://react.dev/errors/419',
    'Uncaught Error: Minified React error #441; visit https://react.dev/errors/441',
    'https://react.dev/errors/441?args[]=x',
    'Minified React error #419; visit https://reactjs.org/docs/error-decoder.html?invariant=419 for the full message',
    'An error occurred in the Server Components render. The specific message is omitted in production builds to avoid leaking sensitive details.',
    'Error: An error occurred in the Server Components render, but no message was provided',
    'The server could not finish this Suspense boundary, likely due to an error during server rendering.',
    'Unexpected Server Error',
  ]
  for (const text of TEXTS) {
    it(`is recognised by ${text.slice(0, 60)}`, () => {
      assert.deepEqual(groupEvent(mirror(text)).mirror, { traceId: TRACE })
    })
  }

  it('is not what only resembles one', () => {
    const others = [
      mirror('Minified React error #418; visit https://react.dev/errors/418'),
      mirror('Minified React error #4410; visit https://react.dev/errors/4410'),
      mirror("hydration failed: 'Minified React error #441'"),
      mirror('Unexpected Server Error: 502'),
      thrown({ type: 'TypeError', value: 'Unexpected Server Error' }, { contexts }),
      thrown({ type: 'Error', value: 'Unexpected Server Error' }, { platform: 'python', contexts }),
      thrown(
        {
          type: 'Error',
          value: 'Unexpected Server Error',
          frames: [{ filename: '/srv/app/pay.js', function: 'pay', in_app: true }],
        },
        { contexts },
      ),
      thrown({ type: 'Error', value: 'No free connection' }, { contexts, tags: [['digest', '123456']] }),
    ]
    for (const event of others)
      assert.equal(groupEvent(event).mirror, undefined, event.exception?.values[0]?.value)
  })

  it('groups by its digest wherever that is', () => {
    const [text = ''] = TEXTS
    const crumb = (message: string, digest: string) => ({
      type: 'debug',
      category: 'console',
      level: 'error',
      data: { arguments: [{ message, digest, stack: 'Error' }], logger: 'console' },
    })
    const places: readonly object[] = [
      { tags: [['digest', '2741933020']] },
      { tags: [['error.digest', '2741933020@E394']] },
      { contexts: { ...contexts, react: { deep: { error: { digest: '2741933020' } } } } },
      { extra: { error: { digest: 2_741_933_020 } } },
      { breadcrumbs: { values: [crumb(text, '2741933020')] } },
      { breadcrumbs: { values: [crumb(text, '2741933020'), crumb('something else', '11111')] } },
    ]
    for (const fields of places) {
      assert.deepEqual(groupEvent(mirror(text, fields)).mirror?.digest, '2741933020', JSON.stringify(fields))
    }
    assert.equal(hashesOf(places.map((fields) => mirror(text, fields))), 1)
    assert.equal(groupEvent(mirror(`${TEXTS[5]} digest: "2741933020"`)).mirror?.digest, '2741933020')
    const earlier = mirror(text, { breadcrumbs: { values: [crumb('something else', '11111')] } })
    assert.equal(groupEvent(earlier).mirror?.digest, undefined, 'of an earlier error')
    const control = mirror(text, { tags: [['digest', 'NEXT_REDIRECT;replace;/x;307;']] })
    assert.equal(groupEvent(control).mirror?.digest, undefined)
  })

  it('groups by its trace without a digest, whichever side it came from', () => {
    const browser = mirror('Unexpected Server Error')
    const server = thrown({ type: 'Error', value: 'Unexpected Server Error' }, { contexts })
    const other = mirror('Unexpected Server Error', { contexts: { trace: { trace_id: 'f'.repeat(32) } } })
    assert.equal(hashesOf([browser, server]), 1)
    assert.equal(hashesOf([browser, other]), 2)
  })

  it('groups by the ordinary rule without either', () => {
    const bare = mirror(TEXTS[0] ?? '', { contexts: {} })
    assert.deepEqual(groupEvent(bare).mirror, {})
    assert.deepEqual(words(groupEvent(bare)), ['+ exception Error', '+ message Minified React error #441'])
  })

  it('is still a mirror under a fingerprint, which decides', () => {
    const grouping = groupEvent(mirror(TEXTS[0] ?? '', { fingerprint: ['own'] }))
    assert.deepEqual(grouping.mirror, { traceId: TRACE })
    assert.deepEqual(words(grouping), ['+ fingerprint own', `- mirror ${TRACE}`])
  })
})
