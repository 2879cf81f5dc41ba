/** What other fingerprint rules would make of a project's newest events. Nothing is changed. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IssueId } from '#base/ids.ts'
import { withoutProjectRules, withProjectRules } from '#group/project-rules.ts'
import { ERROR, type EventRow } from '#kinds/error/fields.ts'
import { titleOf } from '#kinds/error/read-again.ts'
import { recogniseEvent } from '#kinds/error/recognised.ts'
import { max } from '#limits/limits.ts'
import type { ScrubbedEvent } from '#model/event.ts'
import { type GroupingRule, parseGroupingRules } from '#model/grouping-rules.ts'
import type { IssueFilter, IssuesRead } from '#ports/issues.ts'
import type { Project, ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { PayloadSegments, EventReads as StoredEvents } from '#ports/telemetry.ts'
import { filterOf } from './events/event-reads.ts'
import { asScrubbed, readStoredEvent } from './events/stored-event.ts'
import { NO_CONDITIONS } from './search/filter.ts'
import type { GroupingPreview } from './types.ts'

export interface PreviewParts {
  readonly projects: Pick<ProjectsRead, 'project'>
  readonly issues: Pick<IssuesRead, 'list' | 'groups'>
  readonly telemetry: Pick<StoredEvents<EventRow>, 'events'>
  readonly payloads: Pick<PayloadSegments, 'read'>
}

/** Issues whose events are looked at: those seen last. */
const ISSUES_MAX = 100
/** Events that are read before others have their turn. */
const AT_ONCE = 20

export async function groupingPreview(
  parts: PreviewParts,
  scope: ReadScope,
  asked: { readonly project: string; readonly rules: string },
): Promise<GroupingPreview | null> {
  const project = await parts.projects.project(scope, asked.project)
  if (project === null) return null
  const { rules, problems } = parseGroupingRules(asked.rules.slice(0, max('groupingRulesCharsMax')))
  const { rows, issueOf } = await newestEvents(parts, scope, project)
  const before = parseGroupingRules(project.options.fingerprintingRules).rules
  const changed = new Set<IssueId>()
  const met = new Map<number, { readonly events: number; readonly title: string }>()
  let [looked, events] = [0, 0]
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const some = rows.slice(at, at + AT_ONCE)
    const payloads = await Promise.all(
      some.map((row) => parts.payloads.read({ ...row, kind: ERROR }, row.projectId, row.eventId)),
    )
    for (const [index, row] of some.entries()) {
      const payload = payloads[index] ?? null
      if (payload === null || payload.length === 0) continue
      looked++
      const event = withoutProjectRules(asScrubbed(readStoredEvent(payload)))
      const after = withProjectRules(event, rules)
      const line = rules.find(({ text }) => text === after.groupingRule?.rule)?.line
      if (line !== undefined) {
        const { events: sofar = 0, title = titleOf(after).title } = met.get(line) ?? {}
        met.set(line, { events: sofar + 1, title })
      }
      if (isSame(event, { before, after })) continue
      events++
      const issue = issueOf.get(row.groupHash)
      if (issue !== undefined) changed.add(issue)
    }
    await nextTurn()
  }
  const byLine = [...met].map(([line, of]) => ({ line, ...of })).sort((a, b) => a.line - b.line)
  return { looked, events, issues: changed.size, met: byLine, problems }
}

function isSame(
  event: ScrubbedEvent,
  { before: rules, after }: { readonly before: readonly GroupingRule[]; readonly after: ScrubbedEvent },
): boolean {
  const before = withProjectRules(event, rules)
  if (before === event && after === event) return true
  const hashOf = (each: ScrubbedEvent) => recogniseEvent(each).grouping.hash
  return hashOf(before) === hashOf(after) && titleOf(before).title === titleOf(after).title
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
  const { rows } = await telemetry.events(scope, filterOf(groups), page)
  return { rows, issueOf }
}

function anyIssueOf(project: Project['id']): IssueFilter {
  return { ...NO_CONDITIONS, projects: [project], startMs: 0, endMs: Number.MAX_SAFE_INTEGER }
}
