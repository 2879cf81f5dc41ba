/** Tools that read one thing: an issue, an event, issues like it, a release, outcomes. */
import * as v from 'valibot'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { isLeftOut } from '#model/outcome.ts'
import type { Issue } from '#ports/issues.ts'
import type { EventView, IssueView, OutcomesView } from '#queries/types.ts'
import { existing, notFound } from '../api/refusals.ts'
import { CHARS, ISSUE_ARGUMENT, period, readTimeRange, textArgument } from './arguments.ts'
import { eventText } from './event-text.ts'
import { issueAddress } from './find-issues.ts'
import { issueLines, issueSummary, sharedBy } from './issue-text.ts'
import { releaseText } from './release-text.ts'
import { defineTool, type ToolCall } from './tool.ts'
import { markUntrusted, minuteText, quotedLine, withinChars } from './untrusted.ts'

const SIMILAR_SHOWN = 8
const SIMILAR_LOOKED_AT = 100
const REASONS_SHOWN = 20

export const getIssue = defineTool({
  name: 'get_issue',
  description:
    'One issue: status, counts, releases, digests, most frequent tags, and what people did and wrote. Its stack is in get_event.',
  input: v.strictObject({ issue: ISSUE_ARGUMENT }),
  about: ({ issue }) => issue,
  async run(call, { issue }) {
    const view = await requireIssueView(call, issue)
    return `${issueAddress(call, view.issue)}\n${markUntrusted(withinChars([issueSummary(view)], max('agentAnswerCharsMax')))}`
  },
})

export const getEvent = defineTool({
  name: 'get_event',
  description:
    'One event as compact text: exceptions with original frames and code, request, breadcrumbs, tags, suspect commits. Give an issue, an event id, or both.',
  input: v.strictObject({
    issue: v.optional(ISSUE_ARGUMENT),
    event: v.optional(
      textArgument(
        'Event id, or the id that an error page shows; of an issue: latest, oldest, or recommended (the default, one with details).',
        80,
      ),
      'recommended',
    ),
    chars: CHARS,
  }),
  about: ({ issue, event }) => [issue, event].filter(Boolean).join(', '),
  async run(call, { issue, event, chars }) {
    const view = await eventView(call, issue ?? null, event)
    const about = await requireIssueView(call, String(view.issueId))
    const suspects = await call.queries.suspectCommits(call.scope, { ...about, event: view.event })
    const address = `${issueAddress(call, about.issue)}/events/${view.row.eventId}`
    return `${address}\n${markUntrusted(eventText(view, { suspects, charsMax: chars }))}`
  },
})

export const issueMarkdownTool = defineTool({
  name: 'issue_markdown',
  description:
    'A whole issue in one text: facts, stack with original code, breadcrumbs and tags. The same text people copy as Markdown for a coding agent.',
  input: v.strictObject({ issue: ISSUE_ARGUMENT }),
  about: ({ issue }) => issue,
  run: async ({ queries, scope }, { issue }) => existing(await queries.issueMarkdown(scope, issue, 'agent')),
})

export const similarIssues = defineTool({
  name: 'similar_issues',
  description:
    'Issues of the same project that share a digest, function, culprit, message, type, file or route with one: whether it was seen or solved before.',
  input: v.strictObject({ issue: ISSUE_ARGUMENT }),
  about: ({ issue }) => issue,
  async run(call, { issue: ref }) {
    const view = await requireIssueView(call, ref)
    const { issue } = view
    const linked = await sharingDigest(call, view)
    const alike = await alikeIssues(call, issue)
    const lines = [
      ...linked.map(
        ({ shortId, title, digest }) => `${shortId}: ${quotedLine(title)}\n  shares digest ${digest}`,
      ),
      ...alike
        .filter(({ other }) => !linked.some(({ shortId }) => shortId === other.shortId))
        .map(
          ({ other, shared }) =>
            `${issueLines([other], (each) => issueAddress(call, each))}\n  shares ${shared.join(', ')}`,
        ),
    ]
    return lines.length === 0 ? 'No similar issue.' : markUntrusted(lines.join('\n'))
  },
})

