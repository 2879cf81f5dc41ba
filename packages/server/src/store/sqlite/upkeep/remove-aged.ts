/** Removes what has reached its age: once a day, in turns between batches, each of which ends where it left off. */
import { dayOf } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { believedMs } from '#model/believed-time.ts'
import type { AgedPlace } from '#store/embedded/care/stores/control.ts'
import type { Connection } from '../connection.ts'
import { readKnownTime } from '../rows/known-time.ts'
import { AGED_STEPS } from './aged-rows.ts'
import type { AgedStep } from './aged-steps.ts'

/** Runs one turn; `null` is the beginning and the end. A clock that is further ahead than is believed removes nothing. */
export function removeAged(db: Connection, place: AgedPlace | null, clockMs: number): AgedPlace | null {
  const nowMs = believedMs(clockMs, readKnownTime(db)?.knownMs ?? clockMs)
  const today = dayOf(nowMs)
  if (place === null && prunedDay(db) >= today) return null
  const next = removeSet(db, { place: place ?? { step: 0, after: null }, nowMs })
  if (next === null) db.run(`UPDATE meta SET value = ? WHERE name = 'pruned_day'`, [today])
  return next
}

function prunedDay(db: Connection): number {
  return db.get<{ value: number }>(`SELECT value FROM meta WHERE name = 'pruned_day'`)?.value ?? 0
}

/** Goes through steps until as much is removed as fits a turn. */
export function removeSet(
  db: Connection,
  {
    place,
    nowMs,
    steps = AGED_STEPS,
    most = max('agedRowsPerTurn'),
  }: {
    readonly place: AgedPlace
    readonly nowMs: number
    readonly steps?: readonly AgedStep[]
    readonly most?: number
  },
): AgedPlace | null {
  let { step, after } = place
  for (let left = most; step < steps.length; ) {
    const set = steps[step]?.(db, { nowMs, after, most })
    if (set === undefined) break
    if (set.after === 'done') step++
    after = set.after === 'done' ? null : set.after
    left -= set.cost
    if (left <= 0 && step < steps.length) return { step, after }
  }
  return null
}
