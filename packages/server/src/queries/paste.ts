/** Finds where a pasted text leads, for the palette and the search field. */
import { type EventId, readEventId } from '#base/ids.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import { max } from '#limits/limits.ts'
import { findShownIds } from '#model/shown-id.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import { type DigestParts, digestsIn, matchesIn } from './digests.ts'
import type { FindEvent } from './find-event.ts'
import { type ShownEventParts, shownEvents } from './shown-events.ts'
import { hasTrace, type TraceParts } from './traces/trace.ts'
import type { PasteTarget } from './types.ts'

export interface PasteParts {
  readonly issues: DigestParts['issues'] & Pick<IssuesRead, 'issueOfGroup'>
  readonly findEvent: FindEvent
  readonly telemetry: TraceParts['telemetry'] & ShownEventParts['telemetry']
}

/** Ids of events and traces in a text, with or without dashes. */
const ID = /(?<![\w-])(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/gi
const SHORT_ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,60}-\d{1,10}$/

export async function pasteTargets(
  parts: PasteParts,
  scopes: readonly ReadScope[],
  text: string,
): Promise<readonly PasteTarget[]> {
  const trimmed = text.trim()
  const numbered = await digestTargets(parts, scopes, trimmed)
  if (numbered.some((target) => target.kind === 'digest' && target.issue !== null)) return numbered
  const ids = await Promise.all(idsIn(trimmed).map((id) => idTargets(parts, scopes, id)))
  if (ids.flat().length > 0) return ids.flat()
  if (SHORT_ID.test(trimmed)) {
    const issues = (await Promise.all(scopes.map((scope) => issueIn(parts, scope, trimmed)))).flat()
    if (issues.length > 0) return issues
  }
  return numbered
}

/** Returns ids that an error page shows if its framework has no digests, alone or within text. */
export function idsIn(text: string): readonly string[] {
  const found = [...text.slice(0, max('digestPasteCharsMax')).matchAll(ID)].map(([id]) => readEventId(id))
  const ids = [...found.filter((id) => id !== null), ...findShownIds(text)]
  return [...new Set(ids)].slice(0, max('digestsPerPasteMax'))
}

async function idTargets(
  parts: PasteParts,
  scopes: readonly ReadScope[],
  id: string,
): Promise<readonly PasteTarget[]> {
  const inEach = async (find: (scope: ReadScope) => Promise<readonly PasteTarget[]>) =>
    (await Promise.all(scopes.map(find))).flat()
  const own = readEventId(id)
  const events = own === null ? [] : await inEach((scope) => eventIn(parts, scope, own))
  if (events.length > 0) return events
  // Written alike, and found more slowly.
  const traces = own === null ? [] : await inEach((scope) => traceIn(parts, scope, own))
  return traces.length > 0 ? traces : inEach((scope) => targetsOfId(parts, scope, id))
}

/** Finds an id that an app made for its page. */
async function targetsOfId(parts: PasteParts, scope: ReadScope, id: string): Promise<readonly PasteTarget[]> {
  const rows = await shownEvents(parts, scope, id)
  const targets = await Promise.all(rows.map((row) => pasteTarget(parts, scope, row)))
  return targets.flat().slice(0, 1)
}

async function eventIn(
  parts: PasteParts,
  scope: ReadScope,
  eventId: EventId,
): Promise<readonly PasteTarget[]> {
  const row = await parts.findEvent(scope, eventId)
  return row === null ? [] : pasteTarget(parts, scope, row)
}

async function pasteTarget(
  { issues }: PasteParts,
  scope: ReadScope,
  { projectId, groupHash, eventId }: EventRow,
): Promise<readonly PasteTarget[]> {
  const issue = await issues.issueOfGroup(scope, projectId, groupHash)
  if (issue === null) return []
  return [{ kind: 'event', eventId, organisation: scope.orgSlug, shortId: issue.shortId }]
}

async function traceIn(
  parts: PasteParts,
  scope: ReadScope,
  traceId: string,
): Promise<readonly PasteTarget[]> {
  if (!(await hasTrace(parts, scope, traceId))) return []
  return [{ kind: 'trace', traceId, organisation: scope.orgSlug }]
}

async function issueIn(
  { issues }: PasteParts,
  scope: ReadScope,
  ref: string,
): Promise<readonly PasteTarget[]> {
  const issue = await issues.issue(scope, ref)
  if (issue === null) return []
  return [{ kind: 'issue', organisation: scope.orgSlug, shortId: issue.shortId, title: issue.title }]
}

/** An unknown digest leads to its page too, which says what to do. */
async function digestTargets(
  parts: PasteParts,
  scopes: readonly ReadScope[],
  text: string,
): Promise<readonly PasteTarget[]> {
  const digests = digestsIn(text)
  const found = (await Promise.all(scopes.map((scope) => matchesIn(parts, scope, digests)))).flat()
  return digests.flatMap((digest): readonly PasteTarget[] => {
    const matches = found.filter((match) => match.digest === digest)
    if (matches.length === 0) return [{ kind: 'digest', digest, issue: null, organisation: null }]
    const owners = new Map(matches.map((match) => [`${match.organisation}/${match.issueId}`, match]))
    return [...owners.values()].map(({ issue, organisation }) => ({
      kind: 'digest',
      digest,
      issue: { shortId: issue.shortId, title: issue.title },
      organisation,
    }))
  })
}
