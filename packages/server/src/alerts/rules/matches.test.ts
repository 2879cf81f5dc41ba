import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MINUTE_MS } from '#base/durations.ts'
import { issueId, userId } from '#base/ids.ts'
import type { RuleCondition, RuleIf } from '#model/alert-rule.ts'
import type { WatchedIssue } from './alert-store.ts'
import { asksLatestRelease, type Matched, matches, reachesBound } from './matches.ts'

const AT_MS = 1_700_000_000_000
const ISSUE: WatchedIssue = {
  ...{ id: issueId(7), number: 7, status: 'unresolved', substatus: 'ongoing', handled: false },
  ...{
    priority: 'medium',
    level: 'error',
    title: 'Our name',
    eventTitle: 'Error: no tea',
    culprit: 'app/pot.ts',
  },
  ...{
    firstSeenMs: AT_MS - 10 * MINUTE_MS,
    assigneeId: null,
    isOfTeam: false,
    eventCount: 1,
    mirrorCount: 0,
  },
}
const FACTS: Matched['facts'] = {
  tags: { environment: ['staging', 'production'], plan: ['Free', 'paid'] },
  ...{ kinds: ['document', 'action'], eventId: null, traceId: null, release: 'shop@2' },
}

const given = (change: Partial<Matched> & { readonly is?: Partial<WatchedIssue> } = {}): Matched => {
  const { is, ...other } = change
  return { issue: { ...ISSUE, ...is }, facts: FACTS, latestRelease: 'shop@2', atMs: AT_MS, ...other }
}
const holds = (condition: RuleCondition, change: Parameters<typeof given>[0] = {}) =>
  matches({ if: { match: 'all', conditions: [condition] } }, given(change))

describe('a condition', () => {
  it('of levels and priorities is reached below, at and above', () => {
    const of = (how: 'at least' | 'exactly' | 'at most') => [1, 2, 3].map((at) => reachesBound(how, at, 2))
    assert.deepEqual(of('at least'), [true, true, false], 'the worst come first')
    assert.deepEqual(of('exactly'), [false, true, false])
    assert.deepEqual(of('at most'), [false, true, true])
    assert.equal(holds({ is: 'level', how: 'at least', level: 'warning' }), true)
    assert.equal(holds({ is: 'level', how: 'at least', level: 'fatal' }), false)
    assert.equal(holds({ is: 'priority', how: 'at most', priority: 'low' }), false)
  })

  it('of age has one side each, of which the younger has the edge', () => {
    const age = (than: 'older' | 'newer', minutes: number) => holds({ is: 'age', than, minutes })
    assert.deepEqual(
      [9, 10, 11].map((minutes) => age('older', minutes)),
      [true, false, false],
    )
    assert.deepEqual(
      [9, 10, 11].map((minutes) => age('newer', minutes)),
      [false, true, true],
    )
  })

  it('of a tag holds for any of its values, and its contrary for none', () => {
    const plan = (how: 'is' | 'is not', value: string) => holds({ is: 'tag', key: 'plan', how, value })
    assert.deepEqual([plan('is', 'free'), plan('is not', 'free')], [true, false])
    assert.deepEqual([plan('is', 'gold'), plan('is not', 'gold')], [false, true])
    assert.equal(holds({ is: 'tag', key: 'none', how: 'is not', value: 'x' }), true)
  })

  it('of the environment and the kind looks at all that events said', () => {
    const environments = ['staging', 'production', 'test'].map((value) => holds({ is: 'environment', value }))
    assert.deepEqual(environments, [true, true, false])
    assert.equal(holds({ is: 'environment', value: 'test' }, { facts: { ...FACTS, tags: {} } }), false)
    assert.deepEqual(
      (['document', 'action', 'prefetch'] as const).map((value) => holds({ is: 'kind', value })),
      [true, true, false],
    )
  })

  it('of the release looks at tags, and else at the newest event', () => {
    const release = (value: string, change: Partial<Matched> = {}) => holds({ is: 'release', value }, change)
    assert.deepEqual([release('shop@2'), release('shop@1'), release('latest')], [true, false, true])
    const tagged = { facts: { ...FACTS, tags: { release: ['shop@1', 'shop@3'] } } }
    assert.deepEqual([release('shop@1', tagged), release('shop@2', tagged)], [true, false])
    const none = { latestRelease: null, facts: { ...FACTS, release: null } }
    assert.equal(release('latest', none), false, 'no release is not the latest')
    assert.equal(
      asksLatestRelease({ if: { match: 'any', conditions: [{ is: 'release', value: 'latest' }] } }),
      true,
    )
    assert.equal(
      asksLatestRelease({ if: { match: 'any', conditions: [{ is: 'release', value: 'x' }] } }),
      false,
    )
  })

  it('of the assignee holds for the person, and for nobody where no team has it either', () => {
    const assignee = (id: number | null, is: Partial<WatchedIssue> = {}) =>
      holds({ is: 'assignee', userId: id === null ? null : userId(id) }, { is })
    assert.deepEqual([assignee(null), assignee(null, { isOfTeam: true })], [true, false])
    const mine = { assigneeId: userId(1) }
    assert.deepEqual([assignee(1, mine), assignee(2, mine), assignee(null, mine)], [true, false, false])
  })

  it('of text finds what people called it, what events say and where it was', () => {
    const text = (value: string) => holds({ is: 'text', value })
    assert.deepEqual(
      [text('OUR name'), text('no TEA'), text('POT.ts'), text('coffee')],
      [true, true, true, false],
    )
  })

  it('of being handled tells what is unknown from both', () => {
    const handled = (is: boolean | null) =>
      [true, false].map((value) => holds({ is: 'handled', value }, { is: { handled: is } }))
    assert.deepEqual(
      [handled(true), handled(false), handled(null)],
      [
        [true, false],
        [false, true],
        [false, false],
      ],
    )
  })
})

it('conditions hold all, any or none', () => {
  const [yes, no] = [
    { is: 'handled', value: false },
    { is: 'handled', value: true },
  ] as const
  const found = (match: RuleIf['match']) =>
    [[yes, yes], [yes, no], [no, no], []].map((conditions) => matches({ if: { match, conditions } }, given()))
  assert.deepEqual(found('all'), [true, false, false, true])
  assert.deepEqual(found('any'), [true, true, false, true])
  assert.deepEqual(found('none'), [false, false, true, true])
})
