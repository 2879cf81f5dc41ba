import { AGENT_TOOL_LIST, type AgentTool } from '@errata/server/access'
import { paths } from '#parts/paths.ts'
import { rangeOf } from '#parts/ranges.ts'
import { requireScope, requireViewer } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import { orgSettingsPaths } from './paths.ts'

const CALLS_SHOWN = 20

/** Redirects from the metadata's link for a token: to the page of the organisation that was open last. */
export async function leadToAgents(ctx: LoaderContext): Promise<Response> {
  const { viewer } = requireViewer(ctx)
  const { memberships, user } = viewer
  const last = memberships.find(({ organisation }) => organisation.id === user.orgIdLast) ?? memberships[0]
  const path = last === undefined ? paths.account() : orgSettingsPaths.agents(last.organisation.slug)
  return new Response(null, { status: 303, headers: { location: path } })
}

export async function loadAgents(ctx: LoaderContext) {
  const { engine, scope, viewer } = requireScope(ctx)
  const mayRead = engine.access.can(viewer, scope, 'audit.read')
  const reader = ctx.url.searchParams.get('for') === 'report' ? 'report' : 'agent'
  const [tokens, calls, sample] = await Promise.all([
    engine.queries.tokens(scope),
    mayRead
      ? readable(ctx, 'calls', {
          read: () => engine.queries.audit(scope, { before: null, subjects: ['agent'] }),
          otherwise: () => [],
        })
      : null,
    readable(ctx, 'sample', { read: () => sampleIssue(requireScope(ctx), reader), otherwise: () => null }),
  ])
  const useful = new Set(AGENT_TOOL_LIST.flatMap(({ scopes }) => scopes))
  return {
    org: scope.orgSlug,
    url: engine.publicAddress.url,
    nowMs: ctx.nowMs,
    tools: AGENT_TOOL_LIST,
    tokens: tokens
      .filter(
        ({ userId, scopes }) => isShown(userId, viewer.user.id) && scopes.some((each) => useful.has(each)),
      )
      .map(({ id, name, tail, scopes, usedMs, expiresMs }) => ({
        ...{ id, name, tail, usedMs, expiresMs },
        may: mayOf(AGENT_TOOL_LIST, scopes),
      })),
    /** `null`: the viewer may not read the audit log. */
    calls: calls?.slice(0, CALLS_SHOWN) ?? null,
    reader,
    sample,
  }
}

/** The issue that was asked for, else the most frequent one that is unresolved: what its Markdown is. */
async function sampleIssue(org: OrgContext, reader: 'report' | 'agent') {
  const { queries } = org.engine
  const shortId = org.url.searchParams.get('issue') ?? (await frequentIssue(org))
  const markdown = shortId === null ? null : await queries.issueMarkdown(org.scope, shortId, reader)
  return shortId === null || markdown === null ? null : { shortId, markdown }
}

async function frequentIssue({ engine, scope, nowMs }: OrgContext): Promise<string | null> {
  const { rows } = await engine.queries.issueList(scope, {
    ...{ query: '', projects: [], environments: [] },
    range: { startMs: nowMs - rangeOf('90d').ms, endMs: nowMs },
    ...{ sort: 'freq', limit: 1, cursor: null, tab: 'unresolved', rowsOnly: true },
  })
  return rows[0]?.shortId ?? null
}

/** Personal tokens are shown to their person alone. */
function isShown(userId: number | null, viewer: number): boolean {
  return userId === null || userId === viewer
}

function mayOf(
  tools: readonly AgentTool[],
  scopes: readonly string[],
): 'read and change' | 'change' | 'read' | null {
  const open = tools.filter((tool) => tool.scopes.some((each) => scopes.includes(each)))
  const changes = open.some((tool) => tool.changes)
  const reads = open.some((tool) => !tool.changes)
  return changes ? (reads ? 'read and change' : 'change') : reads ? 'read' : null
}
