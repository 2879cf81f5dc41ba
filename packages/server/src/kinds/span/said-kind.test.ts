import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readSpanBatch } from '#normalize/spans/batch.ts'
import { segmentFacts } from '#requests/segment-facts.ts'
import { aSpan } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'

const CONTEXT = {
  ...{ eventId: null, receivedMs: NOW + 5_000, sentAt: null, clientAddress: null, userAgent: null },
  ...{ sdk: null, client: null, trace: null },
}

function factsOf(attributes: Readonly<Record<string, string>>) {
  const span = aSpan({ id: 'a', name: 'POST /:org/issues', isSegment: true, attributes })
  const [fragment] = readSpanBatch({ items: [span] }, CONTEXT).fragments
  return segmentFacts(fragment ?? assert.fail('nothing was read'))
}

describe('a kind that a span says itself', () => {
  it('comes before all rules, with its action', () => {
    const facts = factsOf({
      ...{ 'errata.request_kind': 'action', 'errata.action': 'issues.resolve' },
      ...{ 'http.route': '/:org/issues', 'http.request.method': 'GET' },
    })
    assert.deepEqual([facts.kind, facts.action, facts.route], ['action', 'issues.resolve', '/:org/issues'])
  })

  it('that nobody knows says nothing', () => {
    const facts = factsOf({ 'errata.request_kind': 'teapot', 'http.request.header.rsc': '1' })
    assert.equal(facts.kind, 'page-data')
  })
})
