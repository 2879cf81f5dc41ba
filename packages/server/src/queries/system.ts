/** Reads the operator's view of the installation. */

import type { Clock } from '#base/clock.ts'
import { DAY_MS, MINUTE_MS } from '#base/durations.ts'
import type { Seq } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { damageWords, type KnownDamage } from '#model/damage.ts'
import { fileStem } from '#model/file-name.ts'
import { isLeftOut, type OutcomeName } from '#model/outcome.ts'
import type { RetentionOverview, RetentionRead } from '#ports/care.ts'
import type { SystemRead } from '#ports/ingest.ts'
import type { SystemView } from './system-view.ts'

/** Facts that only the running process knows; given by the composition root. */
export interface SystemFacts {
  readonly version: string
  readonly node: string
  readonly startedMs: number
  readonly url: string
  readonly dataDirectory: string
  readonly backlog: SystemView['backlog']
  /** The newest seq the journal gave out. */
  readonly acceptingSeq: Seq
  readonly health: SystemView['health']
  readonly disk: Omit<SystemView['disk'], 'controlBytes'>
  readonly memoryBytes: number
  readonly acceptThreads: SystemView['acceptThreads']
  readonly mail: SystemView['mail']
  /** `null`: unknown, as everywhere that only a thread or the disk can say. */
  readonly retention: RetentionOverview | null
  readonly verification: {
    readonly damages: readonly KnownDamage[]
    readonly progress: SystemView['verification']['progress']
  }
  readonly pressures: SystemView['pressures']
  readonly heldBack: SystemView['heldBack']
  readonly heldBackKeys: number
  readonly backup: SystemView['backup']
}

export interface SystemParts {
  readonly system: SystemRead & RetentionRead
  readonly systemFacts: () => Promise<SystemFacts>
  readonly clock: Clock
}

const MINUTES_SHOWN = 60
const REMOVALS_SHOWN = 10

export async function systemView({ system, systemFacts, clock }: SystemParts): Promise<SystemView> {
  const nowMs = clock.now()
  const [facts, counters, perMinute, { refused, lost }, quarantined, { removals, runs }] = await Promise.all([
    systemFacts(),
    system.counters(),
    minutes(system, nowMs),
    system.withoutProject({
      refusedSinceMs: nowMs - DAY_MS,
      lostSinceMs: nowMs - max('outcomeDaysMax') * DAY_MS,
    }),
    system.quarantined(),
    system.upkeepDone(REMOVALS_SHOWN),
  ])
  return {
    version: facts.version,
    node: facts.node,
    startedMs: facts.startedMs,
    url: facts.url,
    dataDirectory: facts.dataDirectory,
    backlog: facts.backlog,
    acceptingSeq: facts.acceptingSeq,
    appliedSeq: counters.appliedSeq,
    health: facts.health,
    perMinute,
    stored: {
      organisations: counters.organisations,
      projects: counters.projects,
      issues: counters.issues,
      events: counters.eventsStored,
    },
    disk: { ...facts.disk, controlBytes: counters.controlBytes },
    memoryBytes: facts.memoryBytes,
    acceptThreads: facts.acceptThreads,
    mail: facts.mail,
    verification: verificationOf(facts.verification),
    pressures: facts.pressures,
    heldBack: facts.heldBack,
    heldBackKeys: facts.heldBackKeys,
    backup: facts.backup,
    retention: { overview: overviewOf(facts.retention), removals, runs },
    lostFromJournal: lost,
    // What was lost had been accepted: it is told apart, and for longer.
    refusedWithoutProject: refused.filter(({ reason }) => reason !== 'journal_damaged'),
    quarantined,
  }
}

/** With what each damage means and what mends it. */
function verificationOf({ damages, progress }: SystemFacts['verification']): SystemView['verification'] {
  const told = damages.map((damage) => ({
    ...{ code: damage.code, sinceMs: damage.sinceMs, words: damageWords(damage) },
    file: damage.file === null ? null : fileStem(damage.file),
  }))
  return { damages: told, progress }
}

/** Files by their names. */
function overviewOf(retention: RetentionOverview | null): SystemView['retention']['overview'] {
  if (retention === null) return null
  const { missingColumns, missingPayloads, ...rest } = retention
  return {
    ...rest,
    missingColumns: missingColumns.map(fileStem),
    missingPayloads: missingPayloads.map(fileStem),
  }
}

/** Returns one entry per minute, quiet ones included, so that a chart has no gaps. */
async function minutes(system: SystemRead, nowMs: number): Promise<SystemView['perMinute']> {
  const firstMs = (Math.floor(nowMs / MINUTE_MS) - MINUTES_SHOWN + 1) * MINUTE_MS
  const rows = await system.recentOutcomes(firstMs)
  return Array.from({ length: MINUTES_SHOWN }, (_, index) => {
    const minuteMs = firstMs + index * MINUTE_MS
    const of = rows.filter((row) => row.minuteMs === minuteMs)
    const sum = (wanted: (outcome: OutcomeName) => boolean): number =>
      of.filter(({ outcome }) => wanted(outcome)).reduce((total, { quantity }) => total + quantity, 0)
    return {
      minuteMs,
      accepted: sum((outcome) => outcome === 'accepted'),
      // What an SDK dropped, or a project's own filter, is no refusal of this installation.
      refused: sum((outcome) => isLeftOut(outcome) && outcome !== 'client_discard' && outcome !== 'filtered'),
      unsupported: sum((outcome) => outcome === 'unsupported'),
    }
  })
}
