import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listQuery, listText, readListAddress } from '#parts/list-address.ts'
import { withQuery } from '#parts/paths.ts'
import { withoutToken } from '#parts/search-token.ts'
import { completeTerm, typedTerm } from '#parts/typed-term.ts'

import { withOtherKey } from './other-key.ts'

const token = (key: string | null, value: string, negated = false) => ({ key, value, negated })

describe('the address of the issue list', () => {
  test('what is written is read again', () => {
    const address = readListAddress(
      new URLSearchParams(
        'query=level:error&project=a&project=b&environment=production&range=24h&tab=all&sort=freq',
      ),
    )
    const again = withQuery('/x', listQuery(address, { cursor: 'c1' })).split('?')[1]
    assert.deepEqual(readListAddress(new URLSearchParams(again)), { ...address, cursor: 'c1' })
  })

  test('a list is one text, without its page, and none as it first opens', () => {
    const text = listText(readListAddress(new URLSearchParams('query=a%26b&sort=freq&cursor=c1')))
    assert.deepEqual(text, 'query=a%26b&sort=freq')
    assert.equal(readListAddress(new URLSearchParams(text)).query, 'a&b')
    assert.equal(listText(readListAddress(new URLSearchParams('tab=unresolved&range=14d'))), '')
  })

  test('values that mean nothing give the default', () => {
    const address = readListAddress(new URLSearchParams('range=x&tab=constructor&sort=__proto__'))
    assert.deepEqual([address.range, address.tab, address.sort], ['14d', 'unresolved', 'date'])
  })

  test('any change goes back to the first page', () => {
    const address = readListAddress(new URLSearchParams('cursor=c1'))
    assert.equal(listQuery(address, { sort: 'freq' }).cursor, null)
  })

  test('a form without script sends tokens and what was typed as several values: one search', () => {
    assert.equal(
      readListAddress(new URLSearchParams('query=level:error&query=restock')).query,
      'level:error restock',
    )
  })
})

describe('search tokens', () => {
  test('one can be taken away without touching the others', () => {
    assert.equal(
      withoutToken([token('is', 'new'), token(null, 'a b'), token('level', 'error')], 1),
      'is:new level:error',
    )
  })

  test('what is typed last is completed', () => {
    assert.deepEqual(typedTerm('is:new lev'), { key: null, prefix: 'lev', start: 7 })
    assert.deepEqual(typedTerm('level:e'), { key: 'level', prefix: 'e', start: 6 })
    assert.deepEqual(typedTerm('level:'), { key: 'level', prefix: '', start: 6 })
    assert.deepEqual(typedTerm('browser:"Chrome 1'), { key: 'browser', prefix: 'Chrome 1', start: 8 })
    assert.equal(typedTerm('is:new '), null)
    assert.equal(typedTerm('"say lev'), null)
    assert.equal(typedTerm('browser:"Chrome 141" '), null)
    assert.equal(completeTerm('is:new lev', 'level'), 'is:new level:')
    assert.equal(completeTerm('a:b c', 'odd key'), 'a:b tags[odd key]:')
  })

  test('a value that was chosen ends its term: the next one is typed behind a space', () => {
    assert.equal(completeTerm('!level:e', 'error'), '!level:error ')
    assert.equal(completeTerm('is:new browser:C', 'Chrome 141'), 'is:new browser:"Chrome 141" ')
    assert.equal(completeTerm('browser:"Chrome 1', 'Chrome 141'), 'browser:"Chrome 141" ')
    assert.equal(typedTerm(completeTerm('level:e', 'error')), null)
  })

  test('a tag that no event has gives way to what was meant', () => {
    const tokens = [token('enviroment', 'x', true), token('has', 'enviroment'), token('level', 'error')]
    assert.equal(
      withOtherKey(tokens, 'enviroment', 'environment'),
      '!environment:x has:environment level:error',
    )
  })
})
