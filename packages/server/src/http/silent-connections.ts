/** Connections that have not sent one whole header: anybody can open them, so that there is room for so many and no more. */
import type { Socket } from 'node:net'
import { max } from '#limits/limits.ts'

export interface SilenceBounds {
  readonly sockets: number
  /** Many that come at once were not read yet: each has so long to speak, as long as there are no more than `burst`. */
  readonly graceMs: number
  readonly burst: number
}

export class SilentConnections {
  readonly #bounds: SilenceBounds
  readonly #nowMs: () => number
  /** By when they were opened, the oldest first: whoever has a request to send sends it soon. */
  readonly #sockets = new Map<Socket, number>()

  constructor(bounds: SilenceBounds = silenceBounds(), nowMs = () => performance.now()) {
    this.#bounds = bounds
    this.#nowMs = nowMs
  }

  opened(socket: Socket): void {
    const nowMs = this.#nowMs()
    this.#sockets.set(socket, nowMs)
    socket.once('close', () => this.#sockets.delete(socket))
    const { sockets, graceMs, burst } = this.#bounds
    for (const [oldest, openedMs] of this.#sockets) {
      const { size } = this.#sockets
      if (size <= sockets || (size <= burst && nowMs - openedMs < graceMs)) return
      this.#sockets.delete(oldest)
      oldest.destroy()
    }
  }

  /** It has sent a request: from here on the time-outs of requests and of idle connections are enough. */
  spoke(socket: Socket): void {
    this.#sockets.delete(socket)
  }
}

/** Bounds of one of `parts` servers that share a port. */
export function silenceBounds(parts = 1): SilenceBounds {
  return {
    sockets: Math.ceil(max('connectionsSilentMax') / parts),
    graceMs: max('connectionsSilentGraceMs'),
    burst: Math.ceil(max('connectionsSilentBurstMax') / parts),
  }
}
