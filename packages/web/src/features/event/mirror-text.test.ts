import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { elsewhereText, matchText, seenInText } from './mirror-text.ts'
import { waitingText } from './missing-text.ts'

describe('what is said of mirrors', () => {
  it('says by what both halves were matched, and how sure that is', () => {
    assert.equal(matchText({ match: 'digest', confidence: 'high', distanceMs: null }), 'matched by digest')
    assert.equal(matchText({ match: 'trace', confidence: 'high', distanceMs: 3 }), 'same trace')
    assert.equal(
      matchText({ match: 'trace', confidence: 'low', distanceMs: 3 }),
      'same trace, low confidence',
    )
    assert.equal(
      matchText({ match: 'deploy', confidence: 'medium', distanceMs: null }),
      'same deploy, medium confidence',
    )
    assert.equal(
      matchText({ match: 'route', confidence: 'medium', distanceMs: 11_400 }),
      'same route within 12 s, medium confidence',
    )
  })

  it('names the browser that saw it most, and counts the others and the pages', () => {
    const tag = (key: string, value: string, valuesKept: number) => ({
      ...{ key, total: 3, otherCount: 0, valuesKept },
      values: [{ value, count: 3, firstSeenMs: 0, lastSeenMs: 0 }],
    })
    assert.equal(
      seenInText([tag('browser', 'Chrome 140', 3), tag('url', '/a', 5)]),
      'Chrome 140 and 2 more browsers, 5 pages',
    )
    assert.equal(seenInText([tag('browser', 'Chrome 140', 1)]), 'Chrome 140')
    assert.equal(seenInText([]), '')
  })

  it('counts what may not be read', () => {
    assert.equal(elsewhereText(12), '12 events in projects you can’t read')
    assert.equal(elsewhereText(0), '')
  })

  it('says how long a mirror waits', () => {
    assert.match(waitingText(600_000, 0), /separate issue in 10 min if the server/)
    assert.match(waitingText(0, 1), /issue shortly if/)
  })
})
