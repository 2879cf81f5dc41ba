import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { cpuMs } from '#testing/cpu-time.ts'
import { decodeReactText, readReactError } from './decode.ts'
import { decodeEvent, encodedEvent } from './decode-event.ts'

const NEW = (code: number, args = '') =>
  `Minified React error #${code}; visit https://react.dev/errors/${code}${args} for the full message or use the non-minified dev environment for full errors and additional helpful warnings.`
const OLD = (code: number, args = '') =>
  `Minified React error #${code}; visit https://reactjs.org/docs/error-decoder.html?invariant=${code}${args} for the full message or use the non-minified dev environment for full errors and additional helpful warnings.`

describe('a minified error of React', () => {
  const TABLE: readonly (readonly [sent: string, starts: string])[] = [
    // 19, as Chromium got it from react-dom 19.2.0.
    [
      NEW(418, '?args[]=text&args[]='),
      "Minified React error #418: Hydration failed because the server rendered text didn't match the client.",
    ],
    [
      NEW(418, '?args%5B%5D=HTML&args%5B%5D='),
      "Minified React error #418: Hydration failed because the server rendered HTML didn't match the client.",
    ],
    [
      NEW(441),
      'Minified React error #441: An error occurred in the Server Components render. The specific message is omitted',
    ],
    [
      NEW(31, '?args[]=object%20with%20keys%20%7Bid%2C%20name%7D'),
      'Minified React error #31: Objects are not valid as a React child (found: object with keys {id, name}). If you meant',
    ],
    [
      NEW(527, '?args[]=19.2.0&args[]=19.1.0'),
      'Minified React error #527: Incompatible React versions: The "react" and "react-dom" packages must have the exact same version. Instead got:\n  - react:      19.2.0\n  - react-dom:  19.1.0',
    ],
    // 18: another wording of the same number, and no arguments.
    [
      OLD(418),
      'Minified React error #418: Hydration failed because the initial UI does not match what was rendered',
    ],
    [
      OLD(423),
      'Minified React error #423: There was an error while hydrating. Because the error happened outside',
    ],
    [OLD(425), 'Minified React error #425: Text content does not match server-rendered HTML.'],
    [OLD(321), 'Minified React error #321: Invalid hook call. Hooks can only be called inside of the body'],
    // 16 and 17: two arguments where later majors take one.
    [
      OLD(31, '&args[]=%5Bobject%20Object%5D&args[]=%0A%20%20%20%20in%20App'),
      'Minified React error #31: Objects are not valid as a React child (found: [object Object]).\n    in App',
    ],
    [
      OLD(130, '&args[]=undefined&args[]='),
      'Minified React error #130: Element type is invalid: expected a string',
    ],
    [OLD(200), 'Minified React error #200: Target container is not a DOM element.'],
  ]
  for (const [sent, starts] of TABLE) {
    it(`says “${starts.slice(0, 70)}…”`, () => {
      const decoded = decodeReactText(sent)
      assert.equal(decoded.slice(0, starts.length), starts)
      assert.doesNotMatch(decoded, /for the full message|%s/)
    })
  }

  it('is worded as in the version that the page runs, where the address does not tell', () => {
    const sent = `Minified React error #284; visit https://react.dev/errors/284 for the full message.`
    assert.match(decodeReactText(sent, '18.3.1'), /a function, a string, an object/)
    assert.match(decodeReactText(sent, '19.2.0'), /or undefined\/null/)
  })

  it('keeps what stands around it, and the place of an argument that is missing', () => {
    const sent = `Uncaught Error: ${NEW(130)} (at main.js)`
    assert.match(
      decodeReactText(sent),
      /^Uncaught Error: Minified React error #130: Element .* got: …\.… \(at main\.js\)$/s,
    )
  })

  it('is known by its address alone', () => {
    assert.equal(readReactError('visit https://react.dev/errors/418?args[]=HTML&args[]=')?.code, 418)
    assert.deepEqual(readReactError('https://reactjs.org/docs/error-decoder.html?invariant=425')?.args, [])
  })

  it('stays as it is where no table names it, and where nothing is one', () => {
    for (const text of [NEW(99999), 'Error: React is not defined', 'see https://react.dev/learn', '']) {
      assert.equal(decodeReactText(text), text)
    }
    assert.equal(readReactError('see https://react.dev/learn'), null)
  })

  it('reads addresses that are cut or made to be slow', () => {
    assert.match(decodeReactText(NEW(31, '?args[]=%E2%82')), /found: %E2%82/)
    const start = cpuMs()
    for (const part of ['&args[]=', '%', 'args[]', 'Minified React error #1'])
      decodeReactText(NEW(31, part.repeat(1_000)))
    assert.ok(cpuMs() - start < 500)
  })
})

describe('an event with minified errors', () => {
  const event = aScrubbedEvent({
    message: NEW(425),
    logentry: { formatted: NEW(425) },
    exception: { values: [{ type: 'Error', value: NEW(418, '?args[]=HTML&args[]=') }, { type: 'Error' }] },
    breadcrumbs: {
      values: [
        { type: 'default', level: 'error', category: 'console', message: NEW(441) },
        { type: 'default', level: 'info', message: 'plain' },
      ],
    },
  })

  it('is decoded in message, exceptions and breadcrumbs, and read as it was sent again', () => {
    const read = decodeEvent(event)
    assert.match(read.event.exception?.values[0]?.value ?? '', /^Minified React error #418: Hydration failed/)
    assert.match(read.event.breadcrumbs?.values[0]?.message ?? '', /Server Components render/)
    assert.match(read.event.message ?? '', /Text content/)
    assert.deepEqual(
      read.decoded.map(({ path }) => path),
      ['exception.values.0.value', 'breadcrumbs.values.0.message', 'logentry.formatted', 'message'],
    )
    assert.deepEqual(encodedEvent(read), event)
  })

  it('is the very same where there is nothing to decode', () => {
    const plain = aScrubbedEvent({ message: 'hi' })
    assert.equal(decodeEvent(plain).event, plain)
  })
})
