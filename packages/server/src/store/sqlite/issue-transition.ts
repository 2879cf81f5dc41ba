/**
 * What events do to an issue's state. People's changes are in `issues-write.ts`.
 *
 *     (first event) ──▶ unresolved/new ──7 days──▶ ongoing (in reads)
 *     resolved ──event received after──▶ unresolved/regressed
 *     archived until n more ──n real events──▶ unresolved/ongoing
 *     archived for ever ──▶ stays
 */

import type { Arrival } from '#ports/ingest.ts'
import type { ActivityKind, IssueStatus, IssueSubstatus } from '#ports/issues.ts'

export interface IssueState {
  readonly status: IssueStatus
  readonly substatus: IssueSubstatus
  readonly archivedEventsLeft: number | null
  readonly statusChangedMs: number
}

export interface Transition {
  readonly state: IssueState
  /** `null`: at most the countdown of an archived issue moved. */
  readonly activity: {
    readonly kind: Extract<ActivityKind, 'regressed' | 'unarchived'>
    readonly atMs: number
    readonly detail: Readonly<Record<string, string | null>>
  } | null
}

/**
 * The state after the events, which are asked for only where they can change it. Events received before the last change (a backlog, say) change nothing. Mirrors are
 * echoes: they bring a resolved issue back, but do not count towards "so many more events".
 */
export function transition(state: IssueState, arrivals: () => readonly Arrival[]): Transition {
  if (state.status === 'unresolved' || state.substatus === 'archived_forever')
    return { state, activity: null }
  const after = arrivals()
    .filter(({ receivedMs }) => receivedMs > state.statusChangedMs)
    .sort((a, b) => a.receivedMs - b.receivedMs)
  if (state.status === 'resolved') return comeBack(state, after[0], 'regressed')
  const real = after.filter(({ isMirror }) => !isMirror)
  const left = state.archivedEventsLeft
  if (left === null) return { state, activity: null }
  if (real.length < left) {
    return { state: { ...state, archivedEventsLeft: left - real.length }, activity: null }
  }
  return comeBack(state, real[left - 1], 'unarchived')
}

function comeBack(
  state: IssueState,
  event: Arrival | undefined,
  kind: 'regressed' | 'unarchived',
): Transition {
  if (event === undefined) return { state, activity: null }
  const { receivedMs, eventId, release } = event
  const atMs = Math.floor(receivedMs)
  return {
    state: {
      status: 'unresolved',
      substatus: kind === 'regressed' ? 'regressed' : 'ongoing',
      archivedEventsLeft: null,
      statusChangedMs: atMs,
    },
    activity: { kind, atMs, detail: { eventId, release } },
  }
}
