/**
 * Consequences when an issue is back by itself: by events that came for it, and where it takes in another that had gone on
 * unnoticed. Alert rules hear of the first by `alerts/rules/watch.ts`, followers once the batch's issues are settled.
 */
import type { IssueId } from '#base/ids.ts'
import type { IssueChanged } from '#ports/issue-rows.ts'
import { type Joining, stateOnceJoined } from '../issue-joining.ts'
import type { Transition } from '../issue-transition.ts'

/**
 * Returns what follows when new events change an issue's state. `null`: it stays as it was. The state itself goes with
 * the issue's numbers.
 */
export function whatFollowsEvents(id: IssueId, { activity }: Transition): IssueChanged | null {
  return activity === null ? null : { id, note: { ...activity, actor: null } }
}

/** Nothing where the state stays. Whoever followed either of them was told of that one's events. */
export function whatFollowsJoining(
  joining: Joining,
  seen: { readonly lastSeenMs: number; readonly atMs: number },
): readonly IssueChanged[] {
  const step = stateOnceJoined(joining, seen)
  if (step === null) return []
  const { state, kind, detail } = step
  return [{ id: joining.into.id, state, note: { kind, atMs: seen.atMs, actor: null, detail } }]
}
