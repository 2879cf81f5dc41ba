/** From the terms of a search to what the control store is asked. Pure. */

import type { ProjectId, UserId } from '#base/ids.ts'
import { LEVELS } from '#model/event.ts'
import type { PersonCondition } from '#model/tag-condition.ts'
import type { Member } from '#ports/accounts.ts'
import type { IssueFilter, IssueStatus, IssueSubstatus } from '#ports/issues.ts'
import type { Project } from '#ports/projects.ts'
import type { IssueListParams, SearchToken } from '../types.ts'
import { issueCount, issueField, personCondition, tagCondition, withoutPresence } from './conditions.ts'
import { type FieldFilter, filterOf, type IsValue } from './fields.ts'
import { isOneOf } from './parse.ts'
import type { ReleasesMeant } from './release-terms.ts'

export interface FilterContext {
  readonly projects: readonly Project[]
  readonly members: readonly Pick<Member, 'userId' | 'email'>[]
  /** Who asks, for `assigned:me`. */
  readonly me: UserId | null
  readonly meant: ReleasesMeant
}

export type FilterParams = Pick<IssueListParams, 'projects' | 'range' | 'tab'>

export interface BuiltFilter {
  readonly filter: IssueFilter
  /** The events alone can answer these. */
  readonly people: readonly PersonCondition[]
  readonly problems: readonly string[]
}

type Substatus = NonNullable<IssueSubstatus>
const STATUSES: readonly IssueStatus[] = ['unresolved', 'resolved', 'archived']
const UNRESOLVED_SUBSTATUSES: readonly Substatus[] = ['new', 'ongoing', 'regressed', 'escalating']

/** Conditions on tags are all in `filter.tags`; the caller moves those that facets lack. */
export function buildFilter(
  typed: readonly SearchToken[],
  params: FilterParams,
  context: FilterContext,
): BuiltFilter {
  const problems: string[] = []
  const tokens = withoutPresence(typed)
  const of = (by: FieldFilter['by']) => tokens.filter((token) => filterOf(token).by === by)
  const states = statesOf(of('state'), params.tab, problems)
  const filter: IssueFilter = {
    projects: projectsOf(params.projects, of('project'), { known: context.projects, problems }),
    ...states,
    startMs: params.range.startMs,
    endMs: params.range.endMs,
    text: of('text').map(({ value, negated }) => ({ value, negated })),
    levels: of('level').flatMap(({ value, negated }) => (isOneOf(LEVELS, value) ? [{ value, negated }] : [])),
    fields: tokens.flatMap((token) => issueField(token, context.meant)),
    counts: tokens.flatMap(issueCount),
    tags: tokens.flatMap((token) => tagCondition(token, context.meant)),
    assignee: assigneeOf([...of('state'), ...of('assignee')], context, problems),
    groups: null,
    issueIds: null,
    priorities: [],
    bookmarkedBy: null,
    subscribedBy: null,
  }
  return { filter, people: tokens.flatMap(personCondition), problems }
}

/** A filter that asks for nothing but `part`, at any time and in any state. */
export function filterFor(part: Partial<IssueFilter>, untilMs: number): IssueFilter {
  return {
    projects: null,
    status: null,
    substatus: null,
    startMs: 0,
    endMs: untilMs,
    text: [],
    levels: [],
    fields: [],
    counts: [],
    tags: [],
    assignee: null,
    groups: null,
    issueIds: null,
    priorities: [],
    bookmarkedBy: null,
    subscribedBy: null,
    ...part,
  }
}

function projectsOf(
  refs: readonly string[],
  tokens: readonly SearchToken[],
  { known, problems }: { readonly known: readonly Project[]; readonly problems: string[] },
): readonly ProjectId[] | null {
  const find = (ref: string): ProjectId | null => {
    const wanted = ref.toLowerCase()
    const project = known.find(({ slug, id }) => slug === wanted || String(id) === wanted)
    if (project === undefined) problems.push(`There is no project “${ref.slice(0, 60)}” that you can read.`)
    return project?.id ?? null
  }
  const listed = refs.map(find)
  const positive = tokens.filter(({ negated }) => !negated).map(({ value }) => find(value))
  const negative = tokens.filter(({ negated }) => negated).map(({ value }) => find(value))
  if (refs.length + tokens.length === 0) return null
  return known
    .map(({ id }) => id)
    .filter((id) => refs.length === 0 || listed.includes(id))
    .filter((id) => positive.length === 0 || positive.includes(id))
    .filter((id) => !negative.includes(id))
}

