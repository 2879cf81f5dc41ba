/** Tasks of an operator by the facts of the installation: the most urgent on top. */

import type { SystemView } from '@errata/server/queries'
import { paths } from '#parts/paths.ts'
import { byWord } from '#ui/by-word.ts'
import { bytesText, quantityText } from '#ui/number-text.ts'
import { spanText } from '#ui/time-text.ts'

export interface SystemTask {
  readonly key: string
  readonly title: string
  /** Beside the title: how bad, or until when. */
  readonly mark?: string
  /** Beside the title, after the mark. */
  readonly sinceMs?: number
  readonly text: string
  /** Remedy, if the text does not state it. */
  readonly mend?: string
  readonly action?: { readonly text: string; readonly to: string }
  /** `later`: good advice, and nothing is wrong without it. */
  readonly urgency: 'now' | 'soon' | 'later'
}

/** Waiting for less counts as stored at once. */
const SOON_MS = 1_000
/** Below it spans of time are called `now`. */
const FEW_MS = 10_000

/** Days that a full disk is told ahead. */
const DISK_DAYS = 14

export function tasksOf(system: SystemView): readonly SystemTask[] {
  const tasks = [
    ...brokenTasks(system),
    ...pressureTasks(system),
    ...damageTasks(system),
    ...diskTasks(system),
    ...lossTasks(system),
    ...backupTasks(system),
  ]
  const order = ['now', 'soon', 'later']
  return tasks.sort((a, b) => order.indexOf(a.urgency) - order.indexOf(b.urgency))
}

/** Says how far behind it is and how long the disk lasts, as the rest of a sentence. */
export function factsText({ backlog, pressures, retention }: SystemView): string {
  // Above a limit some of what is sent is refused.
  const what = pressures.every(({ state }) => state === 'ok') ? 'everything sent' : 'what is accepted'
  const { oldestMs } = backlog
  const waited = oldestMs < FEW_MS ? `${Math.floor(oldestMs / 1_000)} s` : spanText(oldestMs)
  const stored =
    backlog.records === 0 || oldestMs < SOON_MS
      ? `${what} is stored within a second`
      : `the oldest item has waited ${waited} to be stored`
  const { overview } = retention
  // Below a size that was set, the oldest days go: the disk is never full.
  if (overview === null || overview.maxDiskBytes !== null) return `: ${stored}`
  const { daysLeft } = overview
  return `: ${stored}, and the disk ${daysLeft === null ? 'lasts more than a year' : `is full in ${quantityText(daysLeft, 'day')}`}`
}

/** Parts by the names that people know; those of the handbook stay beside them. */
export const PART_NAMES: Readonly<Record<string, { readonly title: string; readonly does: string }>> = byWord(
  {
    journal: { title: 'Accepting', does: 'receives events and writes them to disk' },
    commit: { title: 'Storing', does: 'turns them into events and issues' },
    read: { title: 'Pages and API', does: 'serves pages and scripts' },
    control: { title: 'Control store', does: 'keeps accounts, projects, issues and counts' },
    accept: { title: 'Connections', does: 'let apps reach Errata' },
    files: { title: 'Stored data', does: 'payloads and columns, checked for damage once a day' },
    clock: { title: 'Clock', does: 'runs as expected' },
    mail: { title: 'Email', does: 'sends alerts, invitations and password links' },
  },
)

const TITLES: Readonly<Record<string, string>> = byWord({
  clock: 'The clock jumped ahead',
  mail: 'Emails can’t be sent',
})

function brokenTasks({ health }: SystemView): readonly SystemTask[] {
  // Damaged files are tasks of their own, each with what mends it.
  const broken = health.filter(
    ({ name, ok, detail }) => !ok && (name !== 'files' || detail.startsWith('unknown')),
  )
  return broken.map(({ name, detail }) => ({
    key: name,
    title: TITLES[name] ?? `${PART_NAMES[name]?.title ?? name}: not working`,
    text:
      name === 'clock'
        ? `It ${detail}.`
        : `${detail.charAt(0).toUpperCase()}${detail.slice(1).replace(/\.$/, '')}.`,
    urgency: name === 'clock' ? 'soon' : 'now',
  }))
}

