/** Stores that a contract suite of the control ports is given. */
import assert from 'node:assert/strict'
import type { Clock } from '#base/clock.ts'
import type { Result } from '#base/result.ts'
import type { AccountsRead } from '#ports/accounts.ts'
import type { AgentClientsRead } from '#ports/agent-clients.ts'
import type { AlertsRead } from '#ports/alerts.ts'
import type { RetentionRead } from '#ports/care.ts'
import type { ChannelsRead } from '#ports/channels.ts'
import type { HealthRead } from '#ports/health.ts'
import type { InboxRead } from '#ports/inbox.ts'
import type { OutcomesRead, SystemRead } from '#ports/ingest.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { MessagesRead } from '#ports/messages.ts'
import type { NoticesRead } from '#ports/notices.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { ReleasesRead } from '#ports/releases.ts'
import type { RequestsRead } from '#ports/requests.ts'
import type { SecondFactorsRead } from '#ports/second-factors.ts'
import type { SingleSignOnRead } from '#ports/single-sign-on.ts'
import type { SkewRead } from '#ports/skew.ts'
import type { TrackersRead } from '#ports/trackers.ts'
import type { ControlChecks, ControlRetention } from '#store/embedded/care/stores/control.ts'
import type { TestControl } from '../../new-control.ts'

/** An empty control store: nothing set up. */
export interface ControlStores {
  readonly write: Omit<TestControl, 'close'>
  readonly read: AccountsRead &
    SecondFactorsRead &
    ProjectsRead &
    IssuesRead &
    NoticesRead &
    InboxRead &
    AlertsRead &
    ChannelsRead &
    MessagesRead &
    TrackersRead &
    ReleasesRead &
    HealthRead &
    RequestsRead &
    SkewRead &
    OutcomesRead &
    SystemRead &
    RetentionRead &
    SingleSignOnRead &
    AgentClientsRead &
    ControlChecks
  close(): Promise<void>
}

export type ControlFactory = (clock: Clock) => Promise<ControlStores>

/** Removes all that has reached its age, as upkeep does between batches; answers the number of turns. */
export async function removeAllAged(
  { write }: { readonly write: Pick<ControlRetention, 'removeAged'> },
  clock: Clock,
): Promise<number> {
  let turns = 1
  for (let place = await write.removeAged(null, clock.now()); place !== null; turns++)
    place = await write.removeAged(place, clock.now())
  return turns
}

/** The value of what must not have been refused. */
export function value<T>(result: Result<T>): T {
  assert.ok(result.ok, result.ok ? '' : `refused: ${result.code} ${result.message}`)
  return result.value
}

export function refusal<T>(result: Result<T>): string {
  assert.ok(!result.ok, 'was not refused')
  return result.code
}
