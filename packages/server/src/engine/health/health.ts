/** What works and what does not: one list for /health, /system and `errata_part_healthy`. */
import { type Overload, overloadText } from '#accept/overload.ts'
import { ERRORS } from '#base/errors.ts'
import type { Known } from '#base/patient-question.ts'
import type { Journal } from '#journal/writer.ts'
import { fileStem } from '#model/file-name.ts'
import type { RetentionOverview } from '#ports/retention.ts'
import type { SystemFacts } from '#queries/system.ts'
import type { EngineThread } from '../threads/engine-thread.ts'

/** Without these nothing is accepted, stored or shown: /health answers 503. docs/operating/README.md tells people. */
export const VITAL_PARTS = ['journal', 'commit', 'read', 'control'] as const
/** What one of these lacks is on /system and in the metrics alone: whoever watches must not take the rest away as well. */
export const SHOWN_PARTS = ['files', 'clock'] as const

export interface HealthParts {
  readonly journal: Pick<Journal, 'failing' | 'damage'>
  readonly dispatch: { failing(): string | null }
  readonly threads: Readonly<Record<'commit' | 'read', Pick<EngineThread, 'name' | 'ended' | 'damage'>>>
}

type PartHealth = SystemFacts['health'][number]

/** Every part, with a sentence for the operator. */
export function partsHealth(parts: HealthParts, retention: Known<RetentionOverview>): readonly PartHealth[] {
  return [
    ...vitalHealth(parts),
    part('files', filesTrouble(retention), 'columns and payloads go together'),
    part('clock', clockTrouble(retention), 'goes on from where it was'),
  ]
}

/** What anybody may know: names, never a sentence, which may hold paths. An overload is no part that is broken. */
export function healthOf(parts: HealthParts & { readonly overload: Pick<Overload, 'states'> }): {
  readonly ok: boolean
  readonly detail: string
} {
  const broken = vitalHealth(parts).filter(({ ok }) => !ok)
  if (broken.length > 0) return { ok: false, detail: `broken: ${broken.map(({ name }) => name).join(', ')}` }
  return { ok: true, detail: overloadText(parts.overload.states()) ?? 'ok' }
}

function vitalHealth({ journal, dispatch, threads }: HealthParts): readonly PartHealth[] {
  return [
    journalHealth(journal),
    part('commit', endOf(threads.commit) ?? dispatch.failing(), 'stores what was processed'),
    part('read', endOf(threads.read), 'answers pages'),
    part('control', damageOf(threads), 'no damage was met in it'),
  ]
}

/** What earlier runs left damaged is counted and over: it is told, and breaks nothing. */
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

function endOf({ name, ended }: Pick<EngineThread, 'name' | 'ended'>): string | null {
  return ended ? `the ${name} thread has ended` : null
}

/** Whoever of the two met it: they have one file open. */
function damageOf({ commit, read }: HealthParts['threads']): string | null {
  const damage = commit.damage ?? read.damage
  return damage === null ? null : `${damage}. ${ERRORS.store_damaged.next}`
}

function filesTrouble(retention: Known<RetentionOverview>): string | null {
  if (!retention.isKnown) return `unknown: ${retention.why}`
  const { missingColumns, missingPayloads } = retention.value
  const said = [
    ...missingColumns.map(
      (file) => `columns of ${fileStem(file)} are missing or damaged: stop, run "errata rebuild", start`,
    ),
    ...missingPayloads.map((file) => `payloads of ${fileStem(file)} are missing`),
  ]
  return said.length === 0 ? null : said.join('; ')
}

/** What goes by age waits meanwhile. */
function clockTrouble(retention: Known<RetentionOverview>): string | null {
  if (!retention.isKnown) return `unknown: ${retention.why}`
  const { believedMs } = retention.value
  if (believedMs === null) return null
  const known = new Date(believedMs).toISOString().slice(0, 10)
  return `is ahead of ${known}, where it was: nothing is removed by age before it has been so for a day`
}
