/**
 * Which changes of issues cause notices, by a project's preset rules: those beyond their bounds become numbers of one
 * summary an hour.
 */
import { HOUR_MS } from '#base/durations.ts'
import type { IssueId, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { NoticeRest } from '#ports/notices.ts'
import { type PastTime, pastTime } from './past-time.ts'
import { BOUNDS, type PresetRule, type ToldKind } from './preset-rules.ts'

/** An issue that began, or came back by itself, and the rule that tells of it. */
export interface NoticeChange {
  readonly issueId: IssueId
  readonly projectId: ProjectId
  readonly kind: ToldKind
  /** When it happened, which may be long before it is told. */
  readonly atMs: number
  /** A mirror that stands alone: every event of it is the browser's half of a server failure. */
  readonly isMirror: boolean
  readonly rule: PresetRule
}

/** Kinds that take room of the hour. */
export const CHANGE_KINDS: readonly ToldKind[] = ['new', 'regressed', 'unarchived']

export function isMirror(issue: { readonly eventCount: number; readonly mirrorCount: number }): boolean {
  return issue.mirrorCount >= issue.eventCount
}

/** New ones first. */
export function changesByProject(
  changes: readonly NoticeChange[],
): ReadonlyMap<ProjectId, readonly NoticeChange[]> {
  const sorted = changes.toSorted((a, b) => Number(b.kind === 'new') - Number(a.kind === 'new'))
  return Map.groupBy(sorted, ({ projectId }) => projectId)
}

/**
 * The change is quiet when a notice of its issue that was not dropped lies in this time, and is counted with the newest
 * of them. `null`: it is told whatever was told before.
 */
export function quietTime({ rule: { quietMs } }: Pick<NoticeChange, 'rule'>, nowMs: number): PastTime | null {
  return quietMs === 0 ? null : pastTime(nowMs, quietMs)
}

/** How many are told one by one in which time; the store counts what was queued in each. */
export function boundsAt(nowMs: number): readonly { readonly most: number; readonly within: PastTime }[] {
  return BOUNDS.map(({ most, withinMs }) => ({ most, within: pastTime(nowMs, withinMs) }))
}

export interface NoticePlan {
  readonly queued: readonly NoticeChange[]
  /** Told in a summary. */
  readonly beyond: readonly NoticeChange[]
}

/** Plans changes; `queued`: how many were queued within each of `boundsAt`. */
export function planNotices(changes: readonly NoticeChange[], queued: readonly number[]): NoticePlan {
  const rooms = BOUNDS.map(({ most }, at) => most - (queued[at] ?? 0))
  const room = Math.max(0, Math.min(...rooms))
  return { queued: changes.slice(0, room), beyond: changes.slice(room) }
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
