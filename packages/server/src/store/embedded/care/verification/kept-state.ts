/** State of verification, kept for the next start: known damage is reported at once, and a round goes on. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { DAMAGE_CODES, type KnownDamage } from '#model/damage.ts'
import { fileStem, readFileStem } from '#model/file-name.ts'
import { writeWhole } from '../backup/chunk-store.ts'

export interface KeptState {
  readonly damages: readonly KnownDamage[]
  readonly round: KeptRound
}

export interface KeptRound {
  /** `null` before the first. */
  readonly begunMs: number | null
  /** End of the last finished round; `null` before. */
  readonly endedMs: number | null
  /** Stem of the last file that is done in the round under way; `null` where the next file is the first. */
  readonly doneTo: string | null
}

export const NOTHING_KEPT: KeptState = { damages: [], round: { begunMs: null, endedMs: null, doneTo: null } }

const NAME = 'verification.json'
const schema = v.object({
  damages: v.array(
    v.object({
      code: v.picklist(DAMAGE_CODES),
      file: v.nullable(v.string()),
      detail: v.string(),
      sinceMs: v.number(),
    }),
  ),
  round: v.object({
    begunMs: v.nullable(v.number()),
    endedMs: v.nullable(v.number()),
    doneTo: v.nullable(v.string()),
  }),
})

/** Reads the state; one that is absent or unreadable counts as empty, and a round finds it again. */
export async function readKeptState(data: string): Promise<KeptState> {
  const text = await readFile(join(data, NAME), 'utf8').catch(() => '')
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
  if (!read.success) return NOTHING_KEPT
  const damages = read.output.damages.flatMap((damage): readonly KnownDamage[] => {
    if (damage.file === null) return [{ ...damage, file: null }]
    const file = readFileStem(damage.file)
    return file === null ? [] : [{ ...damage, file }]
  })
  return { damages, round: read.output.round }
}

export async function writeKeptState(data: string, { damages, round }: KeptState): Promise<void> {
  const named = damages.map((damage) => ({
    ...damage,
    file: damage.file === null ? null : fileStem(damage.file),
  }))
  await writeWhole(join(data, NAME), Buffer.from(JSON.stringify({ damages: named, round })))
}