export const releaseChangesTool = defineTool({
  name: 'release_changes',
  description:
    'Compares a release with the previous one: new, regressed and resolved issues, crash-free sessions and users and routes that got slower or fail more, both releases at the same age, commits and deploys.',
  input: v.strictObject({
    release: textArgument('Name of the release, as events call it.', 250),
    chars: CHARS,
  }),
  about: ({ release }) => release,
  async run(call, { release, chars }) {
    const view = existing(await call.queries.releaseView(call.scope, release))
    const [health, slower] = await Promise.all([
      call.queries.healthView(call.scope, { version: release, before: view.before?.version ?? null }),
      call.queries.slowerRoutes(call.scope, { version: release }),
    ])
    const path = `${call.scope.orgSlug}/releases/${encodeURIComponent(release)}`
    return `${call.url}/${path}\n${markUntrusted(withinChars(releaseText({ ...view, health, slower }), chars))}`
  },
})

export const outcomes = defineTool({
  name: 'outcomes',
  description:
    'How many items were sent, stored, filtered, limited or refused, and why: the first thing to look at when events are missing.',
  input: v.strictObject({
    project: v.optional(textArgument('Slug of one project; all readable ones by default.', 100)),
    within: period('7d'),
  }),
  about: ({ project }) => project ?? 'all projects',
  async run(call, { project, within }) {
    if (project !== undefined) existing(await call.queries.project(call.scope, project))
    const asked = { range: readTimeRange(within, call.clock.now()), project: project ?? null, key: null }
    return outcomesText(await call.queries.outcomes(call.scope, asked))
  },
})

/** With the last day's trend. */
async function requireIssueView({ queries, scope, clock }: ToolCall, ref: string): Promise<IssueView> {
  const nowMs = clock.now()
  return existing(await queries.issue(scope, ref, { startMs: nowMs - DAY_MS, endMs: nowMs, stepMs: HOUR_MS }))
}

async function eventView(call: ToolCall, issue: string | null, event: string): Promise<EventView> {
  const { queries, scope } = call
  if (issue !== null) return existing(await queries.issueEvent(scope, issue, event))
  const place = await queries.eventPlace(scope, event)
  if (place === null) throw notFound('No such event: give its id, or the issue that it belongs to.')
  return existing(await queries.event(scope, String(place.project.id), place.eventId))
}

/** Whatever project they are of: an error page's number is the same on both sides. */
async function sharingDigest({ queries, scope }: ToolCall, { issue, digests }: IssueView) {
  const wanted = [...new Set(digests.map(({ digest }) => digest))].slice(0, SIMILAR_SHOWN)
  const matches = (await Promise.all(wanted.map((digest) => queries.digestMatches(scope, digest)))).flat()
  const others = matches.filter((match) => match.issueId !== issue.id)
  return [
    ...new Map(
      others.map(({ issue: { shortId, title }, digest }) => [shortId, { shortId, title, digest }]),
    ).values(),
  ]
}

/** Returns the project's newest issues that share most with this one. */
async function alikeIssues({ queries, scope, clock }: ToolCall, issue: Issue) {
  const { rows } = await queries.issueList(scope, {
    query: '',
    projects: [String(issue.projectId)],
    environments: [],
    range: readTimeRange('90d', clock.now()),
    sort: 'date',
    limit: SIMILAR_LOOKED_AT,
    cursor: null,
    rowsOnly: true,
  })
  return rows
    .filter(({ id }) => id !== issue.id)
    .map((other) => ({ other, shared: sharedBy(issue, other) }))
    .filter(({ shared }) => isTelling(shared))
    .toSorted((a, b) => b.shared.length - a.shared.length)
    .slice(0, SIMILAR_SHOWN)
}

/** A type or a route alone is shared by much that has another cause. */
function isTelling(shared: readonly string[]): boolean {
  return shared.length >= 2 || shared.includes('function') || shared.includes('message')
}

function outcomesText({ range, groups, reasons }: OutcomesView): string {
  const head = `${minuteText(range.startMs)} to ${minuteText(range.endMs)}`
  if (groups.length === 0) return `${head}: nothing was sent.`
  const counted = groups.map(({ category, outcome, total }) => {
    const missing = outcome !== undefined && isLeftOut(outcome) ? ' (not stored)' : ''
    return `  ${category ?? 'unknown'}: ${total} ${outcome ?? 'unknown'}${missing}`
  })
  const why = reasons
    .slice(0, REASONS_SHOWN)
    .map(
      ({ quantity, category, reason, what, next }) =>
        `  ${quantity} ${category}, ${reason ?? 'no reason'}: ${what}. ${next}.`,
    )
  return [
    `${head}:`,
    ...counted,
    ...(why.length === 0 ? [] : ["Why items weren't stored:", markUntrusted(why.join('\n'))]),
  ].join('\n')
}
