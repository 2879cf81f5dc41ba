import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { crumbOffsets, crumbRow } from './crumbs.ts'
import { eventsText, payloadText, samplingText } from './payload-text.ts'
import { cutRuleText, rulesAt, rulesCounted, scrubbedPieces } from './rules.ts'
import { boundsText } from './tag-bounds.ts'
import { tagShares } from './tag-shares.ts'
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

  test('what was cut is said at its place and around it, and nowhere else', () => {
    const vars = 'exception.values.0.stacktrace.frames.3.vars'
    const problems = [
      { path: `${vars}.html`, rule: 'too_long', found: '50002 characters' },
      { path: `${vars}.rows.0.a`, rule: 'too_long', found: '9000 characters' },
      { path: `${vars}.rows`, rule: 'too_many', found: '900 entries' },
      { path: `${vars}.html2`, rule: 'invalid_type', found: 'number' },
    ] as const
    assert.equal(cutRuleText(problems, `${vars}.html`), 'cut, 50002 characters were sent')
    assert.equal(cutRuleText(problems, `${vars}.rows`), 'cut in 2 places')
    assert.equal(cutRuleText(problems, `${vars}.rows.0`), 'cut in one place')
    assert.equal(cutRuleText(problems, `${vars}.html2`), null)
    assert.equal(cutRuleText(problems, `${vars}.htm`), null)
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

describe('an issue beyond its cap of payloads', () => {
  test('shows both counts where they differ', () => {
    assert.equal(eventsText({ eventCount: 12_431, payloadCount: 1_950 }), '12,431 events, 1,950 with details')
    assert.equal(eventsText({ eventCount: 12_431, payloadCount: 12_431 }), '12,431 events')
    assert.equal(eventsText({ eventCount: 1, payloadCount: 1 }), '1 event')
  })

  test('says what is sampled now, also when the cap is gone', () => {
    assert.match(
      samplingText(1_000),
      /Beyond 1,000 an hour, details of 1 event in 10 are kept, beyond 10,000 one in 100\./,
    )
    assert.match(samplingText(null), /the project now keeps all/)
  })

  test('tells an event that kept no payload from one whose payload is gone', () => {
    const { title, detail } = payloadText('not_kept', 1_000)
    assert.match(
      `${title} ${detail}`,
      /weren’t kept\. Its issue had more events in that hour .* \(now 1,000\)/,
    )
    assert.match(payloadText('missing', 1_000).title, /details were deleted/)
  })
})

describe('the bounds of tags', () => {
  const bounds = { isFull: false, tags: 0, keysMax: 60, valuesMax: 200 }

  test('are not spoken of where everything is told apart', () => {
    assert.equal(boundsText(false, bounds), null)
  })

  test('name the limit and what is beyond', () => {
    assert.match(
      boundsText(true, bounds) ?? '',
      /first 200 values of a key are counted; “other” is the rest, and values deleted/,
    )
    const full = boundsText(false, { ...bounds, isFull: true, tags: 1_234 }) ?? ''
    assert.match(full, /60 tag keys beside those Errata adds; 1,234 tags of other keys are not shown here\./)
    assert.doesNotMatch(full, /values/)
  })
})

describe('the shares of tags', () => {
  const tag = (key: string, counts: readonly number[], beyond: { kept?: number; other?: number } = {}) => {
    const { kept = counts.length, other = 0 } = beyond
    const unseen = kept - counts.length
    return {
      key,
      total: counts.reduce((sum, count) => sum + count, other) + unseen,
      values: counts.map((count, index) => ({
        value: `${key} ${index}`,
        count,
        firstSeenMs: 0,
        lastSeenMs: 0,
      })),
      valuesKept: kept,
      otherCount: other,
    }
  }

  test('tell values that are not shown from those that are not kept apart', () => {
    const fifteen = tagShares([tag('url', [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], { kept: 15 })], {}).spread[0]
    assert.equal(fifteen?.values.length, 4)
    assert.deepEqual([fifteen?.more, fifteen?.otherCount], [{ values: 11, events: 26 }, 0])
    const beyond = tagShares([tag('user', [3, 2], { kept: 200, other: 50 })], {}).spread[0]
    assert.deepEqual([beyond?.more, beyond?.otherCount], [{ values: 198, events: 198 }, 50])
    assert.deepEqual(tagShares([tag('os', [1, 1])], {}).spread[0]?.more, { values: 0, events: 0 })
  })

  test('begin with what is spread most unlike all events, however many others there are', () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      tag(`a${String(index).padStart(2, '0')}`, [2, index + 3]),
    )
    const { spread } = tagShares([...many, tag('level', [1, 1]), tag('zone', [9, 1]), tag('url', [5, 1])], {
      ...{ zone: 0.8, a07: 0.4, level: 1 },
    })
    // Where nothing differs, what people look for first comes before the alphabet.
    assert.deepEqual(spread.map(({ key }) => key).slice(0, 4), ['zone', 'a07', 'url', 'a00'])
    assert.equal(spread.length, 16)
  })

  test('fold what has one value, and what says again what another key says', () => {
    const of = (key: string, values: Readonly<Record<string, number>>) => {
      const known = Object.entries(values).map(([value, count]) => ({
        value,
        count,
        firstSeenMs: 0,
        lastSeenMs: 0,
      }))
      const total = known.reduce((sum, { count }) => sum + count, 0)
      return { key, total, values: known, valuesKept: known.length, otherCount: 0 }
    }
    const shares = tagShares(
      [
        of('browser', { 'Chrome 142': 7, 'Safari 19': 3 }),
        of('browser.name', { Chrome: 7, Safari: 3 }),
        of('os', { Windows: 7, macOS: 3 }),
        of('environment', { production: 10 }),
        { ...of('shard', { a: 4 }), otherCount: 6, total: 10 },
      ],
      { 'browser.name': 0.1, browser: 0.2 },
    )
    assert.deepEqual(
      shares.spread.map(({ key }) => key),
      ['browser', 'shard', 'os'],
    )
    assert.deepEqual(shares.same, [{ key: 'environment', value: 'production' }])
    assert.deepEqual(shares.doubled, [{ key: 'browser.name', as: 'browser' }])
  })
})
