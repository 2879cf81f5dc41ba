/** Facts about the running engine for /system and /metrics. */

import { statfs } from 'node:fs/promises'
import type { GaugeName, Overload } from '#accept/overload.ts'
import { bytesBelow } from '#base/directory-bytes.ts'
import { seq } from '#base/ids.ts'
import { type Known, PatientQuestion } from '#base/patient-question.ts'
import type { PublicAddress } from '#base/public-address.ts'
import type { Journal } from '#journal/writer.ts'
import { max } from '#limits/limits.ts'
import type { Settings } from '#limits/settings.ts'
import type { Notices } from '#notices/notices.ts'
import type { AttachmentsRead } from '#ports/attachments.ts'
import type { RetentionOverview } from '#ports/care.ts'
import type { IngestDirectory } from '#ports/projects.ts'
import type { SystemFacts } from '#queries/system.ts'
import { readBackupStatus } from '#store/embedded/care/backup/backup.ts'
import type { Verification } from '#store/embedded/care/verification/verification.ts'
import { journalPath } from '../directory/paths.ts'
import type { AcceptCrew } from '../threads/accept-crew.ts'
import { type HealthParts, partsHealth } from './health.ts'

export interface SystemFactsParts extends HealthParts {
  readonly settings: Pick<Settings, 'data' | 'backup' | 'smtp'>
  readonly notices: Pick<Notices, 'mail'>
  readonly publicAddress: Pick<PublicAddress, 'url'>
  readonly version: string
  readonly verification: Pick<Verification, 'damages' | 'progress'>
  readonly stores: {
    readonly telemetry: { bytes(): Promise<number> }
    readonly payloads: { bytes(): Promise<number> }
    readonly attachments: Pick<AttachmentsRead, 'attachmentTotals'>
    readonly care: { overview(): Promise<RetentionOverview> }
  }
  readonly state: {
    readonly appliedSeq: number
    readonly directory: IngestDirectory
  }
  readonly overload: Pick<Overload, 'view'>
  /** `null`: the main thread accepts alone. */
  readonly acceptThreads: Pick<AcceptCrew, 'size' | 'wanted' | 'running' | 'replaced' | 'socket'> | null
  readonly journal: Pick<Journal, 'backlog' | 'failing' | 'damage'>
  /** Time to wait for a thread or the disk; default `systemFactMs` of the limits. */
  readonly factMs?: number
}

/**
 * Creates the function that collects every fact. A stuck thread or disk leaves only its own facts unknown.
 */
export function createSystemFacts(parts: SystemFactsParts): () => Promise<SystemFacts> {
  const { settings, version, stores, state, journal } = parts
  const asked = <T>(ask: () => Promise<T>) => new PatientQuestion(ask, parts.factMs ?? max('systemFactMs'))
  const questions = {
    disk: asked(() => statfs(settings.data)),
    columnBytes: asked(() => stores.telemetry.bytes()),
    payloadBytes: asked(() => stores.payloads.bytes()),
    journalBytes: asked(() => bytesBelow(journalPath(settings.data))),
    attachments: asked(() => stores.attachments.attachmentTotals()),
    lastBackup: asked(() => readBackupStatus(settings.data)),
    retention: asked(() => stores.care.overview()),
  }
  return async () => {
    const [disk, columnBytes, payloadBytes, journalBytes, attachments, lastBackup, retention] =
      await Promise.all([
        questions.disk.answer(),
        questions.columnBytes.answer(),
        questions.payloadBytes.answer(),
        questions.journalBytes.answer(),
        questions.attachments.answer(),
        questions.lastBackup.answer(),
        questions.retention.answer(),
      ])
    const { directory, everyHours } = settings.backup
    const backlog = journal.backlog()
    return {
      version,
      node: process.version,
      startedMs: Math.round(performance.timeOrigin),
      url: parts.publicAddress.url,
      dataDirectory: settings.data,
      backlog,
      acceptingSeq: seq(state.appliedSeq + backlog.records),
      health: partsHealth(parts, retention),
      disk: {
        freeBytes: disk.isKnown ? disk.value.bavail * disk.value.bsize : null,
        totalBytes: disk.isKnown ? disk.value.blocks * disk.value.bsize : null,
        columnBytes: valueOrNull(columnBytes),
        payloadBytes: valueOrNull(payloadBytes),
        journalBytes: valueOrNull(journalBytes),
        attachments: valueOrNull(attachments),
      },
      memoryBytes: process.memoryUsage.rss(),
      acceptThreads: acceptFacts(parts),
      mail: mailFacts(parts),
      retention: valueOrNull(retention),
      verification: { damages: parts.verification.damages(), progress: parts.verification.progress() },
      ...pressureFacts(parts),
      backup: {
        last: lastBackup.isKnown ? lastBackup.value : 'unknown',
        schedule: directory === null ? null : { directory, everyHours },
      },
    }
  }
}

function acceptFacts({
  acceptThreads,
}: Pick<SystemFactsParts, 'acceptThreads'>): SystemFacts['acceptThreads'] {
  if (acceptThreads === null) return { count: 1, wanted: 1, apart: null }
  const { size, wanted, running, replaced, socket } = acceptThreads
  if (size === 0 || socket === null) return { count: 1, wanted, apart: null }
  return { count: size, wanted, apart: { running, replaced, socketRenewed: socket.renewed } }
}

function mailFacts({
  settings,
  notices,
}: Pick<SystemFactsParts, 'settings' | 'notices'>): SystemFacts['mail'] {
  const { smtp } = settings
  if (smtp === null) return null
  const { sent, failed } = notices.mail()
  return { server: `${smtp.host}:${smtp.port}`, from: smtp.from.address, sent, failed }
}

function valueOrNull<T>(answer: Known<T>): T | null {
  return answer.isKnown ? answer.value : null
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
}: Pick<SystemFactsParts, 'overload' | 'state'>): Pick<
  SystemFacts,
  'pressures' | 'heldBack' | 'heldBackKeys'
> {
  const { gauges, heldBack, heldBackKeys } = overload.view()
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
  const pressures = gauges.map((gauge) => ({ ...gauge, unit: UNITS[gauge.name] }))
  return { pressures, heldBack: shown, heldBackKeys }
}
