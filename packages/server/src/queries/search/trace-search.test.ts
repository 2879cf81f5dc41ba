import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseSearch } from './parse.ts'
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
      ['kind:action kind:action', { kinds: ['action'], tags }],
      ['status:failed status:failed-behind-200', { ends: ['failed-behind-200'], tags }],
      [
        '!status:failed-behind-200 status:failed',
        { ends: ['failed', 'failed-behind-200'], endsNot: ['failed-behind-200'], tags },
      ],
      ['!status:ok !status:aborted', { endsNot: ['answered', 'aborted'], tags }],
      [
        'duration:>1s duration:>2s duration:<4s duration:<3s',
        { minDurationMs: 2000, maxDurationMs: 3000, tags },
      ],
    ] as const)
      assert.deepEqual(readTraceSearch(text), { conditions, problems: [] }, text)
    assert.deepEqual(readTraceSearch('trace:a trace:b').problems, ['trace can be named once.'])
  })

  it('knows no state of an issue, and an issue none of its own', () => {
    assert.deepEqual(readTraceSearch('is:new').problems, ['is:new is for issues; traces know is:n+1.'])
    assert.deepEqual(readTraceSearch('!is:n+1').problems, ['is:n+1 is for issues; traces know is:n+1.'])
    assert.equal(readTraceSearch('is:nothing').problems.length, 1)
    assert.equal(parseSearch('is:n+1').problems.length, 1)
  })
})
