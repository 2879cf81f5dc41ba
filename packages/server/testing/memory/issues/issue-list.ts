/** Pages of issues: every condition is asked of each issue in turn. */
import type { IssueId, ProjectId, UserId } from '#base/ids.ts'
import { readCursor } from '#issues/issue-cursor.ts'
import { FOR_REVIEW, foldText, issueText } from '#issues/issue-names.ts'
import { placesFrom, surroundingsOf } from '#issues/issue-order.ts'
import { orderOf, pageOf } from '#issues/issue-page.ts'
import { isFollowing } from '#issues/issue-people.ts'
import { middleOf, trendKey } from '#issues/issue-trend.ts'
import { hoursOfRange, listTrendRange } from '#issues/trend-range.ts'
import type { TagCondition, ValueOfProject, WantedValue } from '#model/tag-condition.ts'
import { foldAscii, hasWildcard, matchesPattern } from '#model/text-pattern.ts'
import type {
  Assignee,
  CountedValue,
  Issue,
  IssueBeside,
  IssueConditions,
  IssueField,
  IssueFilter,
  IssueListRow,
  IssuePage,
  IssueSort,
  OwnedGroup,
  ProjectIssues,
} from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { MarkRow } from '../issue-tables.ts'
import { groupsByIssue, issueView, sumOver } from '../rows/issue-view.ts'
import { readableProjects } from '../rows/readable.ts'
import { isReadable } from '../rows/readable-issues.ts'
import type { GroupRow, Tables } from '../tables.ts'
import { seriesOf } from './series.ts'

/** An issue as conditions are asked of it. */
interface Candidate {
  readonly issue: Issue
  readonly groups: readonly GroupRow[]
  /** Of them, those of projects that may be read. */
  readonly open: readonly GroupRow[]
  /** By ownership rules. */
  readonly owners: readonly Assignee[]
  /** What a person keeps of it for themselves. */
  readonly marksOf: (user: UserId) => MarkRow | undefined
  /** To an issue of a tracker. */
  readonly isLinked: boolean
}

interface FilterQuery {
  readonly filter: IssueFilter
  readonly newSinceMs: number
}

interface ListQuery extends FilterQuery {
  readonly sort: IssueSort
  readonly limit: number
  readonly cursor: string | null
}

export function listIssues(of: Tables, scope: ReadScope, query: ListQuery): IssuePage {
  const { filter, sort, limit } = query
  const asked = { sort, limit, cursor: readCursor(query.cursor, sort) }
  const found = candidates(of, scope, query).filter((one) => hasStatus(one, filter))
  const byId = new Map(found.map((one) => [one.issue.id, one]))
  const keys = found.map((one) => SORT_KEYS[sort](one, filter))
  const page = pageOf(placesFrom([...byId.keys()], keys, orderOf(asked)), asked)
  const { nextCursor, previousCursor } = page
  const rows = page.shown.flatMap(({ id }) => {
    const one = byId.get(id)
    return one === undefined ? [] : [rowOf(one, filter)]
  })
  return { rows, total: found.length, nextCursor, previousCursor }
}

export function issueBeside(
  of: Tables,
  scope: ReadScope,
  query: FilterQuery & { readonly sort: IssueSort; readonly id: IssueId },
): IssueBeside | null {
  const { filter, sort, id } = query
  const issue = of.issues.get(id)
  if (issue === undefined || !isReadable(of, scope, id)) return null
  const groups = groupsByIssue(of).get(id) ?? []
  const marksOf = (user: UserId) => of.marks.get(`${id}:${user}`)
  const view = issueView(of, issue, { groups, newSinceMs: query.newSinceMs })
  const own = {
    groups,
    open: groups,
    marksOf,
    owners: ownersOf(of, id),
    isLinked: isLinked(of, id),
    issue: view,
  }
  const found = candidates(of, scope, query).filter((one) => hasStatus(one, filter))
  const keyOf = (one: Candidate) => SORT_KEYS[sort](one, filter)
  const ids = found.map((one) => one.issue.id)
  const { at, previous, next } = surroundingsOf(ids, found.map(keyOf), { id, key: keyOf(own) })
  const refOf = (other: IssueId | null) => found.find((one) => one.issue.id === other)?.issue.shortId ?? null
  return {
    position: at === null ? null : at + 1,
    total: found.length,
    previous: refOf(previous),
    next: refOf(next),
  }
}

