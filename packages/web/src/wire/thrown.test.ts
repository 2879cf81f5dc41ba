import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultStackParser, eventFromException } from '@sentry/browser'
import { eventOfThrown } from './thrown.ts'

class Refused extends Error {
  override readonly name = 'Refused'
}

/** Stand-in for the class that browsers have and Node has not. */
class ErrorEvent extends Event {
  readonly message = 'Script error.'
  readonly error: unknown

  constructor(error: unknown) {
    super('error')
    this.error = error
  }

  get [Symbol.toStringTag]() {
    return 'ErrorEvent'
  }
}

test('whatever is thrown is told in the words of the SDK', async () => {
  for (const thrown of [
    new TypeError('x is not a function'),
    new Refused('no'),
    new Error(''),
    new DOMException('stopped', 'AbortError'),
    { code: 1, reason: 'gone' },
    {},
    { inside: new RangeError('deep') },
    new Event('error'),
    new ErrorEvent(null),
    new ErrorEvent(new RangeError('carried')),
    'a text',
    '',
    17,
    null,
    undefined,
  ]) {
    const { extra: _, ...said } = await eventFromException(defaultStackParser, thrown)
    const own = eventOfThrown(thrown)
    const { mechanism: _own, ...first } = own.exception?.values?.[0] ?? {}
    const { mechanism: _said, ...firstSaid } = said.exception?.values?.[0] ?? {}
    assert.deepEqual(first, firstSaid, String(thrown))
    assert.deepEqual([own.level, own.message], [said.level, said.message], String(thrown))
  }
})

test('causes are told deepest first, and no more than five of them', () => {
  const chain = (depth: number): Error =>
    new Error(`level ${depth}`, depth === 7 ? {} : { cause: chain(depth + 1) })
  assert.deepEqual(
    eventOfThrown(chain(1)).exception?.values?.map(({ value }) => value),
    ['level 6', 'level 5', 'level 4', 'level 3', 'level 2', 'level 1'],
  )
})

test('errors beside each other are told with the one that holds them', () => {
  const values = eventOfThrown(new AggregateError([new Error('left'), new Error('right')], 'both')).exception
    ?.values
  assert.deepEqual(
    values?.map(({ value }) => value),
    ['right', 'left', 'both'],
  )
})
