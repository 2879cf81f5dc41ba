/**
 * A second control store, of plain maps: a sketch that proves what a database has to do and what it need not. It passes
 * the same contract suites as SQLite, and decides nothing: every rule is a pure function that both call.
 */
import type { Clock } from '#base/clock.ts'
import type { ControlStores } from '../contract/control/stores.ts'
import { accountsRead } from './accounts/accounts-read.ts'
import { agentClientsRead, agentClientsWrite } from './accounts/agent-clients.ts'
import { invitationsWrite } from './accounts/invitations-write.ts'
import { letters } from './accounts/letters.ts'
import { organisationsWrite } from './accounts/organisations-write.ts'
import { secondFactorsRead, secondFactorsWrite } from './accounts/second-factors.ts'
import { profilesWrite, sessionsWrite } from './accounts/sessions-write.ts'
import { singleSignOnRead } from './accounts/single-sign-on.ts'
import { singleSignOnWrite } from './accounts/single-sign-on-write.ts'
import { teamsWrite } from './accounts/teams-write.ts'
import { tokensWrite } from './accounts/tokens-write.ts'
import { alertBeat } from './alerts/alert-beat.ts'
import { alertsRead, alertsWrite } from './alerts/alerts.ts'
import { channelsRead, channelsWrite } from './alerts/channels.ts'
import { messageQueue, messagesRead } from './alerts/message-queue.ts'
import { controlCommit } from './ingest/apply-batch.ts'
import { outcomesRead, systemRead } from './ingest/outcomes.ts'
import { issuesRead } from './issues/issues-read.ts'
import { issuesWrite } from './issues/issues-write.ts'
import { jobs } from './jobs/jobs.ts'
import { noticeQueue } from './notices/notice-deliveries.ts'
import { noticesRead } from './notices/notices-read.ts'
import { noticesWrite } from './notices/notices-write.ts'
import { projectsRead } from './projects/projects-read.ts'
import { projectsWrite } from './projects/projects-write.ts'
import { healthRead } from './releases/health.ts'
import { releasesRead } from './releases/releases-read.ts'
import { releasesWrite } from './releases/releases-write.ts'
import { requestsRead } from './requests/requests-read.ts'
import { searchesWrite } from './searches/searches.ts'
import { skewRead } from './skew/skew-read.ts'
import { Tables } from './tables.ts'
import { trackerLinksRead, trackerLinksWrite } from './trackers/tracker-links.ts'
import { trackerLogRead, trackerQueue } from './trackers/tracker-work.ts'
import { trackersOnlyRead, trackersOnlyWrite } from './trackers/trackers.ts'
import { retentionRead, retentionWrite } from './upkeep/retention.ts'
import { upkeepRead } from './upkeep/upkeep-read.ts'

export function memoryControlStores(clock: Clock): ControlStores {
  const tables = new Tables()
  return {
    write: {
      ...organisationsWrite(tables),
      ...teamsWrite(tables),
      ...tokensWrite(tables),
      ...searchesWrite(tables),
      ...sessionsWrite(tables),
      ...profilesWrite(tables),
      ...secondFactorsWrite(tables),
      ...invitationsWrite(tables),
      ...projectsWrite(tables),
      ...issuesWrite(tables),
      ...noticesWrite(tables),
      ...noticeQueue(tables),
      ...channelsWrite(tables),
      ...messageQueue(tables),
      ...trackersOnlyWrite(tables),
      ...trackerLinksWrite(tables),
      ...trackerQueue(tables),
      ...letters(tables),
      ...alertsWrite(tables),
      ...alertBeat(tables),
      ...controlCommit(tables, clock),
      ...jobs(tables),
      ...releasesWrite(tables),
      ...retentionWrite(tables),
      ...singleSignOnWrite(tables),
      ...agentClientsWrite(tables),
    },
    read: {
      ...accountsRead(tables),
      ...secondFactorsRead(tables),
      ...projectsRead(tables),
      ...issuesRead(tables, clock),
      ...noticesRead(tables),
      ...alertsRead(tables),
      ...channelsRead(tables),
      ...messagesRead(tables),
      ...trackersOnlyRead(tables),
      ...trackerLinksRead(tables),
      ...trackerLogRead(tables),
      ...releasesRead(tables),
      ...healthRead(tables),
      ...requestsRead(tables),
      ...skewRead(tables),
      ...outcomesRead(tables),
      ...systemRead(tables),
      ...retentionRead(tables),
      ...upkeepRead(tables),
      ...singleSignOnRead(tables),
      ...agentClientsRead(tables),
    },
    close: async () => {},
  }
}
