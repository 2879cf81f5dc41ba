/** What /system and /health say of the running engine. */
import { statfs } from 'node:fs/promises'
import { readBackupStatus } from '#backup/backup.ts'
import { seq } from '#base/ids.ts'
import type { Settings } from '#base/settings.ts'
import type { Journal } from '#journal/writer.ts'
import type { SystemFacts } from '#queries/system.ts'
import type { Stores } from './engine-stores.ts'
import type { EngineThread } from './engine-thread.ts'

export interface SystemParts {
  readonly settings: Settings
  readonly version: string
  readonly stores: Pick<Stores, 'telemetry' | 'payloads'>
  readonly state: { readonly url: string; readonly appliedSeq: number }
  readonly journal: Pick<Journal, 'backlog' | 'failing'>
  readonly dispatch: { failing(): string | null }
}

export async function systemFacts(parts: SystemParts): Promise<SystemFacts> {
  const { settings, version, stores, state, journal, dispatch } = parts
  const [disk, columnBytes, payloadBytes, lastBackup] = await Promise.all([
    statfs(settings.data),
    stores.telemetry.bytes(),
    stores.payloads.bytes(),
    readBackupStatus(settings.data),
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
    backup: { last: lastBackup, schedule: directory === null ? null : { directory, everyHours } },
  }
}

export function healthOf(
  { journal, dispatch }: Pick<SystemParts, 'journal' | 'dispatch'>,
  threads: readonly EngineThread[],
) {
  const ended = threads.find((thread) => thread.ended)
  const detail =
    journal.failing() ??
    dispatch.failing() ??
    (ended === undefined ? null : `the ${ended.name} thread has ended`)
  return { ok: detail === null, detail: detail ?? 'ok' }
}