const RESOURCES: Readonly<Record<SystemView['pressures'][number]['name'], string>> = {
  backlog: 'Too much is waiting to be stored',
  backlog_age: 'Storing lags behind',
  memory: 'Memory is running low',
  disk: 'The disk is nearly full',
}

function pressureTasks({ pressures }: SystemView): readonly SystemTask[] {
  return pressures
    .filter(({ state }) => state !== 'ok')
    .map(({ name, state }) => ({
      key: name,
      title: RESOURCES[name],
      mark: state === 'hard' ? 'nothing is accepted' : 'busiest client keys throttled',
      text:
        state === 'hard'
          ? 'Apps get a 503 until this is resolved. Nothing already accepted is lost, and pages keep working.'
          : 'Client keys that send more than their share get a 429. They are listed under “Limits”.',
      urgency: state === 'hard' ? 'now' : 'soon',
    }))
}

function damageTasks({ verification }: SystemView): readonly SystemTask[] {
  return verification.damages.map(({ code, file, sinceMs, words }) => ({
    key: `${code} ${file ?? ''}`,
    title: words.what.charAt(0).toUpperCase() + words.what.slice(1),
    mark: 'found',
    sinceMs,
    text: words.effect,
    mend: words.mend,
    urgency: code === 'control_damaged' ? 'now' : 'soon',
  }))
}

function diskTasks({ retention: { overview } }: SystemView): readonly SystemTask[] {
  if (overview === null || overview.daysLeft === null || overview.daysLeft > DISK_DAYS) return []
  const { daysLeft, maxDiskBytes } = overview
  if (maxDiskBytes !== null) {
    const text = `The data directory is limited to ${bytesText(maxDiskBytes)} ("--max-disk"). At the limit, the oldest days are deleted.`
    return [
      {
        key: 'share',
        title: 'The oldest days will be deleted',
        mark: daysAheadText(daysLeft),
        text,
        urgency: 'later',
      },
    ]
  }
  const text =
    'At the current rate. Lower the retention in the projects’ settings, or set "--max-disk", which deletes the oldest days in time.'
  return [
    { key: 'full', title: 'The disk is filling up', mark: daysAheadText(daysLeft), text, urgency: 'soon' },
  ]
}

function daysAheadText(days: number): string {
  return days === 0 ? 'today' : `in ${quantityText(days, 'day')}`
}

function lossTasks({ quarantined, lostFromJournal }: SystemView): readonly SystemTask[] {
  const tasks: SystemTask[] = []
  if (lostFromJournal !== null)
    tasks.push({
      key: 'lost',
      title: `${quantityText(lostFromJournal.quantity, 'envelope')} lost from a damaged journal`,
      mark: 'last one received',
      sinceMs: lostFromJournal.lastMs,
      text: 'They couldn’t be read back, so no organisation’s outcomes include them.',
      mend: 'Check the disk. The log says where.',
      urgency: 'soon',
    })
  if (quarantined.length > 0)
    tasks.push({
      key: 'quarantine',
      title: `${quantityText(quarantined.length, 'envelope')} in quarantine`,
      text: 'Processing failed three times, which is a bug in Errata. Please report it and attach the envelope; it is scrubbed.',
      action: { text: 'See them', to: `${paths.system()}#quarantine` },
      urgency: 'later',
    })
  return tasks
}

function backupTasks({ backup: { last, schedule } }: SystemView): readonly SystemTask[] {
  if (last === 'unknown') return []
  if (last !== null && !last.ok)
    return [
      {
        key: 'backup',
        title: 'The last backup failed',
        sinceMs: last.atMs,
        text: last.detail,
        mend: 'Fix that, then run "errata backup".',
        urgency: 'soon',
      },
    ]
  if (schedule !== null || last !== null) return []
  const text = 'If this disk fails, all data is lost.'
  const mend = 'Start Errata with "--backup-directory", or run "errata backup" from time to time.'
  return [{ key: 'backup', title: 'No backup yet', mark: 'recommended', text, mend, urgency: 'later' }]
}
