/**
 * Changes an issue's state by events. People’s changes are in `issue-changes.ts`.
 *
 *     (first event) ──▶ unresolved/new ──7 days──▶ ongoing (in reads)
 *     resolved ──event that happened after──▶ unresolved/regressed
 *     resolved in a release ──event of that one or a later──▶ the same
 *     resolved in the next release ──event of a later one──▶ the same
 *     archived until n more ──n real events──▶ unresolved/ongoing
 *     archived until n more users ──the n-th──▶ the same
 *     archived until a time ──first real event after it, or `unarchiveDue`──▶ the same
 *     archived for ever ──▶ stays
 *     archived until it escalates ──the alert beat, see `alerts/rules/forecast.ts`──▶ unresolved/escalating
 */

import type { Arrival } from '#ports/ingest.ts'
import type { IssueState } from '#ports/issue-rows.ts'
import type { ActivityKind } from '#ports/issues.ts'
import { bringsBack } from './resolution.ts'

/** Neither archived until something, nor resolved in something. */
export const UNCONDITIONAL = {
  archivedEventsLeft: null,
  archivedUsersAt: null,
  archivedUntilMs: null,
  resolvedIn: null,
} as const

export interface Transition {
  readonly state: IssueState
  /** `null`: at most the countdown of an archived issue moved. */
  readonly activity: {
    readonly kind: Extract<ActivityKind, 'regressed' | 'unarchived'>
    readonly atMs: number
    readonly detail: Readonly<Record<string, string | null>>
  } | null
}

/** Additions of a batch to an issue. */
export interface Arrived {
  /** Events of an issue that they can change, see `canComeBack`; none are looked at of another. */
  readonly arrivals: readonly Arrival[]
  readonly users: number
  /** Times of the releases that the events name, if the issue is resolved in one: see `namesReleases`. */
  readonly releasedMs: ReadonlyMap<string, number>
}

/** True if events can change the state: it is resolved, or archived until something that events bring. */
export function canComeBack({ status, substatus }: Pick<IssueState, 'status' | 'substatus'>): boolean {
  const isHeld = substatus === 'archived_forever' || substatus === 'archived_until_escalating'
  return status !== 'unresolved' && !isHeld
}

/** True if what brings the issue back depends on the times of releases. */
export function namesReleases({ status, resolvedIn }: Pick<IssueState, 'status' | 'resolvedIn'>): boolean {
  return status === 'resolved' && resolvedIn !== null && resolvedIn.how !== 'commit'
}

/**
 * The state after the events; `users` as they are with them. Events that happened
 * before the last change (from an offline cache or a queue, say) change nothing, however late they are received. Mirrors are
 * echoes: they bring a resolved issue back, but do not count towards "so many more events".
 */
export function transition(state: IssueState, { arrivals, users, releasedMs }: Arrived): Transition {
  if (!canComeBack(state)) return { state, activity: null }
  const after = arrivals
    .filter(({ happenedMs }) => happenedMs > state.statusChangedMs)
    .sort((a, b) => a.receivedMs - b.receivedMs)
  if (state.status === 'resolved') {
    const isBack = (event: Arrival) => bringsBack(state.resolvedIn, event, releasedMs)
    return comeBack(state, after.find(isBack), 'regressed')
  }
  const real = after.filter(({ isMirror }) => !isMirror)
  const { archivedEventsLeft: left, archivedUsersAt: usersAt, archivedUntilMs: untilMs } = state
  const ends = [
    left === null ? undefined : real[left - 1],
    untilMs === null ? undefined : real.find(({ receivedMs }) => receivedMs >= untilMs),
    usersAt === null || users < usersAt ? undefined : real.at(-1),
  ].filter((event) => event !== undefined)
  const [first] = ends.sort((a, b) => a.receivedMs - b.receivedMs)
  if (first !== undefined) return comeBack(state, first, 'unarchived')
  const counted = left === null ? state : { ...state, archivedEventsLeft: left - real.length }
  return { state: counted, activity: null }
}

function comeBack(
  state: IssueState,
  event: Arrival | undefined,
  kind: 'regressed' | 'unarchived',
): Transition {
  if (event === undefined) return { state, activity: null }
  const { receivedMs, eventId, release, traceId } = event
  const atMs = Math.floor(receivedMs)
  return {
    state: {
      status: 'unresolved',
      substatus: kind === 'regressed' ? 'regressed' : 'ongoing',
      ...UNCONDITIONAL,
      statusChangedMs: atMs,
    },
    activity: { kind, atMs, detail: { eventId, release, traceId } },
  }
}
