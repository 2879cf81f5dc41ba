/** "Waiting for the first event": what was checked and what has not happened yet. */

import type { Clock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import { type PublicAddress, relayPath } from '#base/public-address.ts'
import { max } from '#limits/limits.ts'
import { isLeftOut, type OutcomeName } from '#model/outcome.ts'
import { TEST_LOGGER } from '#model/test-event.ts'
import type { OutcomeExample, OutcomesRead } from '#ports/ingest.ts'
import type { Issue, IssuesRead } from '#ports/issues.ts'
import type { Project, ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { IssueEventReads } from './events/event-reads.ts'
import type { AskedFirst } from './first-event-asked.ts'
import { reasonsOf } from './outcomes.ts'
import { filterFor } from './search/filter.ts'
import type { FirstEventView } from './types.ts'

export interface FirstEventParts {
  readonly projects: Pick<ProjectsRead, 'project' | 'keys'>
  readonly issues: Pick<IssuesRead, 'list'>
  readonly outcomes: OutcomesRead
  readonly events: Pick<IssueEventReads, 'latest'>
  readonly clock: Clock
  readonly publicAddress: PublicAddress
}

/** Outcomes chosen by the project's filters or the SDK: not refusals, and nothing to mend. */
const CHOSEN: readonly OutcomeName[] = ['filtered', 'client_discard']

export async function firstEventView(
  parts: FirstEventParts,
  scope: ReadScope,
  ref: string,
  { withoutArrived = false }: AskedFirst = {},
): Promise<FirstEventView | null> {
  const project = await parts.projects.project(scope, ref)
  if (project === null) return null
  const nowMs = parts.clock.now()
  const query = {
    startMs: Math.floor(nowMs / DAY_MS - max('duplicateDays')) * DAY_MS,
    endMs: nowMs + DAY_MS,
    intervalMs: null,
    projects: [project.id],
    keys: null,
    groupBy: ['outcome', 'category'],
  } as const
  const [keys, { groups }, examples, halves] = await Promise.all([
    parts.projects.keys(scope, project.id),
    withoutArrived ? { groups: [] } : parts.outcomes.outcomes(scope, query),
    withoutArrived ? [] : parts.outcomes.outcomeExamples(scope, query),
    withoutArrived ? NO_HALVES : lastSeenHalves(parts, scope, project),
  ])
  const inWords = (isAsked: (example: OutcomeExample) => boolean) =>
    reasonsOf(examples.filter(isAsked)).map(({ what, quantity, example }) => ({
      ...{ reason: what, quantity, example },
    }))
  const key = keys.find(({ isActive }) => isActive) ?? null
  const accepted = (...categories: readonly string[]) =>
    groups
      .filter(({ outcome, category = '' }) => outcome === 'accepted' && categories.includes(category))
      .reduce((sum, { total }) => sum + total, 0)
  return {
    project,
    key,
    dsn: key === null ? null : parts.publicAddress.dsn(key),
    relayUrl: parts.publicAddress.link(relayPath(scope.orgSlug, project.slug)),
    // What Errata sent to itself is no sign of the app.
    accepted: Math.max(0, accepted('error') - (halves.test?.eventCount ?? 0)),
    spans: accepted('span', 'transaction'),
    refused: inWords(({ outcome }) => isLeftOut(outcome) && !CHOSEN.includes(outcome)),
    leftOut: inWords(({ outcome }) => CHOSEN.includes(outcome)),
    unsupported: groups.flatMap(({ outcome, category = 'default', total }) =>
      outcome === 'unsupported' ? [{ category, quantity: total }] : [],
    ),
    serverSeenMs: halves.serverMs,
    browserSeenMs: halves.browserMs,
    firstIssue: await firstIssue(parts, scope, halves.oldest),
    latestEvent: await latestEvent(parts, scope, halves.newest),
    testEvent: await firstIssue(parts, scope, halves.test),
  }
}

export interface HalfTimes {
  readonly serverMs: number | null
  readonly browserMs: number | null
  readonly oldest: Issue | null
  /** By what was seen of it last. */
  readonly newest: Issue | null
  /** Issue of test events, which count in none of the others. */
  readonly test: Issue | null
}

const NO_HALVES: HalfTimes = { serverMs: null, browserMs: null, oldest: null, newest: null, test: null }

/**
 * When the server half and the browser half of an app were last heard of, told by the newest `pageRowsMax` issues:
 * an issue with occurrences in both counts for both.
 */
export async function lastSeenHalves(
  { issues, clock }: Pick<FirstEventParts, 'issues' | 'clock'>,
  scope: ReadScope,
  project: Project,
): Promise<HalfTimes> {
  const filter = filterFor({ projects: [project.id] }, clock.now() + DAY_MS)
  const page = { sort: 'date', limit: max('pageRowsMax'), cursor: null } as const
  const all = (await issues.list(scope, filter, page)).rows
  const rows = all.filter((issue) => !isTest(issue))
  const newest = (some: readonly Issue[]): number | null =>
    some.length === 0 ? null : Math.max(...some.map(({ lastSeenMs }) => lastSeenMs))
  const [oldest] = [...rows].sort((a, b) => a.firstSeenMs - b.firstSeenMs)
  return {
    serverMs: newest(rows.filter((issue) => !isBrowserAlone(issue))),
    browserMs: newest(rows.filter(({ kinds }) => kinds.some(({ kind }) => kind === 'browser'))),
    oldest: oldest ?? null,
    newest: rows[0] ?? null,
    test: all.find(isTest) ?? null,
  }
}

function isTest({ logger }: Issue): boolean {
  return logger === TEST_LOGGER
}

function isBrowserAlone({ kinds }: Issue): boolean {
  return kinds.length > 0 && kinds.every(({ kind }) => kind === 'browser')
}

async function firstIssue(
  { events }: Pick<FirstEventParts, 'events'>,
  scope: ReadScope,
  issue: Issue | null,
): Promise<FirstEventView['firstIssue']> {
  if (issue === null) return null
  const row = await events.latest(scope, issue)
  return row === null ? null : { shortId: issue.shortId, eventId: row.eventId }
}

async function latestEvent(
  { events }: Pick<FirstEventParts, 'events'>,
  scope: ReadScope,
  issue: Issue | null,
): Promise<FirstEventView['latestEvent']> {
  const row = issue === null ? null : await events.latest(scope, issue)
  if (issue === null || row === null) return null
  return { shortId: issue.shortId, eventId: row.eventId, title: issue.title, seenMs: row.timestampMs }
}
