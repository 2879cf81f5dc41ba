import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { normalizeEvent } from './normalize.ts'

function exceptionOf(raw: object) {
  const received = { receivedMs: Date.parse('2026-11-21T10:00:00Z'), sentAt: null }
  const client = { clientAddress: null, userAgent: null, sdk: undefined, client: null }
  const answer = normalizeEvent(raw, { eventId: null, ...received, ...client })
  assert.ok(answer.ok, 'the event was refused')
  return answer.event.exception ?? { values: [] }
}

describe('frames that are lines of the message', () => {
  const value =
    'Server Action "40ab" was not found on the server. \nRead more: https://nextjs.org/docs/messages/failed-to-find-server-action'
  const line = {
    ...{ function: 'Read more: ', in_app: true },
    filename: 'https://nextjs.org/docs/messages/failed-to-find-server-action',
  }
  const framesOf = (...frames: readonly object[]) => framesIn('UnrecognizedActionError', frames)
  const framesIn = (type: string, frames: readonly object[]) => {
    const exception = { type, value, stacktrace: { frames } }
    const { values } = exceptionOf({ platform: 'javascript', exception: { values: [exception] } })
    return values?.[0]?.stacktrace?.frames.map(({ function: name }) => name)
  }

  test('are left out', () => {
    const call = { function: 'submit', filename: 'https://shop.example/a.js', lineno: 1, colno: 9 }
    assert.deepEqual(framesOf(call, line), ['submit'])
    assert.equal(framesOf(line), undefined)
  })

  test('stay where they name a place, or say something else', () => {
    assert.deepEqual(framesOf({ ...line, lineno: 3 }), ['Read more: '])
    assert.deepEqual(framesOf({ ...line, function: 'open' }), ['open'])
    assert.deepEqual(framesIn('Error', [line]), ['Read more: '], 'its group is by its frames')
  })
})
