/** Typed stand-ins for what the two store threads hold. */
import type { Changes } from '#commands/changes.ts'
import type { CommittedBatch } from '#commit/commit.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { FragmentRow } from '#kinds/span/fields.ts'
import type { AccountsRead } from '#ports/accounts.ts'
import type { AgentClientsRead } from '#ports/agent-clients.ts'
import type { AlertBeat, AlertsRead } from '#ports/alerts.ts'
import type { AttachmentsRead } from '#ports/attachments.ts'
import type { BlobStore } from '#ports/blobs.ts'
import type { Care, RetentionRead } from '#ports/care.ts'
import type { ChannelsRead } from '#ports/channels.ts'
import type { Columns } from '#ports/columns.ts'
import type { HealthRead } from '#ports/health.ts'
import type { InboxRead } from '#ports/inbox.ts'
import type { AppliedBatch, OutcomesRead, SystemRead } from '#ports/ingest.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { Jobs } from '#ports/jobs.ts'
import type { Letters } from '#ports/letters.ts'
import type { MessagesRead } from '#ports/messages.ts'
import type { MissedMapCounts } from '#ports/missed-maps.ts'
import type { NoticeQueue, NoticesRead } from '#ports/notices.ts'
import type { Outbox } from '#ports/outbox.ts'
import type { PeopleReads } from '#ports/people.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { ReleasesRead } from '#ports/releases.ts'
import type { RequestsRead } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SecondFactorsRead } from '#ports/second-factors.ts'
import type { SingleSignOnRead } from '#ports/single-sign-on.ts'
import type { SkewRead } from '#ports/skew.ts'
import type {
  EventIds,
  EventReads,
  MissedMapsRead,
  PayloadSegments,
  TelemetryStore,
} from '#ports/telemetry.ts'
import type { TraceReads } from '#ports/traces.ts'
import type { TrackerQueue, TrackersRead } from '#ports/trackers.ts'
import type { ColumnWaits } from '#ports/waits.ts'
import type { PackedBatch } from '#process/transfer.ts'
import type { ReadAnswers } from '#queries/read-answers.ts'
import type { Regrouping } from '#queries/regrouping.ts'
import type { ColumnCare } from '#store/embedded/care/stores/columns.ts'
import type { PayloadCare } from '#store/embedded/care/stores/payloads.ts'
import type { EngineThread } from './engine-thread.ts'
import type { ReadThreads } from './read-threads.ts'

export type Stores = ReturnType<typeof storesOf>

/** Writes wait as long as they take; reads have a time limit. */
export function storesOf(commitThread: EngineThread, readThread: ReadThreads) {
  const write = <T extends object>(name: string) => commitThread.port<T>(name, null)
  return {
    accounts: readThread.port<AccountsRead>('control'),
    secondFactors: readThread.port<SecondFactorsRead>('control'),
    projects: readThread.port<ProjectsRead>('control'),
    issues: readThread.port<IssuesRead>('control'),
    notices: readThread.port<NoticesRead>('control'),
    inbox: readThread.port<InboxRead>('control'),
    alerts: readThread.port<AlertsRead>('control'),
    alertBeat: write<AlertBeat>('control'),
    outcomes: readThread.port<OutcomesRead>('control'),
    requests: readThread.port<RequestsRead>('control'),
    singleSignOn: readThread.port<SingleSignOnRead>('control'),
    agentClients: readThread.port<AgentClientsRead>('control'),
    regrouping: readThread.port<Regrouping>('regrouping'),
    answers: readThread.port<ReadAnswers>('answers'),
    skew: readThread.port<SkewRead>('control'),
    system: readThread.port<SystemRead & RetentionRead>('control'),
    releases: readThread.port<ReleasesRead>('control'),
    health: readThread.port<HealthRead>('control'),
    noticeQueue: write<NoticeQueue>('control'),
    changes: write<Changes>('changes'),
    jobs: write<Jobs>('control'),
    letters: write<Letters>('control'),
    channels: readThread.port<ChannelsRead>('control'),
    messages: readThread.port<MessagesRead>('control'),
    trackers: readThread.port<TrackersRead>('control'),
    trackerQueue: write<TrackerQueue>('control'),
    outbox: write<Outbox>('control'),
    commit: write<{
      recover(): Promise<AppliedBatch['appliedSeq']>
      appliedSeq(): Promise<AppliedBatch['appliedSeq']>
      appliedOverflow(): Promise<number>
      commit(packed: PackedBatch): Promise<CommittedBatch>
      removeOldQuarantine(): Promise<void>
    }>('commit'),
    care: write<Care>('care'),
    telemetry: commitThread.port<
      TelemetryStore &
        Columns &
        EventReads<EventRow> &
        TraceReads<FragmentRow> &
        PeopleReads &
        MissedMapsRead &
        MissedMapCounts &
        ColumnWaits &
        Pick<ColumnCare, 'fileBytes' | 'bytes' | 'verify'>
    >('telemetry'),
    payloads: commitThread.port<PayloadSegments & Pick<PayloadCare, 'fileBytes' | 'bytes' | 'verify'>>(
      'payloads',
    ),
    eventIds: commitThread.port<Pick<EventIds, 'find'>>('eventIds'),
    blobs: commitThread.port<BlobStore>('blobs'),
    attachments: readThread.port<AttachmentsRead>('control'),
    longQuestions: { waits: (scope: ReadScope) => readThread.waits(scope) },
  }
}
