/** Merging: which issues may become one, and what that one is then. Its counts are the sums over its groups. */
import type { IssueId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { ChosenIssue, MergedBefore, OwnedGroup } from '#ports/issue-rows.ts'
import type { Activity } from '#ports/issues.ts'
import type { HourCount } from './issue-sums.ts'
import { reasonDetail } from './unmerging.ts'

/** `target` keeps its state, number and assignee; `merged` give their groups to it. */
export interface Merging {
  readonly target: ChosenIssue
  readonly merged: readonly ChosenIssue[]
}

/** Plans merging the issues that were found. */
export function mergingOf(chosen: readonly ChosenIssue[], into: IssueId): Result<Merging> {
  const target = chosen.find(({ id }) => id === into)
  if (target === undefined) return refuse('not_found', 'The issue to merge into does not exist.')
  const merged = chosen.filter(({ id }) => id !== into)
  if (merged.every(({ projectId }) => projectId === target.projectId)) return ok({ target, merged })
  return refuse('invalid_input', 'Only issues of one project can be merged.', {
    ids: ['All must belong to one project.'],
  })
}

/** Refuses a merge of more groups than an issue may have. `groups`: of all the issues together. */
export function refuseGroups(groups: number): Refusal | null {
  const most = max('groupsPerIssueMax')
  if (groups <= most) return null
  return refuse('conflict', `An issue owns at most ${most} groups; these have ${groups}.`)
}

/** Returns the record for the issue that is left. */
export function mergedDetail(
  merged: readonly Pick<ChosenIssue, 'shortId'>[],
  reason: string | null = null,
): Activity['detail'] {
  const issues = merged.map(({ shortId }) => shortId).join(', ')
  return { issues, count: merged.length, ...reasonDetail(reason) }
}

/** Only events of the same hour of receipt count together. */
export function mergedWindow(a: HourCount, b: HourCount): HourCount {
  if (a.hour !== b.hour) return a.hour > b.hour ? a : b
  return { hour: a.hour, events: a.events + b.events }
}

/** Windows of a merge: of the issue that took the others in, and theirs. */
export interface WindowsOfMerge {
  readonly before: HourCount
  readonly others: readonly HourCount[]
}

/**
 * Returns the window after undoing a merge. Events since then stay with the issue that took the others in:
 * nothing tells whose they were.
 */
export function windowAfterUndo(now: HourCount, { before, others }: WindowsOfMerge): HourCount {
  const merged = others.reduce(mergedWindow, before)
  if (now.hour !== merged.hour) return now
  const since = now.events - merged.events
  const own = before.hour === now.hour ? before.events : 0
  return since === 0 ? before : { hour: now.hour, events: own + since }
}

/**
 * Groups that say what the issue is called, its routes and its releases, newest first: those of the server where it has
 * mirrors too.
 */
export function ownGroups<
  T extends { readonly factsMs: number; readonly id: number; readonly isFolded: boolean },
>(groups: readonly T[]): readonly T[] {
  const own = groups.filter(({ isFolded }) => !isFolded)
  return (own.length === 0 ? groups : own).toSorted(byNewestFacts)
}

/**
 * Groups in the order in which their sums are added and the first says what the issue is called: by their newest
 * events.
 */
export function byNewestFacts(
  a: { readonly factsMs: number; readonly id: number },
  b: { readonly factsMs: number; readonly id: number },
): number {
  return b.factsMs - a.factsMs || a.id - b.id
}

/** From when on a merge can be taken back. */
export function oldestMergeMs(atMs: number): number {
  return Math.floor(atMs) - max('mergeUndoMs')
}

/** True while every group that came is there yet, and one that did not. */
export function isStillThere(
  { issues }: Pick<MergedBefore, 'issues'>,
  owned: readonly Pick<OwnedGroup, 'id' | 'foldedInto'>[],
): boolean {
  const came = new Set(issues.flatMap(({ groups }) => groups))
  const there = owned.filter(({ id }) => came.has(id)).length
  const others = owned.some(
    ({ id, foldedInto }) => !came.has(id) && (foldedInto === null || !came.has(foldedInto)),
  )
  return there === came.size && others
}
