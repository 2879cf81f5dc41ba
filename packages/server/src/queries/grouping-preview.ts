/** Previews fingerprint rules on a project's newest events. Changes nothing. */
import type { IssueId } from '#base/ids.ts'
import { ERROR, type EventRow } from '#kinds/error/fields.ts'
import { max } from '#limits/limits.ts'
import { parseGroupingRules } from '#model/grouping-rules.ts'
import type { IssueFilter, IssuesRead } from '#ports/issues.ts'
import type { Project, ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { PayloadSegments, EventReads as StoredEvents } from '#ports/telemetry.ts'
import { eventFilter } from './events/event-reads.ts'
import type { Regrouping } from './regrouping.ts'
import { NO_CONDITIONS } from './search/filter.ts'
import type { GroupingPreview } from './types.ts'

export interface PreviewParts {
  readonly projects: Pick<ProjectsRead, 'project'>
  readonly issues: Pick<IssuesRead, 'list' | 'groups'>
  readonly telemetry: Pick<StoredEvents<EventRow>, 'events'>
  readonly payloads: Pick<PayloadSegments, 'read'>
  readonly regrouping: Regrouping
}

/** Issues whose events are looked at: those seen last. */
const ISSUES_MAX = 100
/** Events that are read before others have their turn: one may take as long as its budget of steps. */
const AT_ONCE = 1

export async function groupingPreview(
  parts: PreviewParts,
  scope: ReadScope,
  asked: { readonly project: string; readonly rules: string },
): Promise<GroupingPreview | null> {
  const project = await parts.projects.project(scope, asked.project)
  if (project === null) return null
  const rules = asked.rules.slice(0, max('groupingRulesCharsMax'))
  const { problems } = parseGroupingRules(rules)
  const { rows, issueOf } = await newestEvents(parts, scope, project)
  const changed = new Set<IssueId>()
  const met = new Map<number, { readonly events: number; readonly title: string }>()
  let [looked, events, cut, steps] = [0, 0, 0, 0]
  for (let at = 0; at < rows.length && steps < max('groupingPreviewStepsMax'); at += AT_ONCE) {
    const some = await withPayloads(parts, rows.slice(at, at + AT_ONCE))
    const payloads = some.map(({ payload }) => payload)
    const now = project.options.fingerprintingRules
    const found = await parts.regrouping.regroup({ payloads, rules, now })
    for (const [index, { line, title, isChanged, ...took }] of found.entries()) {
      looked++
      steps += took.steps
      if (took.isCut) cut++
      if (line !== null) {
        const sofar = met.get(line)
        met.set(line, { events: (sofar?.events ?? 0) + 1, title: sofar?.title ?? title })
      }
      if (!isChanged) continue
      events++
      const hash = some[index]?.row.groupHash
      const issue = hash === undefined ? undefined : issueOf.get(hash)
      if (issue !== undefined) changed.add(issue)
    }
  }
  const byLine = [...met].map(([line, of]) => ({ line, ...of })).sort((a, b) => a.line - b.line)
  return { looked, events, cut, issues: changed.size, met: byLine, problems }
}

/** Returns the payloads of the rows that have one. */
export async function withPayloads({ payloads }: Pick<PreviewParts, 'payloads'>, rows: readonly EventRow[]) {
  const read = rows.map(async (row) => ({
    row,
    payload: await payloads.read({ ...row, kind: ERROR }, row.projectId, row.eventId),
  }))
  return (await Promise.all(read)).flatMap(({ row, payload }) =>
    payload === null || payload.length === 0 ? [] : [{ row, payload }],
  )
}

async function newestEvents({ issues, telemetry }: PreviewParts, scope: ReadScope, { id }: Project) {
  const newest = { sort: 'date', limit: ISSUES_MAX, cursor: null } as const
  const { rows: found } = await issues.list(scope, anyIssueOf(id), newest)
  const owned = await Promise.all(found.map(({ id: issue }) => issues.groups(scope, issue)))
  const issueOf = new Map(
    found.flatMap(({ id: issue }, index) => (owned[index] ?? []).map(({ hash }) => [hash, issue] as const)),
  )
  const groups = owned.flat().filter(({ projectId }) => projectId === id)
  const page = { limit: max('groupingPreviewEvents'), cursor: null }
  const { rows } = await telemetry.events(scope, eventFilter(groups), page)
  return { rows, issueOf }
}

function anyIssueOf(project: Project['id']): IssueFilter {
  return { ...NO_CONDITIONS, projects: [project], startMs: 0, endMs: Number.MAX_SAFE_INTEGER }
}
