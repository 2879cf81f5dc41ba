/**
 * How much work the bytes of each key are, against those of all: what takes ten times the time to process counts as
 * ten times the bytes where a capacity is shared out. Measured by the process threads, and forgotten within seconds.
 */
import type { KeyId } from '#base/ids.ts'
import { BODY_FORMS, type BodyForm, type KeyWork } from '#model/key-work.ts'

/** Bytes and milliseconds of each form. */
type WorkSum = Readonly<Record<BodyForm, { bytes: number; ms: number }>>

/** Share of a measurement that still counts a second later. */
const KEPT_PER_SECOND = 0.9
/** Work of less time than this says nothing. */
const MEASURED_MS_MIN = 5
/** Below it a key is forgotten. */
const KEPT_MS_MIN = 0.01

export interface WorkWeightOptions {
  readonly keysMax: number
  /** No key counts for more than so many times its bytes. */
  readonly weightMax: number
}

export class WorkWeights {
  readonly #options: WorkWeightOptions
  readonly #keys = new Map<KeyId, WorkSum>()
  readonly #all = noWork()

  constructor(options: WorkWeightOptions) {
    this.#options = options
  }

  note(works: readonly KeyWork[]): void {
    for (const work of works) {
      addWork(this.#all, work)
      let own = this.#keys.get(work.keyId)
      if (own === undefined && this.#keys.size < this.#options.keysMax) {
        own = noWork()
        this.#keys.set(work.keyId, own)
      }
      if (own !== undefined) addWork(own, work)
    }
  }

  /** At least 1: cheap bytes still take memory and disk. 1 also for a key that nothing is known of. */
  of(keyId: KeyId): number {
    const own = this.#keys.get(keyId)
    if (own === undefined) return 1
    const ms = totalMs(own)
    if (ms < MEASURED_MS_MIN) return 1
    const usualMs = BODY_FORMS.reduce((sum, form) => sum + own[form].bytes * this.#msPerByte(form), 0)
    return usualMs === 0 ? 1 : Math.min(this.#options.weightMax, Math.max(1, ms / usualMs))
  }

  /** Lets so many seconds pass. */
  pass(seconds: number): void {
    const kept = KEPT_PER_SECOND ** seconds
    shrink(this.#all, kept)
    for (const [keyId, own] of this.#keys) {
      shrink(own, kept)
      if (totalMs(own) < KEPT_MS_MIN) this.#keys.delete(keyId)
    }
  }

  #msPerByte(form: BodyForm): number {
    const { bytes, ms } = this.#all[form]
    return bytes === 0 ? 0 : ms / bytes
  }
}

function noWork(): WorkSum {
  return { plain: { bytes: 0, ms: 0 }, compressed: { bytes: 0, ms: 0 } }
}

function totalMs({ plain, compressed }: WorkSum): number {
  return plain.ms + compressed.ms
}

function addWork(sum: WorkSum, { form, bytes, ms }: KeyWork): void {
  sum[form].bytes += bytes
  sum[form].ms += ms
}

function shrink(sum: WorkSum, by: number): void {
  for (const form of BODY_FORMS) {
    sum[form].bytes *= by
    sum[form].ms *= by
  }
}
