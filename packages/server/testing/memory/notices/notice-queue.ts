/** Queues notices within the commit's own transaction, as the rules plan them. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import { addedBy } from '#issues/issue-sums.ts'
import { max } from '#limits/limits.ts'
import { heldBackHour, oldestNoticeMs } from '#notices/rules/ages.ts'
import type { PastTime } from '#notices/rules/past-time.ts'
import {
  CHANGE_KINDS,
  changesByProject,
  isMirror,
  isTold,
  type NewIssue,
  type NoticeChange,
  planNotices,
  quietTime,
  restOf,
  summaryDueMs,
  timeOfSummaries,
} from '#notices/rules/queueing.ts'
import type { HeldBack, NoticeRest } from '#ports/notices.ts'
import { groupsOf } from '../rows/issue-view.ts'
import { deleteNotices, newestNoticeFirst, noticeSettings } from '../rows/notice-rows.ts'
import type { NoticeRow, Tables } from '../tables.ts'

export interface IssueChanges {
  readonly newIssues: readonly NewIssue[]
  /** Regressed, or back from the archive. */
  readonly returnedIssues: readonly IssueId[]
}

interface Place {
  readonly project: ProjectId
  readonly nowMs: number
}

/** Called once a batch, after the issues are written. */
export function queueNotices(to: Tables, nowMs: number, { newIssues, returnedIssues }: IssueChanges): void {
  const returned = returnedIssues.toSorted((a, b) => a - b).flatMap((id) => returnOf(to, id))
  for (const [project, changes] of changesByProject(newIssues, returned))
    queueOfProject(to, { project, nowMs }, changes)
}

function returnOf(of: Tables, issueId: IssueId): readonly NoticeChange[] {
  const issue = of.issues.get(issueId)
  if (issue === undefined) return []
  const kind = issue.substatus === 'regressed' ? 'regressed' : 'unarchived'
  return [{ issueId, projectId: issue.projectId, kind, isMirror: isMirror(addedBy(groupsOf(of, issueId))) }]
}

function queueOfProject(to: Tables, place: Place, changes: readonly NoticeChange[]): void {
  const { project, nowMs } = place
  const settings = noticeSettings(to, project)
  if (!isTold(settings)) return
  const loud = changes.filter((change) => {
    const quiet = quietTime(change, { nowMs, quietHours: settings.quietHours })
    return quiet === null || !holdBack(to, change.issueId, quiet)
  })
  const plan = planNotices(loud, nowMs, (time) => queuedIn(to, project, time))
  for (const { dueMs, ...change } of plan.queued) {
    const { kind, issueId } = change
    const issueNumber = to.issues.get(issueId)?.number ?? null
    insertNotice(to, place, { kind, issueId, issueNumber, isMirror: change.isMirror, dueMs })
  }
  addToSummary(to, place, plan.beyond)
  holdCount(to, place, { reason: 'quiet', count: changes.length - loud.length })
}

function isWithin({ atMs }: { readonly atMs: number }, { afterMs, untilMs }: PastTime): boolean {
  return atMs > afterMs && atMs <= untilMs
}

/** True, and noted on the notice that was told, when the issue is within its quiet hours. */
function holdBack(to: Tables, issue: IssueId, quiet: PastTime): boolean {
  const [told] = to.notices
    .where((row) => row.issueId === issue && row.dropped === null && isWithin(row, quiet))
    .sort(newestNoticeFirst)
  if (told === undefined) return false
  to.notices.change(told.id, { heldBack: told.heldBack + 1 })
  return true
}

function queuedIn(of: Tables, project: ProjectId, time: PastTime): number {
  const kinds: readonly string[] = CHANGE_KINDS
  return of.notices.where(
    (row) => row.projectId === project && kinds.includes(row.kind) && isWithin(row, time),
  ).length
}

const NO_REST: NoticeRest = { newIssues: 0, returnedIssues: 0, echoIssues: 0 }
const NO_ISSUE = { issueId: null, issueNumber: null, isMirror: false } as const

export function insertNotice(
  to: Tables,
  { project, nowMs }: Place,
  notice: Pick<NoticeRow, 'kind' | 'dueMs'> & Partial<NoticeRow>,
): number {
  const id = to.notices.nextId()
  const row = { ...NO_ISSUE, ...NO_REST, dropped: null, echoOf: null, heldBack: 0, ...notice }
  to.notices.put(id, { ...row, id, projectId: project, atMs: nowMs })
  return id
}

function addToSummary(to: Tables, place: Place, beyond: readonly NoticeChange[]): void {
  if (beyond.length === 0) return
  const { project, nowMs } = place
  const [before] = to.notices
    .where(
      (row) => row.projectId === project && row.kind === 'summary' && isWithin(row, timeOfSummaries(nowMs)),
    )
    .sort(newestNoticeFirst)
  const rest = restOf(beyond)
  const dueMs = summaryDueMs(before ?? null, nowMs)
  if (dueMs !== null) insertNotice(to, place, { kind: 'summary', dueMs, ...rest })
  else if (before !== undefined) to.notices.change(before.id, sumOfRests(before, rest))
  holdCount(to, place, { reason: 'summarised', count: beyond.length })
}

function sumOfRests(a: NoticeRest, b: NoticeRest): NoticeRest {
  return {
    newIssues: a.newIssues + b.newIssues,
    returnedIssues: a.returnedIssues + b.returnedIssues,
    echoIssues: a.echoIssues + b.echoIssues,
  }
}

export function holdCount(
  to: Tables,
  { project, nowMs }: Place,
  { reason, count }: { readonly reason: keyof HeldBack; readonly count: number },
): void {
  if (count === 0) return
  const hour = heldBackHour(nowMs)
  const key = `${project}:${hour}:${reason}`
  to.heldBack.put(key, {
    projectId: project,
    hour,
    reason,
    count: count + (to.heldBack.get(key)?.count ?? 0),
  })
}

/** What has reached its age or number, once a day. */
export function pruneNotices(to: Tables, nowMs: number): void {
  const oldestMs = oldestNoticeMs(nowMs)
  deleteNotices(to, ({ atMs }) => atMs < oldestMs)
  for (const project of new Set(to.notices.all().map(({ projectId }) => projectId))) {
    const ofProject = to.notices.where(({ projectId }) => projectId === project).sort(newestNoticeFirst)
    const beyond = new Set(ofProject.slice(max('noticesPerProjectMax')))
    deleteNotices(to, (row) => beyond.has(row))
  }
  to.heldBack.deleteWhere(({ hour }) => hour < heldBackHour(oldestMs))
}
