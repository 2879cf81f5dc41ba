/**
 * Connections by address. An idle one costs little, but there is room for so many: who opens all of them keeps everybody
 * else out. Where there are many, a new one takes the place of one of the address that has most.
 */
import type { Socket } from 'node:net'
import { addressKey } from '#base/address-key.ts'
import { max } from '#limits/limits.ts'

export interface CrowdBounds {
  /** Fewer are no crowd. */
  readonly connections: number
  /** Nobody with fewer loses one. */
  readonly perAddress: number
}

/** `isProxy`: whether whoever is at an address speaks for others, of whom it has to hold a connection each. */
export class CrowdedConnections {
  readonly #bounds: CrowdBounds
  readonly #isProxy: (address: string) => boolean
  /** Sockets by address, least recently used first. */
  readonly #byAddress = new Map<string, Set<Socket>>()
  #count = 0

  constructor(isProxy: (address: string) => boolean, bounds: CrowdBounds = crowdBounds()) {
    this.#isProxy = isProxy
    this.#bounds = bounds
  }

  opened(socket: Socket): void {
    this.#count += 1
    socket.once('close', () => {
      this.#count -= 1
    })
    const { remoteAddress } = socket
    if (remoteAddress === undefined || this.#isProxy(remoteAddress)) return
    const key = addressKey(remoteAddress)
    const own = this.#byAddress.get(key) ?? new Set()
    this.#byAddress.set(key, own.add(socket))
    socket.once('close', () => {
      own.delete(socket)
      if (own.size === 0 && this.#byAddress.get(key) === own) this.#byAddress.delete(key)
    })
    if (this.#count > this.#bounds.connections) this.#closeOne()
  }

  /** It sends a request. Without a crowd nobody asks which did so last. */
  used(socket: Socket): void {
    if (this.#count <= this.#bounds.connections / 2) return
    const own = this.#byAddress.get(addressKey(socket.remoteAddress ?? null))
    if (own?.delete(socket) === true) own.add(socket)
  }

  #closeOne(): void {
    let most: Set<Socket> | null = null
    for (const own of this.#byAddress.values())
      if (own.size > (most?.size ?? this.#bounds.perAddress)) most = own
    for (const oldest of most ?? []) {
      // Its own event comes later, and a burst of new ones must not choose it again.
      most?.delete(oldest)
      oldest.destroy()
      return
    }
  }
}

/** Bounds of one of `parts` servers that share a port. */
export function crowdBounds(parts = 1): CrowdBounds {
  return {
    connections: Math.ceil(max('connectionsCrowdedFrom') / parts),
    perAddress: Math.ceil(max('connectionsPerAddressMin') / parts),
  }
}
