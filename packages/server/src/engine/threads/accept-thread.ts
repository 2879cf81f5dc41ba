/** Handles one thread that accepts from the main thread: begun again when it dies, and answered once a turn. */
import { Worker } from 'node:worker_threads'
import type { MainAccept } from '#accept/accept.ts'
import type { AcceptAnswer, AcceptRequest } from '#accept/types.ts'
import type { Log } from '#base/log.ts'
import type { IngestDesk } from '#http/types.ts'
import { max } from '#limits/limits.ts'
import type { AcceptStart, Answers, Ask, FromAccept, Note, ToAccept } from './accept-messages.ts'
import { BeatWatch } from './beat-watch.ts'

export interface AcceptThreadOptions {
  readonly url: URL
  readonly start: AcceptStart
  readonly accept: MainAccept
  readonly desk: IngestDesk
  readonly log: Log
  /** Returns what a thread has to know that begins now, and the number of the last note. */
  known(): { readonly number: number; readonly notes: readonly Note[] }
}

/** How a thread ended that had to be begun again. */
export type ThreadEnd = 'died' | 'hung'

export class AcceptThread {
  /** Ends that nobody asked for, since the start. */
  readonly ends: Record<ThreadEnd, number> = { died: 0, hung: 0 }
  readonly #options: AcceptThreadOptions
  #life: AcceptLife | null = null
  #isClosing = false
  #pauseMs = 0
  #timer: NodeJS.Timeout | null = null

  constructor(options: AcceptThreadOptions) {
    this.#options = options
  }

  /** True while it takes connections. */
  get isListening(): boolean {
    return this.#life?.isListening ?? false
  }

