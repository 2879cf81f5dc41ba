/**
 * Accept on a thread beside the main one. It does what needs nothing but a copy of the directory: authenticates, inflates
 * small bodies, reads outlines. What is to be limited and kept goes to the main thread read; whatever needs more state than
 * that (attachments, large inflations, a directory that has just changed) goes there as it came.
 *
 * ```
 * request ─▶ authenticate ─▶ inflate ─▶ outline ─▶ admit (main thread) ─▶ answer
 *     └───────────┴──────────────┴─────────┴─────▶ accept (main thread) ─▶ answer
 * ```
 */
import type { Clock } from '#base/clock.ts'
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import type { ContentCoding } from '#model/record.ts'
import type { IngestDirectory } from '#ports/projects.ts'
import { AcceptStep, acceptOf, type MainAccept } from './accept.ts'
import type { ReadEnvelope } from './admission.ts'
import { createInflater, HandedOver, readEncodings } from './inflate.ts'
import { type BodySender, type Inflated, nameOf } from './inflating.ts'
import type { OverloadReason } from './overload.ts'
import { bodyEmpty, encodingInvalid } from './refusal.ts'
import type { WorkSender } from './sender-work.ts'
import type { Accept, AcceptAnswer, AcceptRequest, UnreadAnswer } from './types.ts'

/** The main thread, as one that accepts asks it. */
export interface AcceptDesk extends Pick<MainAccept, 'count' | 'countRefusal'> {
  admit(read: ReadEnvelope): Promise<AcceptAnswer>
  /** Accepts a request as it came. */
  accept(request: AcceptRequest): Promise<AcceptAnswer>
}

export interface AcceptApartOptions {
  readonly desk: AcceptDesk
  readonly directory: IngestDirectory
  readonly clock: Clock
  readonly random: Random
  readonly held: HeldSenders
  /** False while the main thread knows something that is still on its way here. */
  isCurrent(): boolean
  closedBy(): OverloadReason | null
}

export function createAcceptApart(options: AcceptApartOptions): Omit<Accept, 'acceptLarge' | 'flush'> {
  const { desk, held } = options
  const handOver = () => {
    throw new HandedOver()
  }
  const step = acceptOf(
    new AcceptStep({
      ...{ directory: options.directory, random: options.random, outcomes: desk },
      inflating: new SmallInflating(held),
      admissions: { finish: (read) => desk.admit(read) },
      attachments: { part: handOver, intake: handOver },
      closedBy: options.closedBy,
    }),
  )
  return {
    ...step,
    async accept(request, seen = null) {
      if (!options.isCurrent()) return desk.accept(request)
      try {
        return await step.accept(request, seen)
      } catch (cause) {
        if (cause instanceof HandedOver) return desk.accept(request)
        throw cause
      }
    },
    refuseUnread(request, bodyBytes) {
      if (!options.isCurrent()) return UNSEEN
      try {
        return step.refuseUnread(request, bodyBytes)
      } catch (cause) {
        if (cause instanceof HandedOver) return UNSEEN
        throw cause
      }
    },
    countRefusal: (refusal) => desk.countRefusal(refusal),
  }
}

const UNSEEN: UnreadAnswer = { refused: null, seen: null }

/** Senders whose compressed bodies the main thread refuses for a while: it decides of all of theirs. */
export class HeldSenders {
  readonly #clock: Clock
  /** By name, until when; the one named last at the end. */
  readonly #until = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note({ key, address }: WorkSender): void {
    const name = `${key} ${address}`
    this.#until.delete(name)
    this.#until.set(name, this.#clock.elapsed() + max('inflationRefusedMs'))
    const oldest = this.#until.keys().next()
    if (this.#until.size > max('inflationSendersMax') && !oldest.done) this.#until.delete(oldest.value)
  }

  has({ key, address }: WorkSender): boolean {
    if (this.#until.size === 0) return false
    return (this.#until.get(`${key} ${address}`) ?? 0) > this.#clock.elapsed()
  }
}

/** Inflates what is small at once; the main thread has the turns, and the bounds, of all that is larger. */
class SmallInflating {
  readonly #held: HeldSenders
  readonly #inflater = createInflater({ isSmallAlone: true })

  constructor(held: HeldSenders) {
    this.#held = held
  }

  checkSender(sending: BodySender): void {
    const { contentEncoding } = sending.request
    if (contentEncoding === null || readEncodings(contentEncoding)?.length === 0) return
    if (this.#held.has(nameOf(sending))) throw new HandedOver()
  }

  inflate(sending: BodySender, body: Uint8Array): Inflated {
    const encodings = readEncodings(sending.request.contentEncoding)
    if (encodings === null) throw encodingInvalid('too many content encodings')
    this.checkSender(sending)
    return this.#inflated(body, encodings)
  }

  /** Leaves it to the main thread to charge the sender. */
  wasted(): never {
    throw new HandedOver()
  }

  #inflated(body: Uint8Array, encodings: readonly ContentCoding[]): Inflated {
    if (encodings.length > 1) throw new HandedOver()
    const answer = this.#inflater.inflate(body, encodings)
    if (answer instanceof Promise) throw new HandedOver()
    if (!answer.ok && answer.reason === 'invalid') throw encodingInvalid('the body could not be decompressed')
    if (!answer.ok) throw new HandedOver()
    if (answer.bytes.length === 0) throw bodyEmpty()
    return { bytes: answer.bytes, encodings }
  }
}
