/** What was lost on the way, counted by category and reason until Errata can be told, in a client report. */
import { categoryOf, type HeaderFields, readEnvelope, writeEnvelope } from '@errata/protocol'
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

  /** An envelope whose items cannot be read, compressed or cut off, counts as one error: what most of them are. */
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

function itemsOf(
  envelope: Uint8Array,
): readonly { readonly type: string; readonly header: HeaderFields }[] | null {
  const answer = readEnvelope(envelope)
  return answer.ok ? answer.envelope.items : null
}
