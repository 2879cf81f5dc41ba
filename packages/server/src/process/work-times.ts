/** Sums up what the work on envelopes took, by key. */
import type { KeyId } from '#base/ids.ts'
import { BODY_FORMS, type BodyForm, type KeyWork } from '#model/key-work.ts'
import type { EnvelopeRecord } from '#model/record.ts'
import type { WorkMeter } from './process.ts'

export class WorkTimes implements WorkMeter {
  readonly #sums: Readonly<Record<BodyForm, Map<KeyId, { bytes: number; ms: number }>>> = {
    plain: new Map(),
    compressed: new Map(),
  }
  readonly #now: () => number

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(now: () => number) {
    this.#now = now
  }

  now(): number {
    return this.#now()
  }

  add({ keyId, encodings, body }: EnvelopeRecord, ms: number): void {
    const sums = this.#sums[encodings.length === 0 ? 'plain' : 'compressed']
    const sum = sums.get(keyId)
    if (sum === undefined) sums.set(keyId, { bytes: body.length, ms })
    else {
      sum.bytes += body.length
      sum.ms += ms
    }
  }

  all(): readonly KeyWork[] {
    return BODY_FORMS.flatMap((form) =>
      [...this.#sums[form]].map(([keyId, sum]) => ({ keyId, form, ...sum })),
    )
  }
}
