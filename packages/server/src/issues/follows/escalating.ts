/** Consequences when an issue exceeds the forecast of its own past week. Rules that fire for it are told beside. */
import type { IssueId } from '#base/ids.ts'
import type { IssueChanged } from '#ports/issue-rows.ts'
import { UNCONDITIONAL } from '../issue-transition.ts'

export function whatFollowsEscalating(
  id: IssueId,
  { atMs, ...detail }: { readonly atMs: number; readonly events: number; readonly forecast: number },
): IssueChanged {
  const statusChangedMs = Math.floor(atMs)
  return {
    id,
    state: { status: 'unresolved', substatus: 'escalating', ...UNCONDITIONAL, statusChangedMs },
    note: { kind: 'escalated', atMs: statusChangedMs, actor: null, detail },
    // Its project may have no other issue that waits to escalate.
    changesEscalation: true,
  }
}
