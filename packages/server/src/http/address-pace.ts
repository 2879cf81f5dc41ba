/** How many requests of one address are answered at once in a second; who asks for more waits. */
import { max } from '#limits/limits.ts'

const SECOND_MS = 1_000

export class AddressPace {
  readonly #perSecond: number
  /** Requests taken in the second under way, by address. */
  readonly #taken = new Map<string, number>()
  #sinceMs = Number.NEGATIVE_INFINITY

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** Whether one more is answered at once. Counts it where it is. */
  takes(address: string, nowMs: number): boolean {
    if (nowMs - this.#sinceMs >= SECOND_MS) {
      this.#taken.clear()
      this.#sinceMs = nowMs
    }
    const taken = this.#taken.get(address) ?? 0
    // Who has as many addresses as that waits with all of them.
    if (taken >= this.#perSecond || (taken === 0 && this.#taken.size >= max('peersRememberedMax')))
      return false
    this.#taken.set(address, taken + 1)
    return true
  }
}
