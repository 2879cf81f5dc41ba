/** Issues by whatever an agent has in hand: a search line, words, a digest, an event or trace id, or a URL. */
import * as v from 'valibot'
import { HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { Issue } from '#ports/issues.ts'
import type { PasteTarget } from '#queries/types.ts'
import { apiRefusal } from '../api/refusals.ts'
import { period, readTimeRange, textArgument, wholeArgument } from './arguments.ts'
import { issueLines } from './issue-text.ts'
import { defineTool, type ToolCall } from './tool.ts'
import { markUntrusted } from './untrusted.ts'

const LIMIT_DEFAULT = 10
const DESCRIPTION = `Finds issues. The query is a search line as in Errata's search field (words, "is:unresolved", "level:error", "release:1.2.0", "error.type:TypeError", any tag as key:value), or one thing to look up: the digest number or the id that an error page shows, or its whole text, a short id such as SHOP-12, an event id, a trace id, the URL of a page that failed, or the URL of a page of Errata. Answers one issue in two or three lines; read on with get_issue and get_event.`

export const findIssues = defineTool({
  name: 'find_issues',
  description: DESCRIPTION,
  input: v.strictObject({
    query: v.optional(
      textArgument(
        'Search line, words, digest, id, text of an error page or URL; empty for all unresolved issues.',
        max('digestPasteCharsMax'),
      ),
      '',
    ),
    project: v.optional(textArgument('Slug of one project; all readable ones by default.', 100)),
    environment: v.optional(textArgument('One environment such as production.', 100)),
    sort: v.optional(
      v.pipe(
        v.picklist(['date', 'new', 'freq', 'user']),
        v.description('Last seen, first seen, most events, most affected users.'),
      ),
      'date',
    ),
    within: period('90d'),
    limit: v.optional(
      wholeArgument('Most issues to answer.', { least: 1, most: max('agentIssuesMax') }),
      LIMIT_DEFAULT,
    ),
  }),
  about: ({ query }) => query,
  async run(call, input) {
    const query = input.query.trim()
    const looked = query === '' ? [] : await lookUpPasted(call, query)
    if (looked.length > 0) return foundIssueLines(call, looked.slice(0, input.limit), looked.length)
    const { rows, total, problems } = await call.queries.issueList(call.scope, {
      query: searchLine(query),
      projects: input.project === undefined ? [] : [input.project],
      environments: input.environment === undefined ? [] : [input.environment],
      range: readTimeRange(input.within, call.clock.now()),
      sort: input.sort,
      limit: input.limit,
      cursor: null,
      rowsOnly: true,
    })
    if (problems.length > 0)
      throw apiRefusal('query_invalid', problems.map(({ message }) => message).join(' '))
    return foundIssueLines(call, rows, total)
  },
})

function foundIssueLines(call: ToolCall, issues: readonly Issue[], total: number): string {
  if (issues.length === 0) return 'No issue matches.'
  const head = `${issues.length} of ${total} matching ${total === 1 ? 'issue' : 'issues'}.`
  return `${head}\n${markUntrusted(issueLines(issues, (issue) => issueAddress(call, issue)))}`
}

export function issueAddress({ url, scope }: ToolCall, { shortId }: Pick<Issue, 'shortId'>): string {
  return `${url}/${scope.orgSlug}/issues/${shortId}`
}

/** Empty for what names nothing that is there: then it is a search. */
async function lookUpPasted(call: ToolCall, query: string): Promise<readonly Issue[]> {
  const targets = await call.queries.paste(call.viewer, ownPath(call, query) ?? query)
  // Short ids of another organisation name other issues here.
  const own = targets.filter(({ organisation }) => organisation === call.scope.orgSlug)
  const refs = (await Promise.all(own.map((target) => refsOf(call, target)))).flat()
  const wanted = [...new Set(refs)].slice(0, max('agentIssuesMax'))
  const found = await Promise.all(wanted.map((ref) => findIssue(call, ref)))
  return found.filter((issue) => issue !== null)
}

/** Returns the part of an Errata address that names an issue, event or digest; `null` for other text. */
function ownPath({ url }: ToolCall, query: string): string | null {
  if (!query.startsWith(`${url}/`)) return null
  const [, issue, event] = /\/issues\/([^/?#]+)(?:\/events\/([0-9a-f-]{32,36}))?/i.exec(query) ?? []
  return event ?? issue ?? query.slice(url.length)
}

async function refsOf({ queries, scope }: ToolCall, target: PasteTarget): Promise<readonly string[]> {
  switch (target.kind) {
    case 'digest':
      return target.issue === null ? [] : [target.issue.shortId]
    case 'event':
    case 'issue':
      return [target.shortId]
    case 'trace': {
      const trace = await queries.trace(scope, target.traceId)
      return trace?.errors.map(({ shortId }) => shortId) ?? []
    }
  }
}

async function findIssue({ queries, scope, clock }: ToolCall, ref: string): Promise<Issue | null> {
  const nowMs = clock.now()
  const view = await queries.issue(scope, ref, { startMs: nowMs - HOUR_MS, endMs: nowMs, stepMs: HOUR_MS })
  return view?.issue ?? null
}

/** A page's address is looked for as the tag that events have of it, whatever its query was. */
function searchLine(query: string): string {
  if (query === '') return 'is:unresolved'
  if (!/^https?:\/\/\S+$/i.test(query)) return query
  const [address = query] = query.split(/[?#]/)
  return `url:"${address.replaceAll(/["\\*]/g, '')}*"`
}
