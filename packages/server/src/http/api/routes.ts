/** Every call of the web API. docs/specification.md, point 7, is checked against this table. */
import { max } from '#limits/limits.ts'
import { isScimPath } from '../scim/scim.ts'
import { ALERT_ROUTES } from './alerts.ts'
import { ATTACHMENT_ROUTES } from './attachments.ts'
import { AUDIT_ROUTES } from './audit.ts'
import type { ApiRoute } from './call.ts'
import { CHANNEL_ROUTES } from './channels.ts'
import { CODE_MAPPING_ROUTES } from './code-mappings.ts'
import { COMMENT_ROUTES } from './comments.ts'
import { EMPTY_LIST_ROUTES } from './empty-lists.ts'
import { ENVIRONMENT_ROUTES } from './environments.ts'
import { EVENT_ROUTES } from './events.ts'
import { EVENTS_STATS_ROUTES } from './events-stats.ts'
import { EVENTS_VALIDATION_ROUTES } from './events-validation.ts'
import { FILTER_ROUTES } from './filters.ts'
import { FLAG_ROUTES } from './flags.ts'
import { FOUND_EVENT_ROUTES } from './found-events.ts'
import { GROUPING_ROUTES } from './grouping.ts'
import { INBOX_ROUTES } from './inbox.ts'
import { ISSUE_CHANGE_ROUTES } from './issue-changes.ts'
import { ISSUE_ROUTES } from './issues.ts'
import { MEMBER_ROUTES } from './members.ts'
import { OLDER_STATS_ROUTES } from './older-stats.ts'
import { openApiRoute } from './openapi.ts'
import { ORGANISATION_ROUTES } from './organisations.ts'
import { OWNERSHIP_ROUTES } from './ownership.ts'
import { PERSON_DATA_ROUTES } from './person-data.ts'
import { KEY_ROUTES, PROJECT_ROUTES } from './projects.ts'
import { RELEASE_FILE_ROUTES } from './release-files.ts'
import { RELEASE_ROUTES } from './releases.ts'
import { SEARCH_COMPLETION_ROUTES } from './search-completions.ts'
import { SEARCH_ROUTES } from './searches.ts'
import { SENTRY_RULE_ROUTES } from './sentry-rules.ts'
import { SESSION_ROUTES } from './sessions.ts'
import { SHARING_ROUTES } from './sharing.ts'
import { SKEW_ROUTES } from './skew.ts'
import { SLACK_ROUTES } from './slack.ts'
import { SOURCE_MAP_DEBUG_ROUTES } from './source-map-debug.ts'
import { SOURCE_MAP_ROUTES } from './source-maps.ts'
import { SPAN_EVENT_ROUTES } from './span-events.ts'
import { SPAN_OF_TRACE_ROUTES } from './spans-of-trace.ts'
import { STATS_ROUTES } from './stats.ts'
import { TAG_ROUTES } from './tags.ts'
import { TEAM_PROJECT_ROUTES, TEAM_ROUTES } from './teams.ts'
import { TRACE_ATTRIBUTE_ROUTES } from './trace-attributes.ts'
import { TRACE_ROUTES } from './traces.ts'
import { TRACKER_ROUTES, TRACKER_WEBHOOK_ROUTES } from './trackers.ts'
import { UPLOAD_ROUTES } from './uploads.ts'
import { WORKFLOW_ROUTES } from './workflows.ts'

