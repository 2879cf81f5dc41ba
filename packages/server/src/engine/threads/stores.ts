/** Typed stand-ins for what the two store threads hold. */
import type { CommittedBatch } from '#commit/commit.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { AccountsRead, AccountsWrite } from '#ports/accounts.ts'
import type { BlobStore } from '#ports/blobs.ts'
import type { AppliedBatch, OutcomesRead, SystemRead } from '#ports/ingest.ts'
import type { IssuesRead, IssuesWrite } from '#ports/issues.ts'
import type { Jobs } from '#ports/jobs.ts'
import type { NoticeQueue, NoticesRead, NoticesWrite } from '#ports/notices.ts'
import type { ProjectsRead, ProjectsWrite } from '#ports/projects.ts'
import type { RetentionRead, TelemetryUpkeep } from '#ports/retention.ts'
import type { EventIds, EventReads, PayloadSegments, TelemetryStore } from '#ports/telemetry.ts'
import type { PackedBatch } from '#process/transfer.ts'
import type { Retention } from '#upkeep/retention/types.ts'
import type { EngineThread } from './engine-thread.ts'

export type Stores = ReturnType<typeof storesOf>

/** Writes wait as long as they take; reads have a time limit. */
export function storesOf(commitThread: EngineThread, readThread: EngineThread) {
  const write = <T extends object>(name: string) => commitThread.port<T>(name, null)
  const issueDeletion = write<Pick<IssuesWrite, 'deleteIssues'>>('issueDeletion')
  const projectDeletion = write<Pick<ProjectsWrite, 'deleteProject'>>('projectDeletion')
  const control = write<AccountsWrite & ProjectsWrite & IssuesWrite & NoticesWrite & NoticeQueue>('control')
  const noticesWrite: NoticesWrite & NoticeQueue = control
  return {
    accounts: readThread.port<AccountsRead>('control'),
    projects: readThread.port<ProjectsRead>('control'),
    issues: readThread.port<IssuesRead>('control'),
    notices: readThread.port<NoticesRead>('control'),
    noticesWrite,
    outcomes: readThread.port<OutcomesRead>('control'),
    system: readThread.port<SystemRead & RetentionRead>('control'),
    accountsWrite: control as AccountsWrite, // one object on the other side implements all three
    projectsWrite: withMethods<ProjectsWrite>(control, { deleteProject: projectDeletion.deleteProject }),
    issuesWrite: withMethods<IssuesWrite>(control, { deleteIssues: issueDeletion.deleteIssues }),
    jobs: write<Jobs>('control'),
    commit: write<{
      recover(): Promise<AppliedBatch['appliedSeq']>
      commit(packed: PackedBatch): Promise<CommittedBatch>
      removeOldQuarantine(): Promise<void>
    }>('commit'),
    retention: write<Omit<Retention, 'start' | 'close'>>('retention'),
    telemetry: commitThread.port<
      TelemetryStore & EventReads<EventRow> & Pick<TelemetryUpkeep, 'personEvents'>
    >('telemetry'),
    payloads: commitThread.port<PayloadSegments>('payloads'),
    eventIds: commitThread.port<Pick<EventIds, 'find'>>('eventIds'),
    blobs: commitThread.port<BlobStore>('blobs'),
  }
}

/** A remote stand-in with some methods replaced. */
export function withMethods<T extends object>(base: T, methods: Partial<T>): T {
  return new Proxy(base, {
    get: (target, name, receiver) => Reflect.get(name in methods ? methods : target, name, receiver),
  })
}