const SORT_KEYS: Readonly<Record<IssueSort, (one: Candidate, range: IssueFilter) => number>> = {
  date: (one, filter) =>
    filter.matched === undefined
      ? one.issue.lastSeenMs
      : Math.floor(Math.max(0, ...matchedOf(one, filter).map(({ lastMs }) => lastMs))),
  new: ({ issue }) => issue.firstSeenMs,
  freq: (one, filter) =>
    filter.matched === undefined
      ? countInRange(one, filter)
      : sumOver(matchedOf(one, filter), ({ events }) => events),
  user: ({ issue }, { matchedUsers }) =>
    matchedUsers === undefined
      ? issue.users.count
      : (matchedUsers.find(({ issueId }) => issueId === issue.id)?.users ?? 0),
  trends: (one, range) => {
    const startMs = middleOf(range.startMs, range.endMs)
    return trendKey({ all: countInRange(one, range), later: countInRange(one, { ...range, startMs }) })
  },
}

function matchedOf({ open }: Candidate, { matched = [] }: IssueFilter) {
  return matched.filter(({ projectId, hash }) =>
    open.some((group) => group.projectId === projectId && group.hash === hash),
  )
}

export function groupsFound(
  of: Tables,
  scope: ReadScope,
  query: FilterQuery & { readonly limit: number },
): readonly OwnedGroup[] {
  return candidates(of, scope, query)
    .filter((one) => hasStatus(one, query.filter))
    .flatMap(({ issue, open }) => open.map(({ projectId, hash }) => ({ issueId: issue.id, projectId, hash })))
    .slice(0, query.limit)
}

function rowOf(one: Candidate, filter: IssueFilter): IssueListRow {
  const trend = seriesOf(one.groups, listTrendRange(filter.startMs, filter.endMs))
  return { ...one.issue, eventCountInRange: countInRange(one, filter), trend }
}

export function countByStatus(of: Tables, scope: ReadScope, query: FilterQuery) {
  const found = candidates(of, scope, query)
  const count = (wanted: (issue: Issue) => boolean) => found.filter(({ issue }) => wanted(issue)).length
  const isForReview = ({ substatus }: Issue) => substatus !== null && FOR_REVIEW.includes(substatus)
  return {
    forReview: count((issue) => issue.status === 'unresolved' && isForReview(issue)),
    unresolved: count(({ status }) => status === 'unresolved'),
    archived: count(({ status }) => status === 'archived'),
    resolved: count(({ status }) => status === 'resolved'),
    all: found.length,
  }
}

export function countByProject(of: Tables, scope: ReadScope, newSinceMs: number): readonly ProjectIssues[] {
  const byIssue = groupsByIssue(of)
  const views = of.issues
    .where(({ substatus }) => substatus !== 'waiting')
    .map((row) => issueView(of, row, { groups: byIssue.get(row.id) ?? [], newSinceMs }))
  return [...readableProjects(of, scope)]
    .sort((a, b) => a - b)
    .map((projectId) => ({ projectId, issues: views.filter((issue) => issue.projectId === projectId) }))
    .filter(({ issues }) => issues.length > 0)
    .map(({ projectId, issues }) => {
      const open = issues.filter(({ status }) => status === 'unresolved')
      return {
        projectId,
        unresolved: open.length,
        new: open.filter(({ substatus }) => substatus === 'new').length,
        regressed: open.filter(({ substatus }) => substatus === 'regressed').length,
        lastSeenMs: Math.max(...issues.map(({ lastSeenMs }) => lastSeenMs)),
      }
    })
}

export function issueValues(
  of: Tables,
  scope: ReadScope,
  { field, prefix, limit }: { readonly field: IssueField; readonly prefix: string; readonly limit: number },
): readonly CountedValue[] {
  const readable = readableProjects(of, scope)
  const byIssue = groupsByIssue(of)
  const wanted = foldAscii(prefix).replaceAll('*', '')
  const counts = new Map<string, number>()
  for (const row of of.issues.where(({ projectId }) => readable.has(projectId))) {
    const value = issueView(of, row, { groups: byIssue.get(row.id) ?? [], newSinceMs: 0 })[field] ?? ''
    if (value !== '' && foldAscii(value).startsWith(wanted)) counts.set(value, 1 + (counts.get(value) ?? 0))
  }
  const values = [...counts].map(([value, count]) => ({ value, count }))
  return values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, limit)
}

