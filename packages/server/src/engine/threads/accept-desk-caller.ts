/** The main thread as a thread that accepts asks it: all that one turn of the loop asks is one message. */
import type { AcceptDesk } from '#accept/accept-apart.ts'
import type { ReadEnvelope } from '#accept/admission.ts'
import { answerStored, type TakenBody } from '#accept/taken.ts'
import type { AcceptAnswer, AcceptRequest, RefusedBody } from '#accept/types.ts'
import type { Answers, Ask, FromAccept } from './accept-messages.ts'

type Answer = Answers['others'][number][1]

interface Waiting {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
  /** Envelope that is to be admitted; its answer follows from it. */
  readonly taken: TakenBody | null
}

export class AcceptDeskCaller implements AcceptDesk {
  readonly #tell: (message: FromAccept, move: readonly ArrayBuffer[]) => void
  readonly #waiting = new Map<number, Waiting>()
  #asks: Ask[] = []
  #bodies: Uint8Array[] = []
  #bytes = 0
  #asked = 0
  #isFlushing = false

  constructor(tell: (message: FromAccept, move: readonly ArrayBuffer[]) => void) {
    this.#tell = tell
  }

  admit({ who, taken, request }: ReadEnvelope): Promise<AcceptAnswer> {
    const { body, attachments: _, ...read } = taken
    const place = this.#place(body)
    // Its bytes are in the message: nothing of it is held here meanwhile.
    const answer = this.#wait<AcceptAnswer>({ ...taken, body: NO_BODY })
    const by = [request.clientAddress, request.userAgent] as const
    this.#ask(['admit', this.#asked, place, who.sender.key.public, who.client, by, read])
    return answer
  }

  accept({ body, query, ...request }: AcceptRequest): Promise<AcceptAnswer> {
    const place = this.#place(body)
    const answer = this.#wait<AcceptAnswer>(null)
    this.#ask(['accept', this.#asked, place, request, query.text ?? ''])
    return answer
  }

  /** Returns the seconds that an address waits for the relay; `null` if it need not. */
  relayWait(address: string): Promise<number | null> {
    const answer = this.#wait<number | null>(null)
    this.#ask(['relay', this.#asked, address])
    return answer
  }

  /** Counts a cheap answer to an address; false if it has to wait. */
  takesAnswer(address: string): Promise<boolean> {
    const answer = this.#wait<boolean>(null)
    this.#ask(['pace', this.#asked, address])
    return answer
  }

  count(outcome: Parameters<AcceptDesk['count']>[0]): void {
    this.#ask(['count', outcome])
  }

  countRefusal({ begun = null, sent, ...refusal }: RefusedBody): void {
    const { format = 'envelope', signal, contentEncoding = null } = sent ?? {}
    const said = sent && { sent: { format, contentEncoding, ...(signal !== undefined && { signal }) } }
    this.#ask(['refusal', begun === null ? null : this.#place(begun), { ...refusal, ...said }])
  }

  settle({ stored: numbers, others, failed }: Answers): void {
    for (const number of numbers) {
      const waiting = this.#take(number)
      if (waiting?.taken) waiting.resolve(answerStored(waiting.taken, NOTHING_LIMITED))
    }
    for (const [number, answer] of others) this.#take(number)?.resolve(answer)
    for (const number of failed) this.#take(number)?.reject(new Error('the main thread failed'))
  }

  /** Sends what was asked in this turn. */
  flush(): void {
    this.#isFlushing = false
    if (this.#asks.length === 0) return
    const bodies = Buffer.allocUnsafeSlow(this.#bytes)
    let at = 0
    for (const body of this.#bodies) {
      bodies.set(body, at)
      at += body.length
    }
    const asks = JSON.stringify(this.#asks)
    this.#asks = []
    this.#bodies = []
    this.#bytes = 0
    this.#tell({ type: 'turn', asks, bodies }, [bodies.buffer])
  }

  /** The main thread answers each kind of question with `T`. */
  #wait<T extends Answer>(taken: TakenBody | null): Promise<T> {
    const number = ++this.#asked
    return new Promise((resolve, reject) => {
      const answered = (answer: Answer) => resolve(answer as T) // as said above
      this.#waiting.set(number, { resolve: answered, reject, taken })
    })
  }

  #take(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number)
    this.#waiting.delete(number)
    return waiting
  }

  #place(body: Uint8Array): readonly [number, number] {
    const start = this.#bytes
    this.#bodies.push(body)
    this.#bytes += body.length
    return [start, this.#bytes]
  }

  #ask(ask: Ask): void {
    this.#asks.push(ask)
    if (this.#isFlushing) return
    this.#isFlushing = true
    setImmediate(() => this.flush())
  }
}

const NO_BODY = new Uint8Array()
const NOTHING_LIMITED = { limited: [], active: [], counted: [] }
