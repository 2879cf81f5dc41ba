/** From the terms of a search to what the control store is asked. Pure. */

import type { IssueId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import { LEVELS } from '#model/event.ts'
import { PRIORITIES } from '#model/priority.ts'
import type { TagCondition } from '#model/tag-condition.ts'
import type { Member, Team } from '#ports/accounts.ts'
import type {
  AssigneeCondition,
  IssueConditions,
  IssueFilter,
  IssueStatus,
  IssueSubstatus,
  MarkCondition,
} from '#ports/issues.ts'
import type { Project } from '#ports/projects.ts'
import type { EventConditions } from '#ports/telemetry.ts'
import type { IssueListParams, SearchToken, TimeRange } from '../types.ts'
import {
  detailCondition,
  eventTimes,
  issueCount,
  issueField,
  issueTime,
  personCondition,
  tagCondition,
  unwantedTags,
} from './conditions.ts'
import { type FieldFilter, type IsValue, tokenFilter } from './fields.ts'
import { nearestWord } from './nearest-word.ts'
import { isOneOf, type SearchTerms, writeToken } from './parse.ts'
import type { MeantValues } from './release-terms.ts'
import { type Wrong, withMeant } from './term-problems.ts'
import { isMet, isUnwantedTagList, presenceProblems, simpleTerms, singleTerms } from './terms.ts'

export interface SearchFilterContext {
  readonly projects: readonly Project[]
  readonly members: readonly Pick<Member, 'userId' | 'name' | 'email' | 'teams'>[]
  readonly teams: readonly Pick<Team, 'id' | 'slug'>[]
  /** Issues that the search names, by what it calls them. */
  readonly issues: ReadonlyMap<string, IssueId>
  /** Person who asks, for `assigned:me`. */
  readonly me: UserId | null
  /** Teams of whoever asks, for `assigned:my_teams`. */
  readonly myTeams: readonly TeamId[]
  readonly meant: MeantValues
  readonly nowMs: number
}

export type FilterParams = Pick<IssueListParams, 'projects' | 'range' | 'tab'>

/** Part of a search: conditions for the control store, and for events alone. */
export interface BuiltPart {
  /** Conditions on tags are all here; the caller moves those that facets lack. Its choices are in `either`. */
  readonly conditions: IssueConditions
  readonly events: Omit<EventConditions, 'tags'>
  readonly either: readonly (readonly BuiltPart[])[]
}

export interface BuiltFilter {
  readonly part: BuiltPart
  /** The range, as far as the search itself leaves it. */
  readonly range: TimeRange
  /** It says which states are meant, and so the tab does not. */
  readonly namesState: boolean
  readonly problems: readonly TokenProblem[]
}

/** `token` null: it is not in the search itself. */
export interface TokenProblem extends Wrong {
  readonly token: SearchToken | null
}

type Substatus = NonNullable<IssueSubstatus>
const STATUSES: readonly IssueStatus[] = ['unresolved', 'resolved', 'archived']
const UNRESOLVED_SUBSTATUSES: readonly Substatus[] = ['new', 'ongoing', 'regressed', 'escalating']

export function buildFilter(
  terms: SearchTerms,
  params: FilterParams,
  context: SearchFilterContext,
): BuiltFilter {
  const problems: TokenProblem[] = [...presenceProblems(terms)]
  const simple = simpleTerms(terms, isUnwantedTagList)
  const part = buildPart(simple, context, problems)
  const named = searchedProjects(params.projects.map(asProjectToken), context, problems)
  const projects = bothOf(named, part.conditions.projects)
  // A state named anywhere in the search wins over the tab: `is:resolved` typed under “Unresolved” means resolved.
  const ownState = singleTerms(simple).some(namesState)
  const states = ownState ? {} : TABS[params.tab ?? 'all']
  const { startMs = params.range.startMs, endMs = params.range.endMs } = part.events
  return {
    part: {
      ...part,
      conditions: { ...part.conditions, ...states, projects },
      events: withoutRange(part.events),
    },
    range: {
      startMs: Math.max(startMs, params.range.startMs),
      endMs: Math.min(endMs, params.range.endMs),
    },
    namesState: ownState,
    problems,
  }
}

function withoutRange({ startMs: _, endMs: __, ...events }: BuiltPart['events']): BuiltPart['events'] {
  return events
}

function buildPart(terms: SearchTerms, context: SearchFilterContext, problems: TokenProblem[]): BuiltPart {
  const { tokens } = terms
  const of = (by: FieldFilter['by']) => tokens.filter((token) => tokenFilter(token).by === by)
  const states = statesOf(of('state'))
  const conditions: IssueConditions = {
    ...NO_CONDITIONS,
    ...states.named,
    projects: searchedProjects(of('project'), context, problems),
    text: of('text').map(({ value, negated }) => ({ value, negated })),
    levels: of('level').flatMap(({ value, negated }) => (isOneOf(LEVELS, value) ? [{ value, negated }] : [])),
    fields: tokens.flatMap((token) => issueField(token, context.meant)),
    counts: tokens.flatMap(issueCount),
    times: tokens.flatMap((token) => issueTime(token, context.nowMs)),
    tags: tokens.flatMap((token) => tagConditions(token, context)),
    assignees: [...of('state'), ...of('assignee')].flatMap((token) =>
      assigneeConditions(token, context, problems).map((one) =>
        token.key === 'assigned_or_suggested' ? { ...one, orSuggested: true } : one,
      ),
    ),
    marks: of('mark').flatMap((token) => markConditions(token, context, problems)),
    links: of('state').flatMap(linkConditions),
    issueIds: of('constant').every(isMet) ? issueIdsOf(of('issue'), context, problems) : [],
    priorities: of('priority').flatMap(prioritiesOf),
  }
  const either = terms.either.map((parts) => parts.map((one) => buildPart(one, context, problems)))
  const events = {
    people: tokens.flatMap(personCondition),
    details: tokens.flatMap(detailCondition),
    ...eventTimes(tokens, context.nowMs),
  }
  const alternatives = states.either.map((one) => ({
    conditions: { ...NO_CONDITIONS, ...one },
    events: {},
    either: [],
  }))
  return { conditions, events, either: alternatives.length === 0 ? either : [...either, alternatives] }
}

function tagConditions(
  token: SearchToken,
  { projects, meant }: SearchFilterContext,
): readonly TagCondition[] {
  if (token.among === undefined) return tagCondition(token, meant)
  return unwantedTags(
    token,
    projects.map(({ id }) => id),
    meant,
  )
}

function linkConditions({ value, negated }: SearchToken): IssueConditions['links'] {
  if (value === 'linked') return [{ negated }]
  return value === 'unlinked' ? [{ negated: !negated }] : []
}

/** Every issue. */
export const NO_CONDITIONS: IssueConditions = {
  projects: null,
  status: null,
  substatus: null,
  text: [],
  levels: [],
  fields: [],
  counts: [],
  times: [],
  tags: [],
  assignees: [],
  priorities: [],
  marks: [],
  links: [],
  groups: null,
  issueIds: null,
  either: [],
}

/** A filter that asks for nothing but `part`, at any time and in any state. */
export function filterFor(part: Partial<IssueFilter>, untilMs: number): IssueFilter {
  return { ...NO_CONDITIONS, startMs: 0, endMs: untilMs, ...part }
}

/** Returns the projects that a search names. `null`: all of them. */
export function searchedProjects(
  tokens: readonly SearchToken[],
  { projects: known }: Pick<SearchFilterContext, 'projects'>,
  problems: TokenProblem[],
): readonly ProjectId[] | null {
  if (tokens.length === 0) return null
  const find = (token: SearchToken): ProjectId | null => {
    const wanted = token.value.toLowerCase()
    const project =
      known.find(({ slug, id }) => slug === wanted || String(id) === wanted) ??
      known.find(({ formerSlugs }) => formerSlugs.includes(wanted))
    if (project === undefined) problems.push({ ...projectProblem(token, known), token })
    return project?.id ?? null
  }
  const wanted = tokens.filter(({ negated }) => !negated).map(find)
  const unwanted = tokens.filter(({ negated }) => negated).map(find)
  return known
    .map(({ id }) => id)
    .filter((id) => wanted.length === 0 || wanted.includes(id))
    .filter((id) => !unwanted.includes(id))
}

function projectProblem(token: SearchToken, known: SearchFilterContext['projects']): Wrong {
  const nearest = nearestWord(
    token.value,
    known.map(({ slug }) => slug),
  )
  const lead = `There is no project “${token.value.slice(0, 60)}” that you can read.`
  return withNearest(lead, token, nearest)
}

function withNearest(lead: string, token: SearchToken, nearest: string | null): Wrong {
  return nearest === null ? { message: lead } : withMeant(lead, writeToken({ ...token, value: nearest }))
}

export function asProjectToken(value: string): SearchToken {
  return { key: 'project', value, negated: false }
}

export function bothOf(
  one: readonly ProjectId[] | null,
  other: readonly ProjectId[] | null,
): readonly ProjectId[] | null {
  if (one === null || other === null) return one ?? other
  return one.filter((id) => other.includes(id))
}

type States = Pick<IssueFilter, 'status' | 'substatus'>

function namesState(token: SearchToken): boolean {
  return tokenFilter(token).by === 'state' && tokenState(token) !== undefined
}

function tokenState({ value }: SearchToken): State | undefined {
  return STATES[value as IsValue] // checked by the parser; others are absent from the table
}

/** `!is:new` leaves what is not unresolved at all: then two kinds of state are a choice. */
function statesOf(tokens: readonly SearchToken[]): {
  readonly named: States
  readonly either: readonly States[]
} {
  let status: readonly IssueStatus[] = STATUSES
  let substatus: readonly Substatus[] | null = null
  for (const token of tokens) {
    const state = tokenState(token)
    if (state === undefined) continue
    const { negated } = token
    if (state.substatus === undefined) {
      status = status.filter((each) => state.status.includes(each) !== negated)
    } else {
      const among: readonly Substatus[] = substatus ?? UNRESOLVED_SUBSTATUSES
      const wanted = state.substatus
      substatus = among.filter((each) => wanted.includes(each) !== negated)
      if (!negated) status = status.filter((each) => state.status.includes(each))
    }
  }
  const others = status.filter((each) => each !== 'unresolved')
  if (substatus === null || others.length === 0)
    return { named: { status: status.length === STATUSES.length ? null : status, substatus }, either: [] }
  const isOpen = status.includes('unresolved')
  return {
    named: { status: null, substatus: null },
    either: [
      { status: others, substatus: null },
      ...(isOpen ? [{ status: ['unresolved'], substatus } as const] : []),
    ],
  }
}

const TABS: Readonly<Record<NonNullable<IssueListParams['tab']>, States>> = {
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

/** Neither a person nor a team. */
const nobodyAt = { userIds: [null], teamIds: [] } as const

function prioritiesOf({ value, negated }: SearchToken): IssueConditions['priorities'] {
  return isOneOf(PRIORITIES, value) ? [{ value, negated }] : []
}

function assigneeConditions(
  token: SearchToken,
  { members, teams, me, myTeams }: SearchFilterContext,
  problems: TokenProblem[],
): readonly AssigneeCondition[] {
  const { value, negated } = token
  if (tokenFilter(token).by === 'state') {
    if (value === 'assigned') return [{ ...nobodyAt, negated: !negated }]
    return value === 'unassigned' ? [{ ...nobodyAt, negated }] : []
  }
  const name = value.toLowerCase()
  if (name === 'none') return [{ ...nobodyAt, negated }]
  if (name === 'me')
    return me === null ? noteNobody(token, problems) : [{ userIds: [me], teamIds: [], negated }]
  if (name === 'my_teams' || name === 'my-teams')
    return me === null ? noteNobody(token, problems) : [{ userIds: [], teamIds: myTeams, negated }]
  const team = name.startsWith('#') ? teams.find(({ slug }) => slug === name.slice(1)) : undefined
  if (team !== undefined) return [{ userIds: [], teamIds: [team.id], negated }]
  const member = members.find(({ email }) => email.toLowerCase() === name)
  if (member !== undefined) return [{ userIds: [member.userId], teamIds: [], negated }]
  const isTeam = name.startsWith('#')
  const nearest = isTeam ? nearestTeam(name, teams) : nearestMember(name, members)
  const what = isTeam ? 'There is no team' : 'No member has the email'
  problems.push({ ...withNearest(`${what} “${value.slice(0, 60)}”.`, token, nearest), token })
  return []
}

function nearestTeam(name: string, teams: SearchFilterContext['teams']): string | null {
  const slug = nearestWord(
    name.slice(1),
    teams.map((team) => team.slug),
  )
  return slug === null ? null : `#${slug}`
}

/** Finds the member of that name, or whose email begins so or is close to it. */
function nearestMember(name: string, members: SearchFilterContext['members']): string | null {
  const called = members.find(
    (member) => member.email.toLowerCase().startsWith(name) || member.name.toLowerCase().startsWith(name),
  )
  const emails = members.map(({ email }) => email)
  return called?.email ?? nearestWord(name, emails)
}

function markConditions(
  token: SearchToken,
  { me }: SearchFilterContext,
  problems: TokenProblem[],
): readonly MarkCondition[] {
  const filter = tokenFilter(token)
  if (me === null || filter.by !== 'mark') return noteNobody(token, problems)
  return [{ as: filter.as, userId: me, negated: token.negated }]
}

function noteNobody(token: SearchToken, problems: TokenProblem[]): readonly never[] {
  const message = `“${token.key}:${token.value}” needs a personal token; this one belongs to the organisation.`
  problems.push({ message, token })
  return []
}

function issueIdsOf(
  tokens: readonly SearchToken[],
  { issues }: SearchFilterContext,
  problems: TokenProblem[],
): readonly IssueId[] | null {
  if (tokens.length === 0) return null
  return tokens.flatMap((token) => {
    if (token.negated) problems.push({ message: '“issue:” can’t be negated.', token })
    return issues.get(token.value) ?? []
  })
}
