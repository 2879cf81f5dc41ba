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

  it('knows no state of an issue, and an issue none of its own', () => {
    assert.deepEqual(readTraceSearch('is:new').problems, ['is:new is for issues; traces know is:n+1.'])
    assert.deepEqual(readTraceSearch('!is:n+1').problems, ['is:n+1 is for issues; traces know is:n+1.'])
    assert.equal(readTraceSearch('is:nothing').problems.length, 1)
    assert.equal(parseSearch('is:n+1').problems.length, 1)
  })
})
