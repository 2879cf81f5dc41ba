import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { crumbOffsets, crumbRow } from './crumbs.ts'
import { rulesAt, rulesCounted, scrubbedPieces } from './rules.ts'
import { blockText, lineText } from './value-text.ts'

describe('breadcrumbs in one row', () => {
  test('a request says method, address and status, and a failed one is marked', () => {
    const row = crumbRow({
      type: 'http',
      category: 'fetch',
      level: 'info',
      data: { method: 'GET', url: '/orders/1', status_code: 503, duration: 168 },
    })
    assert.deepEqual(
      [row.text, row.result, row.duration, row.isBad],
      ['GET /orders/1', '503', '168 ms', true],
    )
  })

  test('a navigation says from where to where', () => {
    const row = crumbRow({ type: 'navigation', level: 'info', data: { from: '/', to: '/account' } })
    assert.deepEqual([row.label, row.text], ['navigation', '/ → /account'])
  })

  test('without a message its data stand in for it', () => {
    const row = crumbRow({ type: 'default', category: 'custom', level: 'info', data: { step: 2 } })
    assert.equal(row.text, '{ step: 2 }')
  })

  test('an unknown time has no offset', () => {
    const crumbs = [
      { type: 'default', level: 'info', timestamp: 99.5 },
      { type: 'default', level: 'info' },
    ] as const
    assert.deepEqual(crumbOffsets(crumbs, 100), [-500, null])
  })
})

describe('what was removed', () => {
  test('every mark stands apart and nothing of the text is lost', () => {
    assert.deepEqual(scrubbedPieces('token=[Filtered]&a=1'), [
      { text: 'token=', isRemoved: false },
      { text: '[Filtered]', isRemoved: true },
      { text: '&a=1', isRemoved: false },
    ])
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '[Filtered]', '[', 'Filtered]', ' ')), (parts) => {
        const text = parts.join('')
        assert.equal(
          scrubbedPieces(text)
            .map((piece) => piece.text)
            .join(''),
          text,
        )
      }),
    )
  })

  test('rules are found at a place, below it and above it', () => {
    const paths = [
      { path: 'request.data.card', rule: 'credit_card' },
      { path: 'request.headers.Cookie', rule: 'cookie' },
    ]
    assert.deepEqual(rulesAt(paths, 'request.data'), ['credit card'])
    assert.deepEqual(rulesAt(paths, 'request.headers.Cookie.session'), ['cookie'])
    assert.deepEqual(rulesAt(paths, 'request.head'), [])
  })

  test('rules are counted by place, each place once', () => {
    const twice = { path: 'message', rule: 'token' }
    assert.deepEqual(
      rulesCounted([twice, twice, { path: 'a', rule: 'cookie' }, { path: 'b', rule: 'cookie' }]),
      [
        { rule: 'cookie', paths: ['a', 'b'] },
        { rule: 'token', paths: ['message'] },
      ],
    )
  })
})

describe('values as text', () => {
  test('a value is one line as a person would write it', () => {
    assert.equal(
      lineText({ id: 'A-1', lines: [1, 2], paid: true, refund: null }),
      '{ id: "A-1", lines: [1, 2], paid: true, refund: null }',
    )
  })

  test('no value is longer than its place, however large or deep it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        assert.ok(lineText(value, 100).length <= 101)
      }),
    )
    assert.ok(blockText('x'.repeat(100_000)).length < 21_000)
  })
})
