/**
 * Bodies inflated for their senders, each within its share. A few are inflated at a time; who used least time of late is
 * next. What came to nothing is charged all the same, and who sends such bodies again and again is refused unread.
 */
import { addressKey } from '#base/address-key.ts'
import type { Clock } from '#base/clock.ts'
import { type LimitName, max } from '#limits/limits.ts'
import type { ContentCoding } from '#model/record.ts'
import type { Sender } from './directory-index.ts'
import { createInflater, type InflateAnswer, readEncodings } from './inflate.ts'
import type { Overload } from './overload.ts'
import { bodyEmpty, encodingInvalid, inflationHeldBack, Refused, refuseOverloaded } from './refusal.ts'
import { SenderWork, type WorkSender } from './sender-work.ts'
import type { AcceptRequest } from './types.ts'

/** A body whose codings are undone, and which those were. */
export interface Inflated {
  readonly bytes: Uint8Array
  readonly encodings: readonly ContentCoding[]
}

/** Sender of a body; `sender` is `null` while only the body would tell. */
export interface BodySender {
  readonly request: Pick<AcceptRequest, 'contentEncoding' | 'clientAddress'>
  readonly sender: Sender | null
}

export interface InflatingOptions {
  readonly clock: Clock
  readonly overload?: Pick<Overload, 'charge'>
  /** Told of a sender whose compressed bodies are refused from now on. */
  readonly onHeld?: (name: WorkSender) => void
}

export class Inflating {
  readonly #clock: Clock
  readonly #overload: InflatingOptions['overload']
  readonly #onHeld: (name: WorkSender) => void
  readonly #work: SenderWork
  readonly #inflater = createInflater()

  constructor({ clock, overload, onHeld = () => {} }: InflatingOptions) {
    this.#clock = clock
    this.#overload = overload
    this.#onHeld = onHeld
    this.#work = new SenderWork(clock)
  }

  /** @throws Refused for whoever has sent bombs of late, while anything has to be inflated. */
  checkSender(sending: BodySender): void {
    const { contentEncoding } = sending.request
    if (contentEncoding === null || readEncodings(contentEncoding)?.length === 0) return
    const waitMs = this.#work.refusedMs(nameOf(sending))
    if (waitMs > 0) throw inflationHeldBack(Math.ceil(waitMs / 1_000))
  }

  /** @throws Refused, or rejects with it. */
  inflate(sending: BodySender, body: Uint8Array): Inflated | Promise<Inflated> {
    const encodings = readEncodings(sending.request.contentEncoding)
    if (encodings === null) throw encodingInvalid('too many content encodings')
    if (encodings.length === 0) return this.#read({ ok: true, bytes: body }, { sending, encodings })
    this.checkSender(sending)
    const name = nameOf(sending)
    const begin = () => {
      const startMs = this.#clock.elapsed()
      return () => this.#work.used(name, this.#clock.elapsed() - startMs)
    }
    const end = begin()
    const answer = this.#inflater.inflate(body, encodings, {
      name,
      usedMs: () => this.#work.usedMs(name),
      begin,
    })
    if (answer instanceof Promise) return answer.then((later) => this.#read(later, { sending, encodings }))
    end()
    return this.#read(answer, { sending, encodings })
  }

  /** Charges the sender for bytes that were inflated and could not be read. */
  wasted(sending: BodySender, bytes: number): void {
    const { sender } = sending
    if (sender !== null) this.#overload?.charge({ keyId: sender.key.id, projectId: sender.project.id }, bytes)
    if (bytes < max('inflationWasteBytesMin')) return
    const name = nameOf(sending)
    this.#work.offended(name)
    if (this.#work.refusedMs(name) > 0) this.#onHeld(name)
  }

  #read(
    answer: InflateAnswer,
    { sending, encodings }: { readonly sending: BodySender; readonly encodings: readonly ContentCoding[] },
  ): Inflated {
    if (answer.ok) {
      if (answer.bytes.length === 0) throw bodyEmpty()
      return { bytes: answer.bytes, encodings }
    }
    if (answer.reason === 'busy') throw refuseOverloaded()
    if (answer.reason === 'invalid') throw encodingInvalid('the body could not be decompressed')
    this.wasted(sending, max('bodyInflatedBytesMax'))
    throw refuseInflated('bodyInflatedBytesMax', 'request body')
  }
}

export function refuseInflated(limit: LimitName, what: string): Refused {
  const detail = `${what} exceeds ${max(limit)} bytes decompressed`
  return new Refused({ code: 'body_too_large', detail, reason: 'too_large' })
}

/** An app and its attacker may share a key, or an address, but hardly both. */
export function nameOf({ request, sender }: BodySender): WorkSender {
  return { key: sender?.key.id ?? null, address: addressKey(request.clientAddress) }
}
