import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { normalizeEvent } from './normalize.ts'

function traceOf(frames: readonly object[]) {
  const received = { eventId: null, receivedMs: Date.parse('2026-11-21T10:00:00Z'), sentAt: null }
  const client = { clientAddress: null, userAgent: null, sdk: undefined, client: null }
  const exception = [{ type: 'E', stacktrace: { frames } }]
  const answer = normalizeEvent({ exception }, { ...received, ...client })
  assert.ok(answer.ok, 'the event was refused')
  return answer.event.exception?.values[0]?.stacktrace
}

describe('frames', () => {
  test('of endless recursion who began it and two rounds stay, with how many there were', () => {
    const call = (name: string) => ({ function: name, filename: `${name}.py`, lineno: 36 })
    const trace = (frames: readonly object[]) => traceOf(frames)
    const deep = trace([
      call('main'),
      call('handle'),
      ...Array.from({ length: 990 }, () => call('rec')),
      call('last'),
    ])
    assert.deepEqual(
      deep?.frames.map((frame) => frame.function),
      ['main', 'handle', 'rec', 'rec', 'last'],
    )
    assert.deepEqual(deep?.frames_repeated, [{ at: 2, size: 1, times: 990 }])
    assert.equal(deep?.frames_omitted, undefined)
    const mutual = trace([
      call('main'),
      ...Array.from({ length: 300 }, () => [call('even'), call('odd'), call('next')]).flat(),
    ])
    assert.deepEqual(mutual?.frames_repeated, [{ at: 1, size: 3, times: 300 }])
    assert.equal(mutual?.frames.length, 7)
  })

  test('of too many frames both ends stay', () => {
    const frames = Array.from({ length: 300 }, (_, at) => ({ function: `f${at}` }))
    const trace = traceOf(frames)
    assert.deepEqual([trace?.frames[0]?.function, trace?.frames.at(-1)?.function], ['f0', 'f299'])
    assert.equal(trace?.frames_omitted, 50)
  })

  test('a mark between two calls is no frame of the app', () => {
    const frames = [
      { abs_path: '<asynchronous suspension>' },
      { abs_path: 'package:shop/cart.dart', in_app: true },
    ]
    const trace = traceOf(frames)
    assert.deepEqual(
      trace?.frames.map((frame) => frame.in_app),
      [false, true],
    )
  })
})