/** Those that meet the filter, whatever their status. */
function candidates(of: Tables, scope: ReadScope, { filter, newSinceMs }: FilterQuery): readonly Candidate[] {
  const readable = readableProjects(of, scope, filter.projects)
  const byIssue = groupsByIssue(of)
  const all = readableProjects(of, scope)
  const asked = { ...filter, status: null, substatus: null, projects: null }
  return of.issues
    .where(({ projectId, substatus }) => readable.has(projectId) && substatus !== 'waiting')
    .map((row) => {
      const groups = byIssue.get(row.id) ?? []
      const open = groups.filter((group) => all.has(group.projectId))
      const marksOf = (user: UserId) => of.marks.get(`${row.id}:${user}`)
      const owners = ownersOf(of, row.id)
      const issue = issueView(of, row, { groups, newSinceMs })
      return { groups, open, marksOf, owners, isLinked: isLinked(of, row.id), issue }
    })
    .filter((one) => isInRange(one, filter) && meets(one, asked, filter))
    .filter((one) => filter.matched === undefined || matchedOf(one, filter).length > 0)
}

type Range = Pick<IssueFilter, 'startMs' | 'endMs'>
type Condition = (one: Candidate, conditions: IssueConditions, range: Range) => boolean

const CONDITIONS: readonly Condition[] = [
  isOfProject,
  hasStatus,
  hasTexts,
  hasLevel,
  hasFields,
  hasCounts,
  hasTimes,
  hasTags,
  hasAssignee,
  hasPriority,
  hasMarks,
  hasLink,
  isNamed,
]

function meets(one: Candidate, conditions: IssueConditions, range: Range): boolean {
  if (!CONDITIONS.every((isMet) => isMet(one, conditions, range))) return false
  return conditions.either.every((choices) => choices.some((choice) => meets(one, choice, range)))
}

/** An issue whose last event lies beyond the range is asked for its hours. */
function isInRange({ issue, groups }: Candidate, range: Range): boolean {
  const { startMs, endMs } = range
  if (issue.lastSeenMs < startMs || issue.firstSeenMs >= endMs) return false
  return issue.lastSeenMs < endMs || hoursInRange(groups, range).length > 0
}

/** Exact where the issue lies inside the range; otherwise the hours at both ends count whole. */
function countInRange({ issue, groups }: Candidate, range: Range): number {
  const isInside = issue.firstSeenMs >= range.startMs && issue.lastSeenMs < range.endMs
  return isInside ? issue.eventCount : sumOver(hoursInRange(groups, range), ([, count]) => count)
}

function hoursInRange(groups: readonly GroupRow[], range: Range): readonly (readonly [number, number])[] {
  const { startHour, endHour } = hoursOfRange(range)
  return groups.flatMap(({ hours }) => [...hours].filter(([hour]) => hour >= startHour && hour < endHour))
}

function isOfProject({ issue }: Candidate, { projects }: IssueConditions): boolean {
  return projects === null || projects.includes(issue.projectId)
}

function hasStatus({ issue }: Candidate, { status, substatus }: IssueConditions): boolean {
  if (status !== null && !status.includes(issue.status)) return false
  return substatus === null || (issue.substatus !== null && substatus.includes(issue.substatus))
}

function hasTexts({ issue }: Candidate, { text }: IssueConditions): boolean {
  const whole = issueText(issue)
  return text.every(({ value, negated }) => {
    const folded = foldText(value)
    if (folded === '') return true
    const isFound = hasWildcard(folded) ? matchesPattern(`*${folded}*`, whole) : whole.includes(folded)
    return isFound !== negated
  })
}

/** Any of the levels asked for, and none of the levels ruled out. */
function hasLevel({ issue }: Candidate, { levels }: IssueConditions): boolean {
  const wanted = levels.filter(({ negated }) => !negated)
  if (wanted.length > 0 && !wanted.some(({ value }) => value === issue.level)) return false
  return !levels.some(({ value, negated }) => negated && value === issue.level)
}

function hasFields({ issue }: Candidate, { fields }: IssueConditions): boolean {
  const meets = (field: IssueField, value: WantedValue) => {
    const own = issue[field]
    if (own === null) return false
    if (typeof value === 'string') return matchesPattern(foldAscii(value), foldAscii(own))
    return isAmong(value, issue.projectId, own)
  }
  const wanted = fields.filter(({ negated }) => !negated)
  return (
    wanted.every(({ field }) => wanted.some((one) => one.field === field && meets(field, one.value))) &&
    !fields.some(({ field, value, negated }) => negated && meets(field, value))
  )
}

function hasCounts(one: Candidate, { counts }: IssueConditions, range: Range): boolean {
  return counts.every(({ of, least, most, negated }) => {
    const count = of === 'events' ? countInRange(one, range) : one.issue.users.count
    return (count >= least && count <= most) !== negated
  })
}

