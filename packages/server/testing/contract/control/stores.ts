/** What a contract suite of the control ports is given. */
import assert from 'node:assert/strict'
import type { Clock } from '#base/clock.ts'
import type { Result } from '#base/result.ts'
import type { AccountsRead, AccountsWrite } from '#ports/accounts.ts'
import type { AgentClientsRead, AgentClientsWrite } from '#ports/agent-clients.ts'
import type { AlertBeat, AlertsRead, AlertsWrite } from '#ports/alerts.ts'
import type { ChannelsRead } from '#ports/channels.ts'
import type { Control } from '#ports/control.ts'
import type { Deletions } from '#ports/deletions.ts'
import type { HealthRead } from '#ports/health.ts'
import type { InboxRead, InboxWrite } from '#ports/inbox.ts'
import type { ControlCommit, OutcomesRead, SystemRead } from '#ports/ingest.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { Jobs } from '#ports/jobs.ts'
import type { Letters } from '#ports/letters.ts'
import type { MessageQueue, MessagesRead } from '#ports/messages.ts'
import type { NoticeQueue, NoticesRead, NoticesWrite } from '#ports/notices.ts'
import type { ProjectsRead, ProjectsWrite } from '#ports/projects.ts'
import type { ReleasesRead, ReleasesWrite } from '#ports/releases.ts'
import type { RequestsRead } from '#ports/requests.ts'
import type { ControlRetention, RetentionRead } from '#ports/retention.ts'
import type { SecondFactorsRead, SecondFactorsWrite } from '#ports/second-factors.ts'
import type { SingleSignOnRead, SingleSignOnWrite } from '#ports/single-sign-on.ts'
import type { SkewRead } from '#ports/skew.ts'
import type { TrackerQueue, TrackersRead } from '#ports/trackers.ts'
import type { UpkeepRead } from '#ports/upkeep.ts'
import type { IssueChanges } from '../../issue-changes.ts'
import type { TrackerChanges } from '../../tracker-changes.ts'

/** An empty control store: nothing set up. */
export interface ControlStores {
  readonly write: Control &
    AccountsWrite &
    SecondFactorsWrite &
    ProjectsWrite &
    IssueChanges &
    Deletions &
    NoticesWrite &
    InboxWrite &
    NoticeQueue &
    MessageQueue &
    TrackerChanges &
    TrackerQueue &
    Letters &
    AlertsWrite &
    AlertBeat &
    Jobs &
    ReleasesWrite &
    ControlRetention &
    SingleSignOnWrite &
    AgentClientsWrite &
    ControlCommit
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
    UpkeepRead
  close(): Promise<void>
}

export type ControlFactory = (clock: Clock) => Promise<ControlStores>

/** Removes all that has reached its age, as upkeep does between batches; answers the number of turns. */
export async function removeAged(
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
