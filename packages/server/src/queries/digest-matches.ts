/** Finds what a number, an id or an error page's text leads to, in the web API's shape. */
import { readEventId } from '#base/ids.ts'
import { ERROR, type EventRow } from '#kinds/error/fields.ts'
import { readDigest } from '#model/digest-text.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import { type DigestParts, digestsIn, matchesIn } from './digests.ts'
import { idsIn, type PasteParts } from './paste.ts'
import { shownEvents } from './shown-events.ts'
import { type ErrorReads, newestErrors } from './traces/errors-near.ts'
import { nearest } from './traces/trace.ts'
import type { FoundMatch } from './types.ts'

export interface DigestMatchParts {
  readonly projects: Pick<ProjectsRead, 'projects'>
  readonly issues: DigestParts['issues'] & Pick<IssuesRead, 'issueOfGroup'>
  readonly findEvent: PasteParts['findEvent']
  readonly telemetry: PasteParts['telemetry'] & ErrorReads
}

/** Numbers go before ids, as where a text is pasted; of an id what its event says. */
export async function digestMatches(
  parts: DigestMatchParts,
  scope: ReadScope,
  text: string,
): Promise<readonly FoundMatch[]> {
  const whole = readDigest(text)
  const numbered = await matchesIn(parts, scope, whole === null ? digestsIn(text) : [whole])
  const matches = numbered.length > 0 ? numbered : await matchesOfIds(parts, scope, text)
  if (matches.length === 0) return []
  const known = new Map((await parts.projects.projects(scope)).map((each) => [each.id, each]))
  return matches.flatMap((match) => {
    const project = known.get(match.projectId)
    return project === undefined ? [] : [{ ...match, project }]
  })
}

async function matchesOfIds(
  parts: DigestMatchParts,
  scope: ReadScope,
  text: string,
): Promise<readonly Omit<FoundMatch, 'project'>[]> {
  const found = await Promise.all(
    idsIn(text).map(async (id) => {
      const rows = await readDigestRows(parts, scope, id)
      return Promise.all(rows.map((row) => digestMatch(parts, scope, { id, row })))
    }),
  )
  return found.flat(2)
}

/** The event of this id, else the errors of the trace, else what shows it. */
async function readDigestRows(
  parts: DigestMatchParts,
  scope: ReadScope,
  id: string,
): Promise<readonly EventRow[]> {
  const own = readEventId(id)
  const event = own === null ? null : await parts.findEvent(scope, own)
  if (event !== null) return [event]
  const errors = own === null ? [] : await errorsOfTrace(parts, scope, own)
  return errors.length > 0 ? errors : shownEvents(parts, scope, id)
}

/** The newest of each group. */
async function errorsOfTrace(
  { telemetry }: DigestMatchParts,
  scope: ReadScope,
  traceId: string,
): Promise<readonly EventRow[]> {
  const files = nearest(await telemetry.files(), ERROR, undefined)
  const tags = [{ key: 'trace', value: traceId, negated: false }]
  const rows = await newestErrors(telemetry, scope, { files, tags })
  return [...new Map(rows.toReversed().map((row) => [`${row.projectId} ${row.groupHash}`, row])).values()]
}

async function digestMatch(
  { issues }: DigestMatchParts,
  scope: ReadScope,
  { id, row }: { readonly id: string; readonly row: EventRow },
): Promise<readonly Omit<FoundMatch, 'project'>[]> {
  const { projectId, groupHash, release, environment, route, requestKind, eventId, traceId } = row
  const issue = await issues.issueOfGroup(scope, projectId, groupHash)
  if (issue === null) return []
  return [
    {
      ...{ digest: id, issueId: issue.id, issue, projectId, groupHash, release, environment, route },
      ...{ requestKind, eventId, traceId, count: 1, mirrorCount: Number(row.isMirror), verified: null },
      ...{ firstSeenMs: row.timestampMs, lastSeenMs: row.timestampMs },
    },
  ]
}
