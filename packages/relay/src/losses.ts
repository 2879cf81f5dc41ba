/** Counts what was lost on the way, by category and reason, until a client report can tell Errata. */
import {
  categoryOf,
  type HeaderFields,
  readEnvelope,
  readEnvelopeHeader,
  writeEnvelope,
} from '@errata/protocol'
import type { LossReason } from './options.ts'

interface Lost {
  readonly reason: LossReason
  readonly category: string
  quantity: number
}

export class Losses {
  readonly #lost = new Map<string, Lost>()

  get isEmpty(): boolean {
    return this.#lost.size === 0
  }

  /**
   * Counts a lost envelope. If it is cut off, its first item counts; if it cannot be read, it counts as an
   * error, as most are.
   */
  add(envelope: Uint8Array, reason: LossReason): void {
    const items = itemsOf(envelope)
    if (items === null) this.#count('error', 1, reason)
    for (const { type, header } of items ?? []) {
      if (type === 'client_report') continue
      const { category, quantity } = categoryOf(type, header)
      this.#count(category, quantity, reason)
    }
  }

  /** The client report of all that was lost, which begins anew; `restore` takes it back where it was not delivered. */
  take(dsn: string, nowMs: number): { readonly report: Uint8Array; readonly restore: () => void } {
    const taken = [...this.#lost.values()]
    this.#lost.clear()
    const payload = JSON.stringify({ timestamp: nowMs / 1_000, discarded_events: taken })
    return {
      report: writeEnvelope({ dsn }, [{ header: { type: 'client_report' }, payload }]),
      restore: () => {
        for (const { category, quantity, reason } of taken) this.#count(category, quantity, reason)
      },
    }
  }

  #count(category: string, quantity: number, reason: LossReason): void {
    const key = `${reason} ${category}`
    const known = this.#lost.get(key)
    if (known === undefined) this.#lost.set(key, { reason, category, quantity })
    else known.quantity += quantity
  }
}

interface ItemHeader {
  readonly type: string
  readonly header: HeaderFields
}

function itemsOf(envelope: Uint8Array): readonly ItemHeader[] | null {
  const answer = readEnvelope(envelope)
  if (answer.ok) return answer.envelope.items
  const first = readEnvelopeHeader(envelope)
  // An item's header is a line of JSON too.
  const item = first.ok ? readEnvelopeHeader(envelope.subarray(first.next)) : first
  if (!item.ok || typeof item.header.type !== 'string') return null
  return [{ type: item.header.type, header: item.header }]
}
