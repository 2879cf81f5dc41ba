/**
 * Which changes of issues cause notices. At most `noticesPerMinuteMax` a project and minute and
 * `noticesPerHourMax` an hour; what is beyond them becomes
 * numbers of one summary an hour.
 */
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import type { IssueId, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { NoticeKind, NoticeRest, NoticeSettings } from '#ports/notices.ts'
import { type PastTime, pastTime } from './past-time.ts'

export interface NewIssue {
  readonly issueId: IssueId
  readonly projectId: ProjectId
  /** A mirror that stands alone: every event of it is the browser's half of a server failure. */
  readonly isMirror: boolean
}

/** An issue that began, or came back by itself. */
export interface NoticeChange extends NewIssue {
  readonly kind: Extract<NoticeKind, 'new' | 'regressed' | 'unarchived'>
}

/** Kinds that take room of the hour. */
export const CHANGE_KINDS: readonly NoticeChange['kind'][] = ['new', 'regressed', 'unarchived']

export function isMirror(issue: { readonly eventCount: number; readonly mirrorCount: number }): boolean {
  return issue.mirrorCount >= issue.eventCount
}

/** New ones first. */
export function changesByProject(
  begun: readonly NewIssue[],
  returned: readonly NoticeChange[],
): ReadonlyMap<ProjectId, readonly NoticeChange[]> {
  const byProject = new Map<ProjectId, NoticeChange[]>()
  const add = (change: NoticeChange) => {
    const list = byProject.get(change.projectId)
    if (list === undefined) byProject.set(change.projectId, [change])
    else list.push(change)
  }
  for (const issue of begun) add({ ...issue, kind: 'new' })
  for (const change of returned) add(change)
  return byProject
}

/** A project that tells nobody queues nothing. */
export function isTold({ mail, webhook }: Pick<NoticeSettings, 'mail' | 'webhook'>): boolean {
  return mail || webhook !== null
}

/**
 * The change is quiet when a notice of its issue that was not dropped lies in this time, and is counted with the newest
 * of them. `null`: it is told whatever was told before.
 */
export function quietTime(
  { kind }: Pick<NoticeChange, 'kind'>,
  { nowMs, quietHours }: { readonly nowMs: number; readonly quietHours: number },
): PastTime | null {
  return kind === 'new' || quietHours === 0 ? null : pastTime(nowMs, quietHours * HOUR_MS)
}

/** How many are told one by one in which time; the store counts what was queued in each. */
export function boundsAt(nowMs: number): readonly { readonly most: number; readonly within: PastTime }[] {
  return [
    { most: max('noticesPerMinuteMax'), within: pastTime(nowMs, MINUTE_MS) },
    { most: max('noticesPerHourMax'), within: pastTime(nowMs, HOUR_MS) },
  ]
}

export interface NoticePlan {
  readonly queued: readonly (NoticeChange & { readonly dueMs: number })[]
  /** Told in a summary. */
  readonly beyond: readonly NoticeChange[]
}

/** Plans changes; `queued`: how many were queued within each of `boundsAt`. */
export function planNotices(
  changes: readonly NoticeChange[],
  nowMs: number,
  queued: readonly number[],
): NoticePlan {
  const rooms = boundsAt(nowMs).map(({ most }, at) => most - (queued[at] ?? 0))
  const room = Math.max(0, Math.min(...rooms))
  return {
    queued: changes.slice(0, room).map((change) => ({ ...change, dueMs: nowMs })),
    beyond: changes.slice(room),
  }
}

/** Returns what a summary says about the rest. */
export function restOf(changes: readonly NoticeChange[]): NoticeRest {
  const echoIssues = changes.filter((change) => change.isMirror).length
  const newIssues = changes.filter((change) => change.kind === 'new' && !change.isMirror).length
  return { newIssues, returnedIssues: changes.length - newIssues - echoIssues, echoIssues }
}

/** The newest summary in this time is the one before. */
export function timeOfSummaries(nowMs: number): PastTime {
  return pastTime(nowMs, 2 * HOUR_MS)
}

/**
 * When a new summary is due: a few minutes after what it begins with, and an hour after the one before began. `null`:
 * that one waits still and takes more in.
 */
export function summaryDueMs(
  before: { readonly atMs: number; readonly dueMs: number | null } | null,
  nowMs: number,
): number | null {
  const soonMs = nowMs + max('noticeSummaryWaitMs')
  if (before === null) return soonMs
  return before.dueMs === null ? Math.max(soonMs, before.atMs + HOUR_MS) : null
}
