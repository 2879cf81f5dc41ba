/** What /system and /health say of the running engine. */
import { statfs } from 'node:fs/promises'
import { type GaugeName, type Overload, overloadText } from '#accept/overload.ts'
import { readBackupStatus } from '#backup/backup.ts'
import { seq } from '#base/ids.ts'
import type { Settings } from '#base/settings.ts'
import type { Journal } from '#journal/writer.ts'
import { fileStem } from '#ports/file-name.ts'
import type { IngestDirectory } from '#ports/projects.ts'
import type { RetentionOverview } from '#ports/retention.ts'
import type { SystemFacts } from '#queries/system.ts'
import type { Stores } from './engine-stores.ts'
import type { EngineThread } from './engine-thread.ts'

export interface SystemParts {
  readonly settings: Settings
  readonly version: string
  readonly stores: Pick<Stores, 'telemetry' | 'payloads' | 'retention'>
  readonly state: {
    readonly url: string
    readonly appliedSeq: number
    readonly directory: IngestDirectory
  }
  readonly overload: Pick<Overload, 'view'>
  readonly journal: Pick<Journal, 'backlog' | 'failing'>
  readonly dispatch: { failing(): string | null }
}

export async function systemFacts(parts: SystemParts): Promise<SystemFacts> {
  const { settings, version, stores, state, journal, dispatch } = parts
  const [disk, columnBytes, payloadBytes, lastBackup, retention] = await Promise.all([
    statfs(settings.data),
    stores.telemetry.bytes(),
    stores.payloads.bytes(),
    readBackupStatus(settings.data),
    stores.retention.overview(),
  ])
  const { directory, everyHours } = settings.backup
  const backlog = journal.backlog()
  return {
    version,
    node: process.version,
    startedMs: Date.now() - process.uptime() * 1_000,
    url: state.url,
    dataDirectory: settings.data,
    backlog,
    acceptingSeq: seq(state.appliedSeq + backlog.records),
    health: [
      filesHealth(retention),
      { name: 'journal', ok: journal.failing() === null, detail: journal.failing() ?? 'writes and syncs' },
      {
        name: 'commit',
        ok: dispatch.failing() === null,
        detail: dispatch.failing() ?? 'stores what was processed',
      },
    ],
    disk: {
      freeBytes: disk.bavail * disk.bsize,
      totalBytes: disk.blocks * disk.bsize,
      columnBytes,
      payloadBytes,
      journalBytes: backlog.bytes,
    },
    memoryBytes: process.memoryUsage.rss(),
    retention,
    ...pressureFacts(parts),
    backup: { last: lastBackup, schedule: directory === null ? null : { directory, everyHours } },
  }
}

const UNITS: Readonly<Record<GaugeName, 'bytes' | 'ms'>> = {
  backlog: 'bytes',
  backlog_age: 'ms',
  memory: 'bytes',
  disk: 'bytes',
}

/** The gauges, and the keys held back by the names that people know. */
function pressureFacts({
  overload,
  state: { directory },
}: Pick<SystemParts, 'overload' | 'state'>): Pick<SystemFacts, 'pressures' | 'heldBack'> {
  const { gauges, heldBack } = overload.view()
  const shown = heldBack.map(({ keyId, projectId, asked, allowed, refused }) => {
    const project = directory.projects.find(({ id }) => id === projectId)
    const organisation = directory.organisations.find(({ id }) => id === project?.orgId)
    const key = directory.keys.find(({ id }) => id === keyId)
    return {
      keyId,
      organisation: organisation?.slug ?? '',
      project: project?.slug ?? String(projectId),
      key: key?.name ?? String(keyId),
      ...{ askedBytes: Math.round(asked), allowedBytes: Math.round(allowed), refused },
    }
  })
  return { pressures: gauges.map((gauge) => ({ ...gauge, unit: UNITS[gauge.name] })), heldBack: shown }
}

/** Not ok where something is broken. An overload is none: whoever watches must not take reading away as well. */
function filesHealth({ missingColumns, missingPayloads }: RetentionOverview): SystemFacts['health'][number] {
  const said = [
    ...missingColumns.map(
      (file) => `columns of ${fileStem(file)} are missing or damaged: stop, run "errata rebuild", start`,
    ),
    ...missingPayloads.map((file) => `payloads of ${fileStem(file)} are missing`),
  ]
  return {
    name: 'files',
    ok: said.length === 0,
    detail: said.join('; ') || 'columns and payloads go together',
  }
}

export function healthOf(
  {
    journal,
    dispatch,
    overload,
  }: Pick<SystemParts, 'journal' | 'dispatch'> & {
    readonly overload: Pick<Overload, 'states'>
  },
  threads: readonly EngineThread[],
) {
  const ended = threads.find((thread) => thread.ended)
  const detail =
    journal.failing() ??
    dispatch.failing() ??
    (ended === undefined ? null : `the ${ended.name} thread has ended`)
  return { ok: detail === null, detail: detail ?? overloadText(overload.states()) ?? 'ok' }
}
