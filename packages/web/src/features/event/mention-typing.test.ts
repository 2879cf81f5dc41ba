import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mentionAt, mentionsFor } from './mention-typing.ts'

describe('typing a mention', () => {
  for (const [text, wanted] of [
    ['@', '@'],
    ['look @ros', '@ros'],
    ['(@rosa.k', '@rosa.k'],
    ['for #che', '#che'],
    ['SHOP#12', null],
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
    const teams = [
      { slug: 'checkout', name: 'Basket' },
      { slug: 'pay', name: 'Card payments' },
      { slug: 'rosa', name: 'Rosa' },
    ]
    const texts = (typed: string) => mentionsFor(typed, { people, teams }).map(({ text }) => text)
    assert.deepEqual(texts('@KI'), ['@rosa', '@kim'])
    assert.deepEqual(texts('#c'), ['#checkout', '#pay'])
    assert.deepEqual(texts('@checkout'), [])
    const named = { people: [{ name: 'Łukasz Żółć', email: 'l@example.com', mention: 'l' }], teams: [] }
    for (const typed of ['@łuk', '@ŁUK', '@zo']) assert.equal(mentionsFor(typed, named).length, 1, typed)
  })
})