const ONE_ISSUE = '/organizations/{org}/issues/{issue}/'
const WITH_ORGANISATION: readonly ApiRoute[] = [
  ...ORGANISATION_ROUTES,
  ...TEAM_ROUTES,
  ...TEAM_PROJECT_ROUTES,
  ...MEMBER_ROUTES,
  ...AUDIT_ROUTES,
  ...PROJECT_ROUTES,
  ...PERSON_DATA_ROUTES,
  ...INBOX_ROUTES,
  ...KEY_ROUTES,
  ...OWNERSHIP_ROUTES,
  ...ISSUE_ROUTES,
  ...ISSUE_CHANGE_ROUTES,
  ...COMMENT_ROUTES,
  ...EVENT_ROUTES,
  ...ATTACHMENT_ROUTES,
  ...FOUND_EVENT_ROUTES,
  ...EVENTS_STATS_ROUTES,
  ...EVENTS_VALIDATION_ROUTES,
  ...TAG_ROUTES,
  ...SEARCH_COMPLETION_ROUTES,
  ...SHARING_ROUTES,
  ...SEARCH_ROUTES,
  ...STATS_ROUTES,
  ...OLDER_STATS_ROUTES,
  ...FILTER_ROUTES,
  ...SESSION_ROUTES,
  ...TRACE_ROUTES,
  ...SPAN_EVENT_ROUTES,
  ...TRACE_ATTRIBUTE_ROUTES,
  ...SPAN_OF_TRACE_ROUTES,
  ...SKEW_ROUTES,
  ...UPLOAD_ROUTES,
  ...RELEASE_FILE_ROUTES,
  ...RELEASE_ROUTES,
  ...FLAG_ROUTES,
  ...CODE_MAPPING_ROUTES,
  ...GROUPING_ROUTES,
  ...ENVIRONMENT_ROUTES,
  ...SOURCE_MAP_ROUTES,
  ...SOURCE_MAP_DEBUG_ROUTES,
  ...ALERT_ROUTES,
  ...SENTRY_RULE_ROUTES,
  ...WORKFLOW_ROUTES,
  ...CHANNEL_ROUTES,
  ...TRACKER_ROUTES,
  ...EMPTY_LIST_ROUTES,
]

export const API_ROUTES: readonly ApiRoute[] = [
  ...WITH_ORGANISATION,
  ...shortRoutes(),
  ...SLACK_ROUTES,
  ...TRACKER_WEBHOOK_ROUTES,
  openApiRoute(() => API_ROUTES),
]

/** Scripts and command-line tools name an issue without its organisation: every call of one issue has both addresses. */
function shortRoutes(): readonly ApiRoute[] {
  return WITH_ORGANISATION.filter(({ pattern }) => pattern.startsWith(ONE_ISSUE)).map((route) => ({
    ...route,
    pattern: route.pattern.replace(ONE_ISSUE, '/issues/{issue}/'),
  }))
}

interface MatchedPath {
  /** Routes of the path, one a method. */
  readonly routes: readonly ApiRoute[]
  readonly params: Readonly<Record<string, string>>
}

interface CompiledPath {
  readonly parts: readonly string[]
  readonly routes: ApiRoute[]
}

const PATHS: readonly CompiledPath[] = compile(API_ROUTES)

function compile(routes: readonly ApiRoute[]): readonly CompiledPath[] {
  const paths = new Map<string, CompiledPath>()
  for (const route of routes) {
    const known = paths.get(route.pattern)
    if (known === undefined) paths.set(route.pattern, { parts: partsOf(route.pattern), routes: [route] })
    else known.routes.push(route)
  }
  return [...paths.values()]
}

/** The path below `/api/0`, with or without a trailing slash; `null` for one that is not served. */
export function matchPath(path: string): MatchedPath | null {
  const parts = partsOf(path)
  for (const { parts: pattern, routes } of PATHS) {
    const params = matchParts(pattern, parts)
    if (params !== null) return { routes, params }
  }
  return null
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '')
}

function matchParts(pattern: readonly string[], parts: readonly string[]): Record<string, string> | null {
  if (pattern.length !== parts.length) return null
  const params: Record<string, string> = {}
  for (const [index, name] of pattern.entries()) {
    const part = decodePart(parts[index] ?? '')
    if (part === null) return null
    if (name.startsWith('{')) params[name.slice(1, -1)] = part
    else if (name !== part) return null
  }
  return params
}

function decodePart(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null // a broken percent code names nothing
  }
}

/**
 * Returns the most bytes of a request body to `/api/0/…`, as its call states. Only with a token as much as
 * uploads need; a wrong token waits in the queue like any other.
 */
export function apiBodyBytesMax(method: string, path: string, authorization: string | undefined): number {
  if (!/^Bearer +\S/i.test(authorization ?? '')) return max('formBytesMax')
  if (isScimPath(path)) return max('scimBodyBytesMax')
  const route = matchPath(path.replace(/^\/api\/0(?=\/)/, ''))?.routes.find((each) => each.method === method)
  return route?.bodyBytesMax ?? max('formBytesMax')
}
