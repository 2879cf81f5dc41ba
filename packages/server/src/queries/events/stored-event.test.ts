import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { groupHash } from '#base/ids.ts'
import { groupEvent } from '#group/group.ts'
import { explanationOf, readStoredEvent } from './stored-event.ts'

const EVENT = {
  event_id: 'a'.repeat(32),
  platform: 'node',
  exception: {
    values: [
      {
        type: 'TypeError',
        value: 'no total of order 17',
        stacktrace: { frames: [{ filename: 'app/cart.ts', function: 'total', in_app: true }] },
      },
    ],
  },
}

describe('the explanation of a stored event', () => {
  const event = readStoredEvent(new TextEncoder().encode(JSON.stringify(EVENT)))
  const { hash } = groupEvent(event as Parameters<typeof groupEvent>[0])

  it('names the parts that decided its group, in words of the event itself', () => {
    assert.deepEqual(
      explanationOf(event, [groupHash('c'.repeat(32)), hash]).map(({ value, contributes }) => [
        value,
        contributes,
      ]),
      [
        ['TypeError', true],
        ['total in cart.ts', true],
        ['no total of order <int>', false],
      ],
    )
  })

  it('is empty where something else decided', () => {
    assert.deepEqual(explanationOf(event, [groupHash('b'.repeat(32))]), [])
  })
})
