/** Times the work on each record between its hand-over and the next one's, and sums it up by key. */
import type { KeyId } from '#base/ids.ts'
import { BODY_FORMS, type BodyForm, type KeyWork } from '#model/key-work.ts'
import type { SequencedRecord } from '#model/record.ts'

export class WorkTimes {
  readonly #sums: Readonly<Record<BodyForm, Map<KeyId, { bytes: number; ms: number }>>> = {
    plain: new Map(),
    compressed: new Map(),
  }
  readonly #now: () => number

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(now: () => number) {
    this.#now = now
  }

  *over(records: Iterable<SequencedRecord>): Generator<SequencedRecord> {
    for (const record of records) {
      const beganMs = this.#now()
      yield record
      if (record.type !== 'envelope') continue
      const form = record.encodings.length === 0 ? 'plain' : 'compressed'
      this.#add({ keyId: record.keyId, form, bytes: record.body.length, ms: this.#now() - beganMs })
    }
  }

  all(): readonly KeyWork[] {
    return BODY_FORMS.flatMap((form) =>
      [...this.#sums[form]].map(([keyId, sum]) => ({ keyId, form, ...sum })),
    )
  }

  #add({ keyId, form, bytes, ms }: KeyWork): void {
    const sum = this.#sums[form].get(keyId)
    if (sum === undefined) this.#sums[form].set(keyId, { bytes, ms })
    else {
      sum.bytes += bytes
      sum.ms += ms
    }
  }
}
