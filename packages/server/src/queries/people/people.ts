/** Affected people: who is found, and what is kept of one over all projects of the scope. */
import { ok, type Result } from '#base/result.ts'
import { ERROR } from '#kinds/error/fields.ts'
import { SPAN } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import type { PersonRows } from '#ports/people.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { PeopleQueries, PersonAsked, PersonInProject, PersonView } from '../people-types.ts'
import { personData } from '../person-data.ts'
import { personKey, personRef } from '../person-key.ts'
import { peopleFound } from './found-people.ts'
import { type PeopleParts, peopleFiles } from './people-parts.ts'
import { readPersonItems } from './person-items.ts'

export function peopleQueries(parts: PeopleParts): PeopleQueries {
  return {
    peopleFound: (scope, asked) => peopleFound(parts, scope, asked),
    person: (scope, asked) => personView(parts, scope, asked),
    personKeyOf: readPersonKey,
    everyPersonData: async (scope, text) => {
      const key = personKey(personRef(text))
      return key.ok ? ok(dataOfAll(parts, scope, key.value)) : key
    },
  }
}

/** Returns the key as rows have it; `null` for what can be nobody's name. */
function readPersonKey(text: string): string | null {
  const key: Result<string> = personKey(personRef(text))
  return key.ok ? key.value : null
}

async function* dataOfAll(parts: PeopleParts, scope: ReadScope, key: string) {
  const { projects } = await totalsOf(parts, scope, key)
  for (const { projectId } of projects) {
    for await (const page of personData(parts, scope, { project: projectId, key }))
      yield page.map((item) => ({ ...item, projectId }))
  }
}

interface Totals {
  readonly projects: readonly PersonInProject[]
  readonly isTracesBounded: boolean
  readonly firstMs: number | null
  readonly lastMs: number | null
}

async function totalsOf(parts: PeopleParts, scope: ReadScope, key: string): Promise<Totals> {
  const files = await peopleFiles(parts)
  const rowsIn = (isOf: (kind: string) => boolean) =>
    parts.telemetry.personRows(scope, { person: key, files: files.filter(({ kind }) => isOf(kind)) })
  const [ofErrors, ofSpans, ofOthers] = await Promise.all([
    rowsIn((kind) => kind === ERROR),
    rowsIn((kind) => kind === SPAN),
    rowsIn((kind) => kind !== ERROR && kind !== SPAN),
  ])
  const all = [...ofErrors, ...ofSpans, ...ofOthers]
  const ids = [...new Set(all.map(({ projectId }) => projectId))]
  const countOf = (rows: readonly PersonRows[], id: number, what: 'rows' | 'traces') =>
    rows.find(({ projectId }) => projectId === id)?.[what] ?? 0
  const projects = ids.map((projectId) => ({
    projectId,
    events: countOf(ofErrors, projectId, 'rows'),
    traces: countOf(ofSpans, projectId, 'traces'),
    others: countOf(ofOthers, projectId, 'rows'),
  }))
  const size = ({ events, traces, others }: PersonInProject) => events + traces + others
  return {
    projects: projects.sort((one, other) => size(other) - size(one)),
    isTracesBounded: ofSpans.some(({ traces }) => traces >= max('personTracesMax')),
    firstMs: all.length === 0 ? null : Math.min(...all.map(({ firstMs }) => firstMs)),
    lastMs: all.length === 0 ? null : Math.max(...all.map(({ lastMs }) => lastMs)),
  }
}

async function personView(
  parts: PeopleParts,
  scope: ReadScope,
  { key: text, beforeMs, isErrorsOnly = false }: PersonAsked,
): Promise<PersonView | null> {
  const key = readPersonKey(text)
  if (key === null) return null
  const [totals, names, { issues, isBounded }, page] = await Promise.all([
    totalsOf(parts, scope, key),
    otherNames(parts, scope, key),
    issuesOfPerson(parts, scope, key),
    readPersonItems(parts, scope, { key, beforeMs, isErrorsOnly }),
  ])
  const sum = (what: 'events' | 'traces' | 'others') =>
    totals.projects.reduce((all, one) => all + one[what], 0)
  return {
    ...{ key, names, projects: totals.projects, events: sum('events'), traces: sum('traces') },
    ...{ others: sum('others') },
    ...{ isTracesBounded: totals.isTracesBounded, issues, isIssuesBounded: isBounded },
    ...{ firstMs: totals.firstMs, lastMs: totals.lastMs, ...page },
  }
}

/** Returns other names in rows that name the person, most frequent first. */
async function otherNames(parts: PeopleParts, scope: ReadScope, key: string): Promise<PersonView['names']> {
  const files = await peopleFiles(parts)
  const together = await parts.telemetry.people(scope, {
    ...{ files, person: key, limit: max('peopleNamesPerFile') },
  })
  const counts = new Map<string, number>()
  for (const { names, rows } of together)
    for (const name of names) if (name !== key) counts.set(name, rows + (counts.get(name) ?? 0))
  return [...counts]
    .map(([name, rows]) => ({ name, rows }))
    .sort((one, other) => other.rows - one.rows || (one.name < other.name ? -1 : 1))
    .slice(0, max('peopleFoundMax'))
}

async function issuesOfPerson(
  parts: PeopleParts,
  scope: ReadScope,
  key: string,
): Promise<{ readonly issues: PersonView['issues']; readonly isBounded: boolean }> {
  const limit = max('personGroupsShownMax')
  const { telemetry, issues } = parts
  const files = (await peopleFiles(parts)).filter(({ kind }) => kind === ERROR)
  const people = [{ names: [key], negated: false }]
  const groups = await telemetry.groupsMatching(scope, { people, files }, max('groupsMatchingMax'))
  const newest = [...groups].sort((one, other) => other.lastMs - one.lastMs).slice(0, limit)
  const found = await Promise.all(
    newest.map(async (group) => ({
      ...{ group, issue: await issues.issueOfGroup(scope, group.projectId, group.hash) },
    })),
  )
  const byIssue = new Map<number, PersonView['issues'][number]>()
  for (const { group, issue } of found) {
    if (issue === null) continue
    const before = byIssue.get(issue.id)
    byIssue.set(issue.id, {
      ...{ issue, events: group.events + (before?.events ?? 0) },
      lastMs: Math.max(group.lastMs, before?.lastMs ?? 0),
    })
  }
  const all = [...byIssue.values()].sort((one, other) => other.lastMs - one.lastMs)
  return { issues: all, isBounded: groups.length > limit }
}
