import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mentionAt, mentionsFor } from './mention-typing.ts'

describe('typing a mention', () => {
  for (const [text, wanted] of [
    ['@', ''],
    ['look @ros', 'ros'],
    ['(@rosa.k', 'rosa.k'],
    ['rosa@example', null],
    ['@rosa look', null],
    ['', null],
  ] as const)
    it(`finds ${JSON.stringify(wanted)} at the end of ${JSON.stringify(text)}`, () =>
      assert.equal(mentionAt(text, text.length), wanted))

  it('offers whoever has a word that begins so', () => {
    const people = [
      { name: 'Rosa Kim', email: 'rosa@example.com', mention: 'rosa' },
      { name: '', email: 'kim@example.com', mention: 'kim' },
      { name: 'Ada', email: 'ada@example.com', mention: 'ada' },
    ]
    assert.deepEqual(
      mentionsFor('KI', people).map(({ mention }) => mention),
      ['rosa', 'kim'],
    )
  })
})