function hasTimes({ issue }: Candidate, { times }: IssueConditions): boolean {
  return times.every(({ of, fromMs, untilMs, negated }) => {
    const atMs = of === 'firstSeen' ? issue.firstSeenMs : issue.lastSeenMs
    return ((fromMs === null || atMs >= fromMs) && (untilMs === null || atMs < untilMs)) !== negated
  })
}

/**
 * A condition asks for an event that meets it: `environment:production` for one of production within the range,
 * `!environment:production` for one that is not of production, as counts tell. Conditions are met one by one.
 */
function hasTags({ issue, groups, open }: Candidate, { tags }: IssueConditions, range: Range): boolean {
  const { startMs, endMs } = range
  const isInside = issue.firstSeenMs >= startMs && issue.lastSeenMs < endMs
  return tags.every((tag) => {
    const kept = (tag.negated ? groups : open).flatMap((group) => [
      ...(group.tags.keys.get(tag.key)?.values ?? []),
    ])
    const matching = kept.filter(([value]) => hasValue(tag, issue.projectId, value)).map(([, seen]) => seen)
    if (!tag.negated)
      return matching.some(({ firstMs, lastMs }) => isInside || (lastMs >= startMs && firstMs < endMs))
    const others = sumOver(groups, (group) => group.tags.keys.get(tag.key)?.other ?? 0)
    const carrying = sumOver(matching, ({ count }) => count) + (isPresence(tag) ? others : 0)
    return carrying < issue.eventCount
  })
}

function isPresence({ value }: TagCondition): boolean {
  return value === null || value === '*'
}

function hasValue(tag: TagCondition, project: ProjectId, value: string): boolean {
  if (tag.value === null || isPresence(tag)) return true
  return typeof tag.value === 'string' ? matchesPattern(tag.value, value) : isAmong(tag.value, project, value)
}

function isAmong(values: readonly ValueOfProject[], project: ProjectId, value: string): boolean {
  return values.some((one) => one.projectId === project && one.value === value)
}

function ownersOf(of: Tables, id: IssueId): readonly Assignee[] {
  return (of.owners.get(id)?.owners ?? []).map(({ owner }) => owner)
}

function isLinked(of: Tables, id: IssueId): boolean {
  return of.trackerLinks.where(({ issueId }) => issueId === id).length > 0
}

function hasAssignee({ issue, owners }: Candidate, { assignees }: IssueConditions): boolean {
  const team = issue.assigneeTeam?.teamId ?? null
  const own = issue.assignee?.userId ?? null
  const isMet = ({ userIds, teamIds, orSuggested = false }: IssueConditions['assignees'][number]) => {
    if (team !== null) return teamIds.includes(team)
    if (own !== null || !orSuggested) return userIds.includes(own)
    const isNamed = (owner: Assignee) =>
      typeof owner === 'object' ? teamIds.includes(owner.team) : userIds.includes(owner)
    return userIds.includes(null) || owners.some(isNamed)
  }
  const wanted = assignees.filter(({ negated }) => !negated)
  if (wanted.length > 0 && !wanted.some(isMet)) return false
  return !assignees.some((one) => one.negated && isMet(one))
}

/** Any of the priorities asked for, and none of those ruled out. */
function hasPriority({ issue }: Candidate, { priorities }: IssueConditions): boolean {
  const wanted = priorities.filter(({ negated }) => !negated)
  if (wanted.length > 0 && !wanted.some(({ value }) => value === issue.priority)) return false
  return !priorities.some(({ value, negated }) => negated && value === issue.priority)
}

/** Nobody has marked an issue yet. */
function hasMarks({ marksOf }: Candidate, { marks }: IssueConditions): boolean {
  return marks.every(({ as, userId, negated }) => {
    const mark = marksOf(userId)
    const isMet = as === 'bookmarked' ? mark?.isBookmarked === true : isFollowing(mark?.subscription ?? null)
    return isMet !== negated
  })
}

function hasLink(one: Candidate, { links }: IssueConditions): boolean {
  return links.every(({ negated }) => one.isLinked !== negated)
}

function isNamed({ issue, groups }: Candidate, asked: IssueConditions): boolean {
  if (asked.issueIds !== null && !asked.issueIds.includes(issue.id)) return false
  if (asked.groups === null) return true
  return asked.groups.some(({ projectId, hash }) =>
    groups.some((group) => group.projectId === projectId && group.hash === hash),
  )
}
