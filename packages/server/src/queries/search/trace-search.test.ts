import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseSearch } from './parse.ts'
import { nearestTraceKey, TRACE_KEYS } from './trace-fields.ts'
import { readTraceSearch } from './trace-search.ts'

describe('a search of traces', () => {
  it('finds what asks again and again, as the page of a route links to it', () => {
    assert.deepEqual(readTraceSearch('route:/orders !kind:prefetch is:n+1'), {
      conditions: {
        routes: ['/orders'],
        repeats: true,
        tags: [{ key: 'request_kind', value: 'prefetch', negated: true }],
      },
      problems: [],
    })
  })

  it('asks for what all of its terms leave, in whatever order', () => {
    const tags: never[] = []
    for (const [text, conditions] of [
      ['foo route:/a bar', { texts: ['foo', 'bar'], routes: ['/a'], tags }],
      ['op:db op:http*', { ops: ['db', 'http*'], tags }],
      ['route:/a route:/b', { routes: [], tags }],
      [String.raw`route:/files/\*`, { routes: ['/files/*'], tags }],
      ['kind:action kind:action', { kinds: ['action'], tags }],
      ['status:failed status:failed-behind-200', { ends: ['failed-behind-200'], tags }],
      [
        '!status:failed-behind-200 status:failed',
        { ends: ['failed', 'failed-behind-200'], endsNot: ['failed-behind-200'], tags },
      ],
      ['!status:ok !status:aborted', { endsNot: ['answered', 'aborted'], tags }],
      [
        'duration:>1s duration:>2s duration:<4s duration:<3s',
        { aboveDurationMs: 2000, belowDurationMs: 3000, tags },
      ],
    ] as const)
      assert.deepEqual(readTraceSearch(text), { conditions, problems: [] }, text)
    assert.deepEqual(readTraceSearch('trace:a trace:b').problems, ['trace: can be given only once.'])
  })

  it('asks with “has:” for tags, people and methods, and says what can’t be asked', () => {
    for (const [name, key] of [
      ...[
        ['plan', 'plan'],
        ['kind', 'request_kind'],
        ['route', 'route'],
        ['method', 'http.method'],
      ],
      ...[
        ['user', 'user'],
        ['environment', 'environment'],
        ['browser', 'browser'],
        ['http.method', 'http.method'],
      ],
    ] as const)
      for (const negated of [false, true])
        assert.deepEqual(
          readTraceSearch(`${negated ? '!' : ''}has:${name}`),
          { conditions: { tags: [{ key, value: null, negated }] }, problems: [] },
          name,
        )
    assert.equal(readTraceSearch('has:user.email').conditions.people?.length, 1)
    for (const name of ['duration', 'status', 'is', 'waits', 'culprit', 'priority', 'measurements.lcp'])
      assert.deepEqual(readTraceSearch(`has:${name}`).problems, [
        `“has:${name}” can’t be searched among traces; a tag of that name is tags[${name}]:*.`,
      ])
  })

  it('knows no state of an issue, and an issue none of its own', () => {
    const takes = ['is takes one of n+1, failed, aborted in a search of traces.']
    assert.deepEqual(readTraceSearch('is:new').problems, takes)
    assert.deepEqual(readTraceSearch('is:nothing').problems, takes)
    assert.deepEqual(readTraceSearch('!is:n+1').problems, ['is:n+1 can’t be negated.'])
    assert.equal(parseSearch('is:n+1').problems.length, 1)
  })

  it('reads failures, codes, people and trace IDs as people type them', () => {
    const failed = { ends: ['failed', 'failed-behind-200'] }
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    for (const [text, conditions] of [
      ['failed:yes', failed],
      ['is:failed', failed],
      ['!failed:no', failed],
      ['failed:no', { endsNot: failed.ends }],
      ['!is:failed', { endsNot: failed.ends }],
      ['status:404', { httpStatuses: [{ from: 404, to: 404, negated: false }] }],
      ['!http.status_code:5xx', { httpStatuses: [{ from: 500, to: 599, negated: true }] }],
      ['user.email:Ann@shop.example', { people: [{ names: ['email:ann@shop.example'], negated: false }] }],
      ['user:id:42', { people: [{ names: ['id:42'], negated: false }] }],
      ['transaction:checkout', { texts: ['checkout'] }],
      [trace, { traceId: trace }],
      [trace.toUpperCase(), { traceId: trace }],
      ['trace:4bf92f35-77b3-4da6-a3ce-929d0e0e4736', { traceId: trace }],
    ] as const)
      assert.deepEqual(readTraceSearch(text), { conditions: { ...conditions, tags: [] }, problems: [] }, text)
    assert.deepEqual(readTraceSearch('method:get').conditions.tags, [
      { key: 'http.method', value: 'GET', negated: false },
    ])
    assert.equal(readTraceSearch('failed:maybe').problems.length, 1)
    assert.equal(readTraceSearch('status:6xx').problems.length, 1)
    assert.equal(readTraceSearch(`${trace} trace:b`).problems.length, 1)
  })

  it('guesses what a key was meant to be', () => {
    assert.equal(nearestTraceKey('durration'), 'duration')
    assert.equal(nearestTraceKey('fialed'), 'failed')
    assert.equal(nearestTraceKey('cart_size'), null)
  })

  it('takes the names that answers of spans have for the same', () => {
    for (const [name, other] of [
      ['span.duration:>100ms', 'duration:>100ms'],
      ['transaction.duration:<=2s', 'duration:<=2s'],
      ['transaction.op:http.server', 'op:http.server'],
      ['span.status_code:5xx', 'status:5xx'],
      ['span.description:"GET /cart"', 'transaction:"GET /cart"'],
      ['segment.name:cart', 'transaction:cart'],
    ] as const)
      assert.deepEqual(readTraceSearch(name), readTraceSearch(other), name)
    assert.deepEqual(readTraceSearch('!span.description:cart').problems, [
      'Words of a name can’t be excluded.',
    ])
  })

  it('says that a field of answers is not searched by, where it would find nothing as a tag', () => {
    for (const name of ['span.status', 'span_id', 'span_count', 'measurements.lcp', 'transaction.status']) {
      assert.match(readTraceSearch(`${name}:1`).problems.join(), /is shown and can’t be searched by/, name)
      const { problems, conditions } = readTraceSearch(`tags[${name}]:1`)
      assert.deepEqual([problems, conditions.tags], [[], [{ key: name, value: '1', negated: false }]], name)
    }
    assert.equal(
      TRACE_KEYS.some((key) => key.includes('.') || key === 'span_count'),
      false,
    )
  })
})
