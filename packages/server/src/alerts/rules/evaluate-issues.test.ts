import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { issueId, orgId, projectId } from '#base/ids.ts'
import { NOBODY } from '#issues/group-users.ts'
import type { AlertIssue } from '#model/alert-message.ts'
import type { IssueRule, IssueWhen } from '#model/alert-rule.ts'
import type { AlertStore, Candidate, NewFiring, WatchedIssue } from './alert-store.ts'
import { evaluateCandidate } from './evaluate-issues.ts'

const AT_MS = 1_700_000_000_000
const ISSUE: WatchedIssue = {
  ...{ id: issueId(7), number: 7, status: 'unresolved', substatus: 'ongoing', handled: false },
  ...{ priority: 'medium', level: 'error', title: 'Error: no tea', culprit: '' },
  ...{ firstSeenMs: AT_MS, assigneeId: null, isOfTeam: false },
}
/** Muted: it fires, and has nothing to tell. */
const RULE: Omit<IssueRule, 'when'> = {
  ...{ id: 1, orgId: orgId(1), kind: 'issue', name: 'Tea', isOn: true, projects: null, isPreset: false },
  ...{ if: { match: 'all', conditions: [] }, notify: [], everyMinutes: 0, isQuiet: false },
  ...{ createdBy: '', createdById: null, createdMs: 0, changedBy: '', changedMs: 0 },
  mute: { untilMs: null, by: '' },
}
const NEW: IssueWhen = { on: 'new' }
const events = (atLeast: number): IssueWhen => ({
  ...{ on: 'frequency', of: 'events', atLeast, withinMinutes: 60 },
})

/** Returns what the firings say about an issue with three events in the hour. */
function firedFor(
  rule: Pick<IssueRule, 'when' | 'whenMatch'>,
  moment: Candidate['moment'],
): readonly string[] {
  const firings: NewFiring[] = []
  const slot = { slot: 0, count: 3, failed: 0, people: NOBODY, sketch: null }
  const store = {
    issue: () => ISSUE,
    project: () => ({ id: projectId(1), orgId: orgId(1), slug: 'shop', name: 'Shop' }),
    issueHours: () => new Map<number, number>(),
    slots: () => [slot],
    lastFiredMs: () => null,
    told: () => ({ title: ISSUE.title, function: null, place: null, culprit: '' }) as AlertIssue,
    addFiring: (firing: NewFiring) => firings.push(firing),
  } as unknown as AlertStore
  const facts = { tags: {}, release: null, eventId: null, traceId: null } as Candidate['facts']
  const candidate = { id: 1, projectId: projectId(1), issueId: ISSUE.id, moment, atMs: AT_MS, facts }
  evaluateCandidate(store, candidate, { rules: [{ ...RULE, ...rule }], nowMs: AT_MS })
  return firings.map(({ because }) => because)
}

const FIRST = 'it was seen for the first time'
const THREE = '3 events within 1 h'

describe('an issue rule', () => {
  const table: readonly [
    string,
    Pick<IssueRule, 'when' | 'whenMatch'>,
    Candidate['moment'],
    readonly string[],
  ][] = [
    ['fires at any of its moments', { when: [NEW, events(3)] }, 'new', [FIRST]],
    ['fires at the other of its moments', { when: [NEW, events(3)] }, 'touched', [THREE]],
    ['that wants all is not content with one', { when: [NEW, events(3)], whenMatch: 'all' }, 'touched', []],
    [
      'that wants all counts at every moment',
      { when: [NEW, events(3)], whenMatch: 'all' },
      'new',
      [`${FIRST}, and ${THREE}`],
    ],
    ['that wants all needs the counts', { when: [NEW, events(4)], whenMatch: 'all' }, 'new', []],
    [
      'that wants two counts',
      { when: [events(2), events(3)], whenMatch: 'all' },
      'touched',
      [`${THREE}, and ${THREE}`],
    ],
  ]
  for (const [what, rule, moment, because] of table)
    it(what, () => assert.deepEqual(firedFor(rule, moment), because))
})
