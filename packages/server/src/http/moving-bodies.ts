/**
 * Large bodies that take longer than a body may: each goes on while it moves, and is cut off when it stalls. Node tells
 * once that a request is over its time; from then on this looks at it.
 *
 * ```
 * request ─▶ Node: over its time ─▶ no large body, or it stalls ──▶ 408
 *                                └▶ it moves ─▶ looked at again and again, until it ends, stalls or takes too long
 * ```
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { max } from '#limits/limits.ts'

export interface MovingBodiesOptions {
  /** Milliseconds in which a body must move. */
  readonly windowMs: number
  readonly checkMs: number
  readonly cut: (socket: Duplex) => void
  /** Bytes that must come in each window; default `slowBodyBytesMin` of the limits. */
  readonly bytesMin?: number
  /** Milliseconds from its beginning to its end at most; default `slowBodyMsMax` of the limits. */
  readonly totalMs?: number
  readonly now?: () => number
}

interface Moving {
  readonly begunMs: number
  bytes: number
  /** Bytes that had come when its window began. */
  bytesBefore: number
  windowMs: number
  /** True once its time is over, and it goes on because it moves. */
  isSlow: boolean
}

export class MovingBodies {
  readonly #options: Required<MovingBodiesOptions>
  readonly #open = new Map<Duplex, Moving>()
  #timer: NodeJS.Timeout | null = null

  constructor(options: MovingBodiesOptions) {
    this.#options = {
      bytesMin: max('slowBodyBytesMin'),
      totalMs: max('slowBodyMsMax'),
      now: () => performance.now(),
      ...options,
    }
  }

  /** Passes a large body on, and counts what comes of it. */
  async *watched(
    { socket }: Pick<IncomingMessage, 'socket'>,
    pieces: AsyncIterable<Buffer>,
  ): AsyncGenerator<Buffer, void, void> {
    const nowMs = this.#options.now()
    const moving: Moving = { begunMs: nowMs, bytes: 0, bytesBefore: 0, windowMs: nowMs, isSlow: false }
    this.#open.set(socket, moving)
    try {
      for await (const piece of pieces) {
        moving.bytes += piece.length
        yield piece
      }
    } finally {
      this.#open.delete(socket)
    }
  }

  /** True if the request of a socket whose time is over goes on; it is cut off here when it stalls. */
  goesOn(socket: Duplex): boolean {
    const moving = this.#open.get(socket)
    if (moving === undefined || moving.bytes < this.#options.bytesMin) return false
    moving.isSlow = true
    this.#beginWindow(moving)
    this.#timer ??= setInterval(() => this.#look(), this.#options.checkMs)
    this.#timer.unref()
    return true
  }

  /** Cuts off the slow body that began first, so that another has its place; false if none is slow. */
  giveWay(): boolean {
    for (const [socket, { isSlow }] of this.#open) {
      if (!isSlow) continue
      this.#cut(socket)
      return true
    }
    return false
  }

  #look(): void {
    const { bytesMin, windowMs, totalMs, now } = this.#options
    const nowMs = now()
    let slow = 0
    for (const [socket, moving] of this.#open) {
      if (!moving.isSlow) continue
      slow++
      if (nowMs - moving.begunMs >= totalMs) this.#cut(socket)
      else if (moving.bytes - moving.bytesBefore >= bytesMin) this.#beginWindow(moving)
      else if (nowMs - moving.windowMs >= windowMs) this.#cut(socket)
    }
    if (slow > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  #beginWindow(moving: Moving): void {
    moving.bytesBefore = moving.bytes
    moving.windowMs = this.#options.now()
  }

  #cut(socket: Duplex): void {
    this.#open.delete(socket)
    this.#options.cut(socket)
  }
}
