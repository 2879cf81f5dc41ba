import assert from 'node:assert/strict'
import { maxHeaderSize } from 'node:http'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { linkHeader, readPage } from './pages.ts'

/** An address of so many characters. */
function addressOf(chars: number): URL {
  const begin = 'https://errata.example/api/0/organizations/shop/teams/?query='
  return new URL(begin + 'a'.repeat(chars - begin.length))
}

describe('the address of a list', () => {
  const most = max('listAddressCharsMax')

  it('is refused with a sentence where it is longer than answers can repeat', () => {
    for (const chars of [most - 1, most]) assert.equal(readPage(addressOf(chars)).limit, 25)
    assert.throws(() => readPage(addressOf(most + 1)), {
      message: 'The address of a list has at most 6,000 characters: shorten the search.',
    })
  })

  it('counts as it is sent: a search in other scripts is nine characters a letter', () => {
    const asked = new URL(`https://errata.example/?query=${'缺'.repeat(most / 9)}`)
    assert.throws(() => readPage(asked))
  })

  it('comes back with both cursors in less than the headers that clients of Node take', () => {
    const cursor = 'c'.repeat(600)
    const header = linkHeader({ previous: cursor, next: cursor, hits: null }, addressOf(most))
    assert.ok(header.length < maxHeaderSize - 1_024, `${header.length}`)
  })
})
