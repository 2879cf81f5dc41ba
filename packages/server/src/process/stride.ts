/**
 * Envelopes that are read together: the first step of each, then the second of each, and so on. All the code that an
 * event needs does not fit into what a processor keeps near, that of one step does: read one after the other, each event
 * would fetch all of it again, which is a third of the work (5 KB an event, 2 vCPU Intel Xeon, 2026-11-23). Of containers
 * of sixty spans, which do every step sixty times anyway, it is a tenth; of small ones and of transactions, a fifth.
 */
import { max } from '#limits/limits.ts'
import type { EnvelopeWork } from './envelope-work.ts'

const ENVELOPES_MAX = max('strideEnvelopesMax')
const BYTES_MAX = max('strideBytesMax')

export class Stride {
  #works: EnvelopeWork[] = []
  #bytes = 0
  readonly #onDone: (work: EnvelopeWork) => void

  /** `onDone` gets every envelope once, in the order they were added. */
  constructor(onDone: (work: EnvelopeWork) => void) {
    this.#onDone = onDone
  }

  /** @throws what a step of any of them throws */
  add(work: EnvelopeWork): void {
    this.#works.push(work)
    this.#bytes += work.bytes
    if (this.#works.length >= ENVELOPES_MAX || this.#bytes >= BYTES_MAX) this.finish()
  }

  finish(): void {
    const works = this.#works
    this.#works = []
    this.#bytes = 0
    for (let left = works; left.length > 0; ) left = left.filter((work) => work.step())
    for (const work of works) this.#onDone(work)
  }
}
