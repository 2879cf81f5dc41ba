/**
 * Envelopes that wait for an Errata that cannot be reached: in memory, within bounds, the oldest tried again with
 * growing pauses. The first that arrives ends the outage, and the rest follow.
 */
import { type Dsn, formatDsn } from '@errata/protocol'
import { Losses } from './losses.ts'
import type { LossReason, RelayDrop } from './options.ts'
import type { Upstream } from './upstream.ts'

export interface KeptEnvelope extends Upstream {
  readonly body: Uint8Array<ArrayBuffer>
}

export interface OutboxOptions {
  /** `false` where Errata still cannot be reached. */
  readonly deliver: (envelope: KeptEnvelope) => Promise<boolean>
  readonly bytesMax: number
  readonly onDropped: (drop: RelayDrop) => void
  readonly pauses?: OutboxPauses
}

export interface OutboxPauses {
  /** Before the first try; doubled after each. */
  readonly firstMs: number
  readonly longestMs: number
  /** An envelope that waited longer is dropped. */
  readonly ageMsMax: number
}

const PAUSES: OutboxPauses = { firstMs: 1_000, longestMs: 60_000, ageMsMax: 30 * 60_000 }
/** Bytes added to an envelope's own, so that a bound of bytes also bounds many small ones. */
const OVERHEAD_BYTES = 1_024

interface Waiting {
  readonly envelope: KeptEnvelope
  readonly weight: number
  readonly sinceMs: number
}

export class Outbox {
  readonly #options: OutboxOptions
  readonly #pauses: OutboxPauses
  readonly #waiting: Waiting[] = []
  readonly #losses = new Map<string, { readonly dsn: Dsn; readonly losses: Losses }>()
  #bytes = 0
  #failures = 0
  #isRunning = false

  constructor(options: OutboxOptions) {
    this.#options = options
    this.#pauses = options.pauses ?? PAUSES
  }

  /** Errata could not be reached when it was last tried. */
  get isDown(): boolean {
    return this.#failures > 0
  }

  /** Takes an envelope that could not be delivered; `false` when there is no room, and it is lost and counted. */
  keep(envelope: KeptEnvelope): boolean {
    this.#failures ||= 1
    this.#wake()
    const weight = envelope.body.length + headerBytes(envelope.headers) + OVERHEAD_BYTES
    if (this.#bytes + weight > this.#options.bytesMax) {
      this.lose(envelope.dsn, envelope.body, 'queue_overflow')
      return false
    }
    this.#bytes += weight
    this.#waiting.push({ envelope, weight, sinceMs: performance.now() })
    return true
  }

  /** Counts an envelope as lost, for the client report that goes out when Errata is back. */
  lose(dsn: Dsn, envelope: Uint8Array, reason: LossReason): void {
    const key = formatDsn(dsn)
    const known = this.#losses.get(key) ?? { dsn, losses: new Losses() }
    this.#losses.set(key, known)
    known.losses.add(envelope, reason)
    this.#options.onDropped({ reason, bytes: envelope.length })
    this.#wake()
  }

  #wake(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#runLater()
  }

  #runLater(): void {
    const { firstMs, longestMs } = this.#pauses
    const pauseMs = Math.min(longestMs, firstMs * 2 ** Math.max(0, this.#failures - 1))
    // Spread, so that many processes of an app do not come back at once.
    const timer = setTimeout(() => void this.#run(), pauseMs * (0.5 + Math.random() / 2))
    // Waiting envelopes keep no process alive. Timers are numbers outside of Node.
    if (typeof timer === 'object') timer.unref()
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 || this.#lost() !== null) {
      const isDelivered = (await this.#deliverOldest()) ?? (await this.#report())
      if (isDelivered) this.#failures = 0
      else {
        this.#failures++
        this.#runLater()
        return
      }
    }
    this.#failures = 0
    this.#isRunning = false
  }

  /** `null` where none waits. One that fails goes behind the others: it may be the one that is at fault. */
  async #deliverOldest(): Promise<boolean | null> {
    this.#dropAged()
    const oldest = this.#waiting.shift()
    if (oldest === undefined) return null
    if (await this.#options.deliver(oldest.envelope)) {
      this.#bytes -= oldest.weight
      return true
    }
    this.#waiting.push(oldest)
    return false
  }

  /** Drops envelopes that are too old. A failed one stands behind younger ones, so all are looked at. */
  #dropAged(): void {
    const bornMsMin = performance.now() - this.#pauses.ageMsMax
    for (const { envelope, weight } of this.#waiting.filter(({ sinceMs }) => sinceMs < bornMsMin)) {
      this.#bytes -= weight
      this.lose(envelope.dsn, envelope.body, 'queue_overflow')
    }
    this.#waiting.splice(0, Infinity, ...this.#waiting.filter(({ sinceMs }) => sinceMs >= bornMsMin))
  }

  async #report(): Promise<boolean> {
    const lost = this.#lost()
    if (lost === null) return true
    const { report, restore } = lost.losses.take(formatDsn(lost.dsn), Date.now())
    const headers = { 'content-type': 'application/x-sentry-envelope' }
    const isDelivered = await this.#options.deliver({ dsn: lost.dsn, headers, body: new Uint8Array(report) })
    if (!isDelivered) restore()
    return isDelivered
  }

  #lost(): { readonly dsn: Dsn; readonly losses: Losses } | null {
    for (const lost of this.#losses.values()) if (!lost.losses.isEmpty) return lost
    return null
  }
}

function headerBytes(headers: Readonly<Record<string, string>>): number {
  return Object.values(headers).reduce((sum, value) => sum + value.length, 0)
}
