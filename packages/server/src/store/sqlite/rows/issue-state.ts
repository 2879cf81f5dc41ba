/** Encodes an issue's state as its row says it. */
import type { IssueState } from '#ports/issue-rows.ts'

export function stateParams(state: IssueState) {
  const { archivedEventsLeft, archivedUsersAt, archivedUntilMs, status, substatus, statusChangedMs } = state
  const resolvedIn = state.resolvedIn === null ? null : JSON.stringify(state.resolvedIn)
  const conditions = { archivedEventsLeft, archivedUsersAt, archivedUntilMs, resolvedIn }
  return { status, substatus, ...conditions, statusChangedMs }
}
