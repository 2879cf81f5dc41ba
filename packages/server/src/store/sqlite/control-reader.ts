/** Reads of the control store on a read-only connection of its own: it sees what the writer has committed. */
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { AccountsRead } from '#ports/accounts.ts'
import type { AgentClientsRead } from '#ports/agent-clients.ts'
import type { AlertsRead } from '#ports/alerts.ts'
import type { AttachmentsRead } from '#ports/attachments.ts'
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
import type { ControlChecks } from '#store/embedded/care/stores/control.ts'
import { accountsRead } from './accounts/accounts-read.ts'
import { agentClientsRead } from './accounts/agent-clients.ts'
import { peopleRead } from './accounts/people-read.ts'
import { singleSignOnRead } from './accounts/providers-read.ts'
import { secondFactorsRead } from './accounts/second-factors-read.ts'
import { alertsRead } from './alerts/alerts-read.ts'
import { channelsRead } from './alerts/channels.ts'
import { messagesRead } from './alerts/messages-read.ts'
import { attachmentsRead } from './attachments/attachments.ts'
import { Connection, type OnDamage } from './connection.ts'
import { inboxRead } from './inbox/inbox.ts'
import { outcomesRead } from './ingest/outcomes-read.ts'
import { systemRead } from './ingest/system-read.ts'
import { issuesRead } from './issues/issues-read.ts'
import { requireMigrated } from './migrations.ts'
import { noticesRead } from './notices/notices-read.ts'
import { projectsRead } from './projects/projects-read.ts'
import { flagsRead } from './releases/flags-read.ts'
import { healthRead } from './releases/health-read.ts'
import { releaseAnswers } from './releases/release-answers.ts'
import { releasesRead } from './releases/releases-read.ts'
import { requestsRead } from './requests/requests-read.ts'
import { searchesRead } from './searches/searches.ts'
import { skewRead } from './skew/skew-read.ts'
import { trackerLinksRead } from './trackers/tracker-links.ts'
import { trackerLogRead } from './trackers/tracker-work.ts'
import { trackersOnlyRead } from './trackers/trackers.ts'
import { retentionRead } from './upkeep/retention-read.ts'
import { upkeepRead } from './upkeep/upkeep-read.ts'

export type ControlReader = AccountsRead &
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
  AttachmentsRead &
  SingleSignOnRead &
  AgentClientsRead &
  ControlChecks & { close(): Promise<void> }

export interface ControlReaderOptions {
  /** The database file; a writer must have created and migrated it. */
  readonly path: string
  /** Decides which issues are still new. */
  readonly clock: Clock
  readonly log: Log
  readonly onDamage?: OnDamage
  /** Bytes that the connection keeps of the file; without it as many as `Connection` says. */
  readonly cacheBytes?: number | undefined
}

/** Throws when the file is absent or has another schema than this version's. */
export function openControlReader({
  path,
  clock,
  onDamage,
  cacheBytes,
}: ControlReaderOptions): ControlReader {
  const db = Connection.openReader(path, onDamage, cacheBytes)
  try {
    requireMigrated(db)
  } catch (cause) {
    db.close()
    throw cause
  }
  return {
    ...accountsRead(db),
    ...peopleRead(db),
    ...searchesRead(db),
    ...secondFactorsRead(db),
    ...projectsRead(db),
    ...issuesRead(db, clock),
    ...noticesRead(db),
    ...inboxRead(db),
    ...alertsRead(db),
    ...channelsRead(db),
    ...messagesRead(db),
    ...trackersOnlyRead(db),
    ...trackerLinksRead(db),
    ...trackerLogRead(db),
    ...releasesRead(db),
    ...releaseAnswers(db),
    ...flagsRead(db),
    ...healthRead(db),
    ...requestsRead(db),
    ...skewRead(db),
    ...outcomesRead(db),
    ...systemRead(db),
    ...retentionRead(db),
    ...attachmentsRead(db),
    ...upkeepRead(db),
    ...singleSignOnRead(db),
    ...agentClientsRead(db),
    close: async () => db.close(),
  }
}