  /** Begins it, and returns why it does not listen; `null` when it does. */
  async begin(): Promise<string | null> {
    const life = new AcceptLife(this.#options)
    // Told of everything from here on, before it listens.
    this.#life = life
    const failure = await life.listening
    if (failure !== null) {
      this.#life = null
      await life.end()
      return failure
    }
    void life.ended.then((reason) => this.#died(life, reason))
    return null
  }

  note(number: number, note: Note): void {
    this.#life?.tell({ type: 'note', number, note })
  }

  /** Resolves when everything that it has counted is known here. */
  async settled(): Promise<void> {
    await this.#life?.settled()
  }

  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#life?.close()
  }

  #died(life: AcceptLife, reason: string): void {
    if (this.#isClosing || life !== this.#life) return
    this.#life = null
    this.ends[life.isHung ? 'hung' : 'died'] += 1
    // What it held is gone with it.
    const { start, log } = this.#options
    Atomics.store(start.shared.bodies, start.own, 0)
    const what = life.isHung ? 'hung and was ended' : 'has ended by itself'
    log.error(`a thread that accepts ${what}`, { reason })
    this.#pauseMs = life.ageMs() > max('threadRestartMsMax') ? 0 : this.#nextPause()
    this.#beginLater()
  }

  #nextPause(): number {
    return Math.min(max('threadRestartMsMax'), Math.max(max('threadRestartMs'), 2 * this.#pauseMs))
  }

  #beginLater(): void {
    this.#timer = setTimeout(() => {
      void this.begin().then((failure) => {
        if (this.#isClosing) void this.#life?.close()
        if (this.#isClosing) return
        if (failure === null) return this.#options.log.info('a thread that accepts runs again')
        this.#options.log.error('a thread that accepts cannot begin again', { reason: failure })
        this.#pauseMs = this.#nextPause()
        this.#beginLater()
      })
    }, this.#pauseMs)
  }
}

/** Its life from one start to its end. */
class AcceptLife {
  readonly listening: Promise<string | null>
  /** Resolves with why. */
  readonly ended: Promise<string>
  readonly #options: AcceptThreadOptions
  readonly #worker: Worker
  readonly #begunMs = performance.now()
  readonly #beats: BeatWatch
  readonly #watch: NodeJS.Timeout
  /** True from its first connection on, until its end. */
  isListening = false
  /** True once it was ended because it gave no sign of life. */
  isHung = false
  #answers: { stored: number[]; others: Answers['others'][number][]; failed: number[] } | null = null
  #whenSettled: (() => void)[] = []
  #whenClosed: () => void = () => {}
  #whenListening: (failure: string | null) => void = () => {}

  constructor(options: AcceptThreadOptions) {
    this.#options = options
    this.#worker = new Worker(options.url, { name: 'accept', workerData: options.start })
    const { shared, own } = options.start
    this.#beats = new BeatWatch(() => Atomics.load(shared.beats, own))
    this.#watch = setInterval(() => this.#look(), max('acceptBeatMs')).unref()
    let error = ''
    this.#worker.on('message', (message: FromAccept) => this.#hear(message))
    // Without a listener the error of a thread would end the process; its exit follows.
    this.#worker.on('error', (cause) => {
      error = cause instanceof Error ? cause.message : String(cause)
    })
    this.listening = new Promise((resolve) => {
      this.#whenListening = resolve
    })
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        clearInterval(this.#watch)
        this.isListening = false
        const message = this.#endedBy(code, error)
        for (const settle of this.#whenSettled.splice(0)) settle()
        this.#whenClosed()
        this.#whenListening(message)
        resolve(message)
      })
    })
    const { number, notes } = options.known()
    const last = notes.length - 1
    for (const [at, note] of notes.entries())
      this.tell({ type: 'note', number: at === last ? number : -1, note })
  }

  ageMs(): number {
    return performance.now() - this.#begunMs
  }

  tell(message: ToAccept): void {
    this.#worker.postMessage(message)
  }

  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenSettled.push(resolve)
      this.tell({ type: 'settle' })
    })
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#whenClosed = resolve
    })
    this.tell({ type: 'close' })
    const late = setTimeout(this.#whenClosed, max('stopMsMax'))
    await Promise.race([closed, this.ended])
    clearTimeout(late)
    await this.end()
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  /** Ends it when its loop has stood still for too long: nothing else takes what a loop without end holds. */
  #look(): void {
    const silentMs = this.#beats.look() * max('acceptBeatMs')
    if (this.isHung || silentMs < max(this.isListening ? 'acceptSilentMs' : 'acceptStartMs')) return
    this.isHung = true
    void this.#worker.terminate()
  }

  #endedBy(code: number, error: string): string {
    if (this.isHung) return 'it gave no sign of life'
    return error === '' ? `exit code ${code}` : error.slice(0, REASON_CHARS)
  }

  #hear(message: FromAccept): void {
    if (message.type === 'turn') this.#take(message)
    else if (message.type === 'ready') {
      this.isListening = true
      this.#whenListening(null)
    } else if (message.type === 'refused') this.#whenListening(message.message)
    else if (message.type === 'settled') this.#whenSettled.shift()?.()
    else this.#whenClosed()
  }

  #take({ asks: text, bodies }: FromAccept & { readonly type: 'turn' }): void {
    const asks: readonly Ask[] = JSON.parse(text) // written by `AcceptDeskCaller`
    const answering: Promise<void>[] = []
    for (const ask of asks) {
      const answer = this.#answer(ask, bodies)
      if (answer !== null) answering.push(answer)
    }
    if (answering.length > 0) void this.#options.desk.first.ingest(() => Promise.all(answering))
  }

  /** `null` for what is answered at once, or not at all. */
  #answer(ask: Ask, bodies: Uint8Array): Promise<void> | null {
    const { accept, desk } = this.#options
    switch (ask[0]) {
      case 'admit': {
        const [, number, [start, end], publicKey, client, [clientAddress, userAgent], read] = ask
        const taken = { ...read, body: bodies.subarray(start, end) }
        const request = { clientAddress, userAgent }
        return this.#tellStored(number, accept.admitRead({ publicKey, client, taken, request }))
      }
      case 'accept': {
        const [, number, [start, end], described, search] = ask
        return this.#tellOther(
          number,
          accept.accept(acceptRequest(described, search, bodies.subarray(start, end))),
        )
      }
      case 'relay':
        this.#later().others.push([ask[1], desk.limiter.admit(ask[2])])
        return null
      case 'pace':
        this.#later().others.push([ask[1], desk.paced.takes(ask[2])])
        return null
      case 'count':
        accept.count(ask[1])
        return null
      case 'refusal': {
        const begun = ask[1] === null ? null : bodies.subarray(...ask[1])
        accept.countRefusal({ ...ask[2], begun })
        return null
      }
    }
  }

  async #tellStored(number: number, answering: Promise<AcceptAnswer>): Promise<void> {
    try {
      const answer = await answering
      const isPlain = answer.error === null && answer.rateLimits === null
      if (isPlain) this.#later().stored.push(number)
      else this.#later().others.push([number, answer])
    } catch (cause) {
      this.#fail(number, cause)
    }
  }

  async #tellOther(number: number, answering: Promise<AcceptAnswer>): Promise<void> {
    try {
      const answer = await answering
      this.#later().others.push([number, answer])
    } catch (cause) {
      this.#fail(number, cause)
    }
  }

  #fail(number: number, cause: unknown): void {
    this.#options.log.error('accept: an envelope failed', {
      reason: (cause instanceof Error ? cause.message : String(cause)).slice(0, REASON_CHARS),
    })
    this.#later().failed.push(number)
  }

  /** Answers of this turn: a group commit of the journal answers many at once. */
  #later() {
    if (this.#answers !== null) return this.#answers
    const answers = { stored: [], others: [], failed: [] }
    this.#answers = answers
    process.nextTick(() => {
      this.#answers = null
      this.tell({ type: 'answers', ...answers })
    })
    return answers
  }
}

const REASON_CHARS = 200

function acceptRequest(
  described: Omit<AcceptRequest, 'body' | 'query'>,
  search: string,
  body: Uint8Array,
): AcceptRequest {
  const fields = new URLSearchParams(search)
  return { ...described, body, query: { text: search, get: (name) => fields.get(name) } }
}
