/** Nothing of one organisation is in an answer to another. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { issueId, projectId, readEventId } from '#base/ids.ts'
import type { ReadScope } from '#ports/scope.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, send } from '#testing/worlds/api.ts'
import type { Queries } from './queries.ts'
import type { IssueListParams } from './types.ts'

const HOUR_MS = 3_600_000
const RANGE = { startMs: NOW - 24 * HOUR_MS, endMs: NOW + HOUR_MS }
const LIST: IssueListParams = {
  ...{ query: '', projects: [], environments: [], range: RANGE },
  ...{ sort: 'date', limit: 25, cursor: null },
}
const DIGEST = '2741933020'

describe('no query tells anything of another organisation', () => {
  let shop: Shop
  let rival: ReadScope
  let eventId: string
  before(async () => {
    shop = await openShop()
    eventId = await send(shop, shop.dsn, anError({ tags: { digest: DIGEST } }))
    rival = await shop.people.rival.scope('rival')
  })
  after(() => shop.close())

  const queries: readonly [name: string, run: (q: Queries, scope: ReadScope) => Promise<unknown>][] = [
    ['projects', async (q, s) => (await q.projects(s)).filter(({ orgId }) => orgId !== s.orgId)],
    ['project', (q, s) => q.project(s, '1')],
    ['keys', (q, s) => q.keys(s, projectId(1))],
    ['firstEvent', (q, s) => q.firstEvent(s, '1')],
    ['issueList', async (q, s) => (await q.issueList(s, LIST)).rows],
    ['issuesForReview', async (q, s) => [await q.issuesForReview(s, 0)].filter(Boolean)],
    ['issueList by event', async (q, s) => (await q.issueList(s, { ...LIST, query: eventId })).rows],
    ['issueList by digest', async (q, s) => (await q.issueList(s, { ...LIST, query: DIGEST })).rows],
    ['issueList environments', async (q, s) => (await q.issueList(s, LIST)).environments],
    [
      'searchTotals',
      async (q, s) => (await q.searchTotals(s, { queries: [''], place: LIST })).filter(Boolean),
    ],
    ['issueBeside', (q, s) => q.issueBeside(s, '1', LIST)],
    ['searchSuggestions', (q, s) => q.searchSuggestions(s, { key: 'environment', prefix: '' })],
    ['searchSuggestions of keys', (q, s) => q.searchSuggestions(s, { key: 'has', prefix: '' })],
    ['traceSuggestions', (q, s) => q.traceSuggestions(s, { key: 'route', prefix: '', projects: null })],
    ['issue', (q, s) => q.issue(s, '1', { ...RANGE, stepMs: HOUR_MS })],
    ['issue by short id', async (q, s) => q.issue(s, 'SHOP-1', { ...RANGE, stepMs: HOUR_MS })],
    ['issueEvents', (q, s) => q.issueEvents(s, '1', { query: '', limit: 9, cursor: null })],
    ['issueEvent', (q, s) => q.issueEvent(s, '1', 'latest')],
    ['event', (q, s) => q.event(s, 'shop', eventId)],
    ['event by project id', (q, s) => q.event(s, '1', eventId)],
    ['eventPlace', (q, s) => q.eventPlace(s, eventId)],
    [
      'projectStates',
      async (q, s) => (await q.projectStates(s)).filter(({ lastEventMs }) => lastEventMs !== null),
    ],
    [
      'projectOverviews',
      async (q, s) => (await q.projectOverviews(s)).filter(({ lastEventMs }) => lastEventMs !== null),
    ],
    ['issueTags', (q, s) => q.issueTags(s, '1')],
    ['issueDigests', (q, s) => q.issueDigests(s, [issueId(1)])],
    ['issueActivity', (q, s) => q.issueActivity(s, '1')],
    ['issueGroups', (q, s) => q.issueGroups(s, '1')],
    ['mergedGroups', (q, s) => q.mergedGroups(s, '1')],
    [
      'groupingPreview',
      async (q, s) => (await q.groupingPreview(s, { project: 'shop', rules: 'level:* -> x' }))?.met ?? [],
    ],
    ['issueSplit', async (q, s) => ((await q.issueSplit(s, '1')) === null ? [] : ['told'])],
    ['similarIssues', (q, s) => q.similarIssues(s, '1')],
    ['digestMatches', (q, s) => q.digestMatches(s, DIGEST)],
    ['outcomes', async (q, s) => (await q.outcomes(s, { range: RANGE, project: null, key: null })).groups],
    [
      'outcomes of a project',
      async (q, s) => (await q.outcomes(s, { range: RANGE, project: '1', key: 1 })).groups,
    ],
    [
      'outcomeStats',
      async (q, s) =>
        (
          await q.outcomeStats(s, {
            ...RANGE,
            startMs: RANGE.startMs,
            intervalMs: null,
            projects: [projectId(1)],
            keys: null,
            groupBy: ['outcome'],
          })
        ).groups,
    ],
    ['members', async (q, s) => (await q.members(s)).filter(({ email }) => !email.endsWith('rival.test'))],
    [
      'teams',
      async (q, s) =>
        (await q.teams(s)).flatMap(({ projects }) => projects.filter((id) => !s.projects.includes(id))),
    ],
    ['tokens', (q, s) => q.tokens(s)],
    ['invitations', (q, s) => q.invitations(s)],
    [
      'audit',
      async (q, s) =>
        (await q.audit(s, { before: null })).filter(({ target }) =>
          ['Vault', 'Closed', 'Acme'].includes(target),
        ),
    ],
  ]
  for (const [name, run] of queries) {
    it(name, async () => {
      const answer = await run(shop.queries, rival)
      assert.deepEqual(answer ?? [], [])
    })
  }

  it('though every one of them tells it to Acme', async () => {
    const scope = await shop.people.owner.scope()
    assert.ok(readEventId(eventId) !== null && (await shop.queries.eventPlace(scope, eventId)) !== null)
    assert.equal((await shop.queries.digestMatches(scope, DIGEST)).length, 1)
  })
})