/** A state named in the search wins over the tab: `is:resolved` typed under “Unresolved” means resolved. */
function statesOf(
  tokens: readonly SearchToken[],
  tab: IssueListParams['tab'],
  problems: string[],
): Pick<IssueFilter, 'status' | 'substatus'> {
  let status: readonly IssueStatus[] = STATUSES
  let substatus: readonly Substatus[] | null = null
  let isNamed = false
  for (const { value, negated } of tokens) {
    const state = STATES[value as IsValue] // checked by the parser; others are absent from the table
    if (state === undefined) continue
    isNamed = true
    if (state.substatus === undefined) {
      status = status.filter((each) => state.status.includes(each) !== negated)
    } else {
      const among: readonly Substatus[] = substatus ?? UNRESOLVED_SUBSTATUSES
      const wanted = state.substatus
      substatus = among.filter((each) => wanted.includes(each) !== negated)
      if (!negated) status = status.filter((each) => state.status.includes(each))
    }
  }
  if (!isNamed) return TABS[tab ?? 'all']
  if (substatus !== null && status.some((each) => each !== 'unresolved')) {
    problems.push('Add “is:unresolved”: “!is:new”, “!is:regressed” and the like go with it.')
  }
  return { status: status.length === STATUSES.length ? null : status, substatus }
}

const TABS: Readonly<Record<NonNullable<IssueListParams['tab']>, Pick<IssueFilter, 'status' | 'substatus'>>> =
  {
    review: { status: ['unresolved'], substatus: ['new', 'regressed', 'escalating'] },
    unresolved: { status: ['unresolved'], substatus: null },
    archived: { status: ['archived'], substatus: null },
    all: { status: null, substatus: null },
  }

interface State {
  readonly status: readonly IssueStatus[]
  readonly substatus?: readonly Substatus[]
}

const STATES: Readonly<Partial<Record<IsValue, State>>> = {
  unresolved: { status: ['unresolved'] },
  resolved: { status: ['resolved'] },
  archived: { status: ['archived'] },
  ignored: { status: ['archived'] },
  new: { status: ['unresolved'], substatus: ['new'] },
  ongoing: { status: ['unresolved'], substatus: ['ongoing'] },
  regressed: { status: ['unresolved'], substatus: ['regressed'] },
  escalating: { status: ['unresolved'], substatus: ['escalating'] },
  for_review: { status: ['unresolved'], substatus: ['new', 'regressed', 'escalating'] },
}

function assigneeOf(
  tokens: readonly SearchToken[],
  { members, me }: FilterContext,
  problems: string[],
): IssueFilter['assignee'] {
  const wanted = tokens.flatMap(({ key, value, negated }): NonNullable<IssueFilter['assignee']>[] => {
    if (key === 'is' && value === 'assigned') return [{ userId: null, negated: !negated }]
    if (key === 'is' && value === 'unassigned') return [{ userId: null, negated }]
    if (key === 'is') return []
    const name = value.toLowerCase()
    if (name === 'none') return [{ userId: null, negated }]
    if (name === 'me' && me === null) {
      problems.push('“assigned:me” needs a person; this token belongs to the organisation.')
    }
    const userId = name === 'me' ? me : members.find(({ email }) => email.toLowerCase() === name)?.userId
    if (userId === undefined) problems.push(`No member has the email “${value.slice(0, 60)}”.`)
    return userId === undefined || userId === null ? [] : [{ userId, negated }]
  })
  const [first, ...others] = wanted
  if (others.some((each) => each.userId !== first?.userId || each.negated !== first.negated)) {
    problems.push('Search for one assignee at a time.')
  }
  return first ?? null
}
