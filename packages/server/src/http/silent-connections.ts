/** Connections that have not sent one whole header: anybody can open them, so that there is room for so many and no more. */
import type { Socket } from 'node:net'
import { max } from '#limits/limits.ts'

export class SilentConnections {
  readonly #max: number
  /** The oldest first: whoever has a request to send sends it soon. */
  readonly #sockets = new Set<Socket>()

  constructor(socketsMax = max('connectionsSilentMax')) {
    this.#max = socketsMax
  }

  opened(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    if (this.#sockets.size <= this.#max) return
    for (const oldest of this.#sockets) {
      this.#sockets.delete(oldest)
      oldest.destroy()
      return
    }
  }

  /** It has sent a request: from here on the time-outs of requests and of idle connections are enough. */
  spoke(socket: Socket): void {
    this.#sockets.delete(socket)
  }
}
