/** All threads that accept: begun together, told together what changes. */
import type { MainAccept } from '#accept/accept.ts'
import { OVERLOAD_REASONS, type OverloadReason } from '#accept/overload.ts'
import type { WorkSender } from '#accept/sender-work.ts'
import type { DescribedClock } from '#base/clock.ts'
import type { Log, LogLevel } from '#base/log.ts'
import { SharedBytes } from '#http/shared-bytes.ts'
import type { AcceptThreads, ListeningThreads, SocketState } from '#http/types.ts'
import { max } from '#limits/limits.ts'
import type { DirectoryChange, IngestDirectory } from '#ports/projects.ts'
import { CLOSED_BY, NOTE_NAMES, type Note, type SharedState } from './accept-messages.ts'
import { AcceptThread, type ThreadEnd } from './accept-thread.ts'

/** Threads for so many cores: one on fewer than eight, where HTTP alone would not fill a second. */
export function acceptThreadsFor(cores: number): number {
  return Math.max(1, Math.min(max('acceptThreadsFollowingMax'), Math.floor(cores / 4)))
}

export interface AcceptCrewOptions {
  readonly count: number
  readonly url: URL
  readonly socketDirectory: string
  readonly logLevel: LogLevel
  readonly clock: DescribedClock | null
  readonly log: Log
  readonly accept: MainAccept
  /** Returns the directory as it is now. */
  readonly directory: () => IngestDirectory
}

export class AcceptCrew implements AcceptThreads {
  readonly bodies: SharedBytes
  readonly socketDirectory: string
  readonly #options: AcceptCrewOptions
  readonly #shared: SharedState
  readonly #held = new Map<string, WorkSender>()
  #threads: readonly AcceptThread[] = []
  #publicUrl: string | null = null
  #socket: (() => SocketState) | null = null

  constructor(options: AcceptCrewOptions) {
    this.#options = options
    this.socketDirectory = options.socketDirectory
    const cells = (count: number) =>
      new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT))
    const { count } = options
    this.#shared = { state: cells(2), bodies: cells(count + 1), beats: cells(count) }
    this.bodies = new SharedBytes(this.#shared.bodies, options.count, max('bodiesInFlightBytesMax'))
  }

  get wanted(): number {
    return this.#options.count
  }

  /** Threads that accept now; 0 where the main thread does. */
  get size(): number {
    return this.#threads.length
  }

  /** Threads that listen at this moment. */
  get running(): number {
    return this.#threads.filter(({ isListening }) => isListening).length
  }

  /** Counts threads that had to be begun again, by why: `died` by themselves, or `hung` and were ended. */
  get replaced(): Readonly<Record<ThreadEnd, number>> {
    const sum = (end: ThreadEnd) => this.#threads.reduce((total, { ends }) => total + ends[end], 0)
    return { died: sum('died'), hung: sum('hung') }
  }

  /** Returns the socket file's state; `null` before it is listened to. */
  get socket(): SocketState | null {
    return this.#socket?.() ?? null
  }

  async listen(at: ListeningThreads): Promise<void> {
    const { count } = this.#options
    this.#socket = at.socket
    const threads = Array.from({ length: count }, (_, own) => this.#thread(own, at))
    this.#threads = threads
    const begun = await Promise.all(threads.map((thread) => thread.begin()))
    const failure = begun.find((each) => each !== null)
    if (failure === undefined) return
    await this.close()
    this.#threads = []
    throw new Error(`cannot listen on port ${at.port}: ${failure}`)
  }

  setDirectory(directory: IngestDirectory): void {
    this.#tell({ type: 'directory', directory })
  }

  changeDirectory(change: DirectoryChange): void {
    this.#tell({ type: 'change', change })
  }

  /** Compressed bodies of a sender are refused for a while. */
  hold(name: WorkSender): void {
    const text = `${name.key} ${name.address}`
    this.#held.delete(text)
    this.#held.set(text, name)
    const oldest = this.#held.keys().next()
    if (this.#held.size > max('inflationSendersMax') && !oldest.done) this.#held.delete(oldest.value)
    this.#tell({ type: 'held', name })
  }

  /** Links lead to another address from now on. */
  setAddress(url: string): void {
    this.#publicUrl = url
    this.#tell({ type: 'address', url })
  }

  /** Nobody may come in, or somebody may again. */
  setClosed(reason: OverloadReason | null): void {
    Atomics.store(this.#shared.state, CLOSED_BY, reason === null ? 0 : OVERLOAD_REASONS.indexOf(reason) + 1)
  }

  /** Resolves when everything that threads have counted is known here. */
  async settled(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.settled()))
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #thread(own: number, { desk, publicAddress, socket: _, ...at }: ListeningThreads): AcceptThread {
    const { url, logLevel, clock, log, accept, count } = this.#options
    const address = { publicUrl: publicAddress.url, isUrlFixed: publicAddress.isFixed }
    return new AcceptThread({
      ...{ url, accept, desk, log, known: () => this.#known() },
      start: { ...at, ...address, logLevel, clock, own, parts: count, shared: this.#shared },
    })
  }

  #known(): { readonly number: number; readonly notes: readonly Note[] } {
    const notes: Note[] = [{ type: 'directory', directory: this.#options.directory() }]
    if (this.#publicUrl !== null) notes.push({ type: 'address', url: this.#publicUrl })
    for (const name of this.#held.values()) notes.push({ type: 'held', name })
    return { number: Atomics.load(this.#shared.state, NOTE_NAMES), notes }
  }

  /** Counted before it is sent: a thread that has not heard of it yet knows that there is something. */
  #tell(note: Note): void {
    const number = Atomics.add(this.#shared.state, NOTE_NAMES, 1) + 1
    for (const thread of this.#threads) thread.note(number, note)
  }
}
