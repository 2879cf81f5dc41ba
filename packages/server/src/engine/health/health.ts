/** Health of the parts: one list for /health, /system and `errata_part_healthy`. */
import { type Overload, overloadText } from '#accept/overload.ts'
import { ERROR_CATALOGUE } from '#base/errors.ts'
import type { Known } from '#base/patient-question.ts'
import type { Health } from '#http/types.ts'
import type { Journal } from '#journal/writer.ts'
import { type Damage, damageWords } from '#model/damage.ts'
import type { Notices } from '#notices/notices.ts'
import type { RetentionOverview } from '#ports/care.ts'
import type { SystemFacts } from '#queries/system.ts'
import type { Verification } from '#store/embedded/care/verification/verification.ts'
import type { AcceptCrew } from '../threads/accept-crew.ts'
import type { EngineThread } from '../threads/engine-thread.ts'

/** Without these nothing is accepted, stored or shown: /health answers 503. docs/operating/README.md tells people. */
export const VITAL_PARTS = ['journal', 'commit', 'read', 'control'] as const
/**
 * Parts whose trouble is on /system and in the metrics only: a watcher must not take the rest away as well.
 */
export const SHOWN_PARTS = ['accept', 'files', 'clock', 'mail'] as const

export interface HealthParts {
  readonly journal: Pick<Journal, 'failing' | 'damage'>
  readonly dispatch: { failing(): string | null }
  readonly threads: Readonly<Record<'commit' | 'read', Pick<EngineThread, 'name' | 'ended' | 'damage'>>>
  readonly verification: Pick<Verification, 'damages'>
}

interface ShownHealthParts {
  readonly notices: Pick<Notices, 'mail'>
  /** `null`: the main thread accepts alone. */
  readonly acceptThreads: Pick<AcceptCrew, 'size' | 'running' | 'socket'> | null
}

type PartHealth = SystemFacts['health'][number]

/** Every part, with a sentence for the operator. */
export function partsHealth(
  parts: HealthParts & ShownHealthParts,
  retention: Known<RetentionOverview>,
): readonly PartHealth[] {
  return [
    ...vitalHealth(parts),
    part('accept', acceptTrouble(parts), 'accepts data'),
    part(
      'files',
      filesTrouble(parts.verification.damages(), retention),
      'no damage was found in stored data',
    ),
    part('clock', clockTrouble(retention), 'runs as expected'),
    part('mail', mailTrouble(parts.notices), 'no email failed recently'),
  ]
}

/** Returns the health that anybody may see. Overload is not a broken part. */
export function healthOf(parts: HealthParts & { readonly overload: Pick<Overload, 'states'> }): Health {
  const broken = vitalHealth(parts).flatMap(({ name, ok }) => (ok ? [] : [name]))
  if (broken.length > 0)
    return { ok: false, status: 'broken', detail: `broken: ${broken.join(', ')}`, reasons: broken }
  const overload = overloadText(parts.overload.states())
  const codes = [...new Set(parts.verification.damages().map(({ code }) => code))]
  if (codes.length === 0) return { ok: true, status: 'ok', detail: overload ?? 'ok', reasons: [] }
  return { ok: true, status: 'degraded', detail: overload ?? `degraded: ${codes.join(', ')}`, reasons: codes }
}

function vitalHealth({ journal, dispatch, threads }: HealthParts): readonly PartHealth[] {
  return [
    journalHealth(journal),
    part('commit', threadEnd(threads.commit) ?? dispatch.failing(), 'stores what was processed'),
    part('read', threadEnd(threads.read), 'answers pages'),
    part('control', damageOf(threads), 'no damage was found'),
  ]
}

/** Reports the journal. Damage by earlier runs is counted and over: shown, but nothing is broken by it. */
function journalHealth(journal: HealthParts['journal']): PartHealth {
  const { ok, detail } = part('journal', journal.failing(), 'writes and syncs')
  const { gaps, bytes } = journal.damage()
  const damage = `; ${gaps} damaged stretches (${bytes} bytes) of earlier runs could not be read, see the log`
  return { name: 'journal', ok, detail: gaps === 0 ? detail : `${detail}${damage}` }
}

function part(
  name: (typeof VITAL_PARTS)[number] | (typeof SHOWN_PARTS)[number],
  trouble: string | null,
  well: string,
): PartHealth {
  return { name, ok: trouble === null, detail: trouble ?? well }
}

function threadEnd({ name, ended }: Pick<EngineThread, 'name' | 'ended'>): string | null {
  return ended ? `the ${name} thread has ended` : null
}

/** Whoever of the two met it: they have one file open. */
function damageOf({ commit, read }: HealthParts['threads']): string | null {
  const damage = commit.damage ?? read.damage
  return damage === null ? null : `${damage}. ${ERROR_CATALOGUE.store_damaged.next}`
}

/** Whoever asks over the network and is answered has met a thread that lives: the others are seen here alone. */
function acceptTrouble({ acceptThreads }: ShownHealthParts): string | null {
  if (acceptThreads === null) return null
  const { size, running, socket } = acceptThreads
  const reason = socket?.lost ?? null
  if (reason !== null) return `pages and calls get 503: the socket file can't be recreated: ${reason}`
  if (running === size) return null
  return `${running} of ${size} threads take connections; the others have stopped and are being restarted`
}

/** Alerts, invitations and password links wait meanwhile. */
function mailTrouble(notices: Pick<Notices, 'mail'>): string | null {
  const { failing } = notices.mail()
  if (failing === null) return null
  return `no email was sent since ${utcText(failing.sinceMs)}. ${failing.says}`
}

/** Writes a time as the web app does: `29 Nov 2026, 08:30:00 UTC`. */
function utcText(atMs: number): string {
  const [, day, month, year, clock] = new Date(atMs).toUTCString().split(' ')
  return `${Number(day)} ${month} ${year}, ${clock} UTC`
}

/** While the thread that has the files open does not answer, nobody knows. */
function filesTrouble(damages: readonly Damage[], retention: Known<RetentionOverview>): string | null {
  if (damages.length > 0) return damages.map((damage) => damageWords(damage).what).join('; ')
  return retention.isKnown ? null : `unknown: ${retention.why}`
}

/** Describes a clock that cannot be trusted; retention by age waits meanwhile. */
function clockTrouble(retention: Known<RetentionOverview>): string | null {
  if (!retention.isKnown) return `unknown: ${retention.why}`
  const { believedMs } = retention.value
  if (believedMs === null) return null
  return `jumped ahead from ${utcText(believedMs)}; nothing is removed by age until it has stayed there for a day`
}
