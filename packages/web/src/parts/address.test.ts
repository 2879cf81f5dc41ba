import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AddressTable, queryOf, readAddress } from './address.ts'
import { withQuery } from './paths.ts'

const CARTS = {
  query: { type: 'search', first: '' },
  owner: { type: 'text', first: null, charsMax: 5 },
  shops: { type: 'several', name: 'shop', first: [], countMax: 2 },
  sort: { type: 'choice', first: 'new', of: ['new', 'old'] },
  range: { type: 'choice', first: '1d', of: [{ key: '1d' }, { key: '7d' }], unless: 'exactly' },
  kind: { type: 'key', first: null, in: { full: 1, empty: 2 } },
  isAll: { type: 'flag', name: 'show', first: false, on: 'all' },
  exactly: { type: 'value', first: null, resetBy: ['range'] },
  page: { type: 'page', first: 1, pagesMax: 9, resetBy: 'all' },
  before: { type: 'number', first: null, resetBy: 'all' },
} as const satisfies AddressTable

const read = (text: string) => readAddress(CARTS, new URLSearchParams(text))
const printed = (text: string, change: Parameters<typeof query>[1] = {}) =>
  withQuery('', query(read(text), change))
const query = queryOf(CARTS)

describe('the codec of addresses', () => {
  it('reads nothing as the first value of each entry, and prints none of them', () => {
    assert.deepEqual(
      { ...read('') },
      {
        ...{ query: '', owner: null, shops: [], sort: 'new', range: '1d', kind: null, isAll: false },
        ...{ exactly: null, page: 1, before: null },
      },
    )
    assert.equal(printed(''), '')
    assert.equal(printed('sort=new&range=1d&page=1&show=some&owner='), '')
  })

  it('prints what it read, in the order of the table', () => {
    const text = '?query=a+b&owner=ada&shop=x&shop=y&sort=old&range=7d&kind=full&show=all'
    assert.equal(printed(text), text)
  })

  it('bounds what is typed, and takes no value that it does not know', () => {
    assert.deepEqual(
      ['abcd', 'abcde', 'abcdef', ' a '].map((owner) => read(`owner=${owner}`).owner),
      ['abcd', 'abcde', 'abcde', 'a'],
    )
    assert.deepEqual(read('shop=a&shop=b&shop=c').shops, ['a', 'b'])
    assert.deepEqual(
      [read('sort=up').sort, read('range=__proto__').range, read('kind=constructor').kind],
      ['new', '1d', null],
    )
    assert.equal(read('query=a&query=b').query, 'a b')
  })

  it('reads whole numbers from 1, and pages up to the last', () => {
    assert.deepEqual(
      ['-1', '0', '1', '1.5', 'x', '9007199254740991', '9007199254740992'].map(
        (before) => read(`before=${before}`).before,
      ),
      [null, null, 1, null, null, 9007199254740991, null],
    )
    assert.deepEqual(
      ['-1', '0', '1', '8.9', '9', '10', 'x'].map((page) => read(`page=${page}`).page),
      [1, 1, 1, 8, 9, 9, 1],
    )
  })

  it('begins at the first page with every change but of the page itself', () => {
    assert.equal(printed('sort=old&page=3&before=7', { kind: 'empty' }), '?sort=old&kind=empty')
    assert.equal(printed('sort=old&page=3'), '?sort=old')
    assert.equal(printed('sort=old&page=3', { page: 4 }), '?sort=old&page=4')
  })

  it('forgets what another entry takes the place of, and does not print both', () => {
    assert.equal(printed('range=7d&exactly=noon'), '?exactly=noon')
    assert.equal(printed('exactly=noon', { range: '7d' }), '?range=7d')
    assert.equal(printed('exactly=noon', { range: '7d', exactly: 'night' }), '?exactly=night')
    assert.equal(printed('exactly=noon', { sort: 'old' }), '?sort=old&exactly=noon')
  })
})
