/** Tries by key, each within a window of its own. In memory, bounded. */
import { max } from '#limits/limits.ts'

interface Window {
  startMs: number
  /** Time of the latest try. */
  lastMs: number
  count: number
}

export class TryWindows {
  readonly #triesMax: number
  readonly #windowMs: number
  readonly #windows = new Map<string, Window>()

  constructor(bounds: { readonly triesMax: number; readonly windowMs: number }) {
    this.#triesMax = bounds.triesMax
    this.#windowMs = bounds.windowMs
  }

  triesIn(key: string, nowMs: number): number {
    return this.#open(key, nowMs)?.count ?? 0
  }

  /** Until the window ends, where there is no try left in it; else 0. */
  waitMs(key: string, nowMs: number): number {
    const window = this.#open(key, nowMs)
    return window === null || window.count < this.#triesMax ? 0 : window.startMs + this.#windowMs - nowMs
  }

  /** Until the next try where those beyond the usual ones are apart, each time longer; else 0. */
  delayMs(key: string, nowMs: number, delay: { readonly firstMs: number; readonly mostMs: number }): number {
    const window = this.#open(key, nowMs)
    if (window === null || window.count < this.#triesMax) return 0
    const apartMs = Math.min(delay.mostMs, delay.firstMs * 2 ** Math.min(30, window.count - this.#triesMax))
    return Math.max(0, window.lastMs + apartMs - nowMs)
  }

  /** Counts a try; the key is the newest then, and when there are too many another goes. */
  count(key: string, nowMs: number): { take(): void; clear(): void } {
    const window = this.#open(key, nowMs) ?? { startMs: nowMs, lastMs: nowMs, count: 0 }
    this.#windows.delete(key)
    this.#windows.set(key, window)
    window.count += 1
    window.lastMs = nowMs
    if (this.#windows.size > max('signInKeysMax')) this.#forgetOne(nowMs)
    return {
      take: () => {
        window.count -= 1
      },
      clear: () => {
        window.count = 0
      },
    }
  }

  #open(key: string, nowMs: number): Window | null {
    const window = this.#windows.get(key)
    return window === undefined || this.#isOver(window, nowMs) ? null : window
  }

  /**
   * Forgets a window: an expired one, else the one with the fewest tries. Whoever invents accounts to have
   * others forgotten would have to try each as often.
   */
  #forgetOne(nowMs: number): void {
    let forgotten: string | null = null
    let fewest = Number.POSITIVE_INFINITY
    let looked = 0
    for (const [key, window] of this.#windows) {
      const count = this.#isOver(window, nowMs) ? -1 : window.count
      if (count < fewest) [forgotten, fewest] = [key, count]
      looked += 1
      if (count < 0 || looked >= max('signInKeysWeighed')) break
    }
    if (forgotten !== null) this.#windows.delete(forgotten)
  }

  #isOver({ startMs }: Window, nowMs: number): boolean {
    return nowMs - startMs >= this.#windowMs
  }
}
