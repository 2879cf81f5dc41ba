/** How a batch's outcomes are counted: in buckets of 15 minutes of receipt, and per minute for what /system shows. */
import { ATTACHMENT_BYTES } from '@errata/protocol'
import { MINUTE_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { CountedOutcome, OutcomeName } from '#model/outcome.ts'
import type { ControlBatch } from '#ports/ingest.ts'
import { itemsOfPart } from './batch-parts.ts'
import type { LeftOutSession } from './session-changes.ts'

export const BUCKET_MS = 15 * MINUTE_MS
const REASON_CHARS = 200

/** Counted together: one row. 0 stands for no project or no key, '' for no reason. */
export interface OutcomePlace {
  readonly projectId: number
  readonly keyId: number
  readonly bucketMs: number
  readonly outcome: OutcomeName
  readonly reason: string
  readonly category: string
}

export interface OutcomeQuantity extends OutcomePlace {
  quantity: number
  firstMs: number
  lastMs: number
  example: string | null
}

/**
 * Outcomes as they must be counted: those of projects that are gone belong to no project, and what was accepted for
 * them was not stored after all. Each of the batch's events of such projects is counted once, whether
 * or not an `accepted` came with it. Damage without a readable record beside it has no time of its own and gets `nowMs`;
 * counted at 0 it would be pruned at once.
 */
export function settledOutcomes(
  batch: Pick<ControlBatch, 'parts' | 'outcomes'>,
  { nowMs, isKnown }: { readonly nowMs: number; readonly isKnown: (project: ProjectId) => boolean },
): readonly CountedOutcome[] {
  const uncounted = goneItems(batch, isKnown)
  const settled = batch.outcomes.map((given): CountedOutcome => {
    const outcome = given.atMs > 0 ? given : { ...given, atMs: nowMs }
    if (outcome.projectId === null || isKnown(outcome.projectId)) return outcome
    if (outcome.outcome !== 'accepted') return { ...outcome, projectId: null, keyId: null }
    const items = uncounted.get(outcome.category)
    if (items !== undefined) items.quantity -= outcome.quantity
    return { ...outcome, outcome: 'invalid', reason: 'unknown_key', projectId: null, keyId: null }
  })
  for (const [category, { quantity, atMs }] of uncounted) {
    if (quantity <= 0) continue
    const of = { projectId: null, keyId: null, atMs }
    settled.push({ outcome: 'invalid', reason: 'unknown_key', category, quantity, ...of })
  }
  return settled
}

/** Adds items that were not accepted because there were too many. */
export function withLeftOut(
  outcomes: readonly CountedOutcome[],
  leftOut: readonly LeftOutSession[],
  parts: ControlBatch['parts'],
): readonly CountedOutcome[] {
  const category = parts.find(({ type }) => type === 'sessions')?.category
  if (leftOut.length === 0 || category === undefined) return outcomes
  const rest = outcomes.map((outcome) => ({ ...outcome }))
  for (const { projectId, keyId } of leftOut) {
    const accepted = rest.find(
      (each) =>
        each.outcome === 'accepted' &&
        each.category === category &&
        each.projectId === projectId &&
        each.keyId === keyId &&
        each.quantity > 0,
    )
    if (accepted !== undefined) accepted.quantity--
  }
  const limited = leftOut.map(
    ({ projectId, keyId, receivedMs, reason }): CountedOutcome => ({
      ...{ outcome: 'cardinality_limited', reason, category, quantity: 1, projectId, keyId },
      atMs: receivedMs,
    }),
  )
  return [...rest.filter(({ quantity }) => quantity > 0), ...limited]
}

/** Items of projects that are gone, by category. */
function goneItems({ parts }: Pick<ControlBatch, 'parts'>, isKnown: (project: ProjectId) => boolean) {
  const gone = new Map<string, { quantity: number; readonly atMs: number }>()
  for (const part of parts) {
    for (const { projectId, quantity, atMs } of itemsOfPart(part)) {
      if (isKnown(projectId)) continue
      const items = gone.get(part.category) ?? { quantity: 0, atMs }
      items.quantity += quantity
      gone.set(part.category, items)
    }
  }
  return gone
}

/** Sums outcomes by place, in the order in which places first occur. */
export function outcomeSums(outcomes: readonly CountedOutcome[]): readonly OutcomeQuantity[] {
  const sums = new Map<string, OutcomeQuantity>()
  for (const outcome of outcomes) addOutcome(sums, outcome)
  return [...sums.values()]
}

function addOutcome(sums: Map<string, OutcomeQuantity>, outcome: CountedOutcome): void {
  const atMs = Math.floor(outcome.atMs)
  const place = outcomePlace(outcome, atMs)
  const { projectId, keyId, bucketMs, reason, category } = place
  const key = JSON.stringify([projectId, keyId, bucketMs, outcome.outcome, reason, category])
  const sum = sums.get(key)
  const { quantity, example = null } = outcome
  const one = { ...place, quantity, firstMs: atMs, lastMs: atMs, example }
  if (sum === undefined) sums.set(key, one)
  else addToSum(sum, one)
}

function outcomePlace(
  { projectId, keyId, outcome, reason, category }: CountedOutcome,
  atMs: number,
): OutcomePlace {
  return {
    projectId: projectId ?? 0,
    keyId: keyId ?? 0,
    bucketMs: Math.floor(atMs / BUCKET_MS) * BUCKET_MS,
    outcome,
    reason: (reason ?? '').slice(0, REASON_CHARS),
    category: category.slice(0, REASON_CHARS),
  }
}

/** The example is that of the newest that has one. */
function addToSum(sum: OutcomeQuantity, added: Omit<OutcomeQuantity, keyof OutcomePlace>): void {
  sum.quantity += added.quantity
  if (added.lastMs >= sum.lastMs) sum.example = added.example ?? sum.example
  sum.firstMs = Math.min(sum.firstMs, added.firstMs)
  sum.lastMs = Math.max(sum.lastMs, added.lastMs)
}

/** Sum of a minute over the whole installation. */
export interface MinuteSum {
  readonly minuteMs: number
  readonly outcome: OutcomeName
  quantity: number
}

export function minuteSums(outcomes: readonly CountedOutcome[]): readonly MinuteSum[] {
  const minutes = new Map<string, MinuteSum>()
  for (const { outcome, quantity, atMs, category } of outcomes) {
    // Bytes, beside the items that have them.
    if (category === ATTACHMENT_BYTES) continue
    const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS
    const key = `${minuteMs}:${outcome}`
    const before = minutes.get(key)
    if (before === undefined) minutes.set(key, { minuteMs, outcome, quantity })
    else before.quantity += quantity
  }
  return [...minutes.values()]
}

/**
 * Its reasons and categories are whatever a client sends: beyond `outcomeRowsPerBucketMax` of a project and bucket they
 * count as "other". Those of every other outcome are Errata's own, few, and never make room for them.
 */
export function isChosenByClients({ outcome }: OutcomePlace): boolean {
  return outcome === 'client_discard'
}

/** True if a project and bucket that have so many rows of the outcome may have one more. */
export function mayKeepPlace(rows: number): boolean {
  return rows < max('outcomeRowsPerBucketMax')
}

/** Rows of client outcomes that are there, by the name of their project and bucket, and which of the sums have one. */
export interface PlacesThere {
  readonly hasRow: ReadonlySet<OutcomeQuantity>
  readonly rows: ReadonlyMap<string, number>
}

export function bucketName({ projectId, bucketMs }: Pick<OutcomePlace, 'projectId' | 'bucketMs'>): string {
  return `${projectId}:${bucketMs}`
}

/** Returns sums where they are counted: a new row while there are not too many. */
export function outcomePlaces(
  sums: readonly OutcomeQuantity[],
  { hasRow, rows }: PlacesThere,
): readonly OutcomeQuantity[] {
  const kept = new Map(rows)
  return sums.map((sum) => {
    if (!isChosenByClients(sum) || hasRow.has(sum)) return sum
    const count = kept.get(bucketName(sum)) ?? 0
    if (!mayKeepPlace(count)) return otherPlace(sum)
    kept.set(bucketName(sum), count + 1)
    return sum
  })
}

/** Returns the place that counts what has no place of its own. */
export function otherPlace<T extends OutcomePlace>(sum: T): T {
  return { ...sum, category: 'default', reason: sum.reason === '' ? '' : 'other', keyId: 0 }
}
