/**
 * Turns at hashing passwords. Hashing costs a core and 64 MiB for a good while, and anybody may ask for it:
 * known people have turns of their own, so that strangers, however many, never keep them waiting.
 */
import { ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'

/**
 * `known`: signed in, on a device that signed in to the account before, or with a link that was sent. Accounts have
 * their turns one after another. Of strangers those go first whose network failed the least lately.
 */
export type HashAsker =
  | { readonly is: 'known'; readonly account: string }
  | { readonly is: 'stranger'; readonly failures: number }

interface Waiter {
  begin(): void
  refuse(): void
}

interface Stranger extends Waiter {
  readonly failures: number
}

export class HashTurns {
  readonly #refusalMs: number
  /** Accounts in the order of their turns. */
  readonly #known = new Map<string, Waiter[]>()
  /** Strangers in the order they came. */
  readonly #strangers: Stranger[] = []
  #knownWaiting = 0
  #running = 0
  #strangersRunning = 0

  /** `refusalMs`: so long a refusal is held, as whoever asks again at once costs a page each time. */
  constructor(refusalMs = max('pagesRefusalMs')) {
    this.#refusalMs = refusalMs
  }

  /** @throws ErrataError `overloaded` when too many wait. */
  async run<T>(asker: HashAsker, task: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin, reject) => {
      this.#enter(asker, { begin, refuse: () => void setTimeout(() => reject(busy()), this.#refusalMs) })
    })
    try {
      return await task()
    } finally {
      this.#running--
      if (asker.is === 'stranger') this.#strangersRunning--
      this.#beginNext()
    }
  }

  #enter(asker: HashAsker, waiter: Waiter): void {
    if (asker.is === 'known') this.#enterKnown(asker.account, waiter)
    else this.#enterStranger({ ...waiter, failures: asker.failures })
    this.#beginNext()
  }

  #enterKnown(account: string, waiter: Waiter): void {
    const lane = this.#known.get(account) ?? []
    if (
      lane.length >= max('passwordHashesPerAccountMax') ||
      this.#knownWaiting >= max('passwordHashQueueMax')
    )
      waiter.refuse()
    else {
      lane.push(waiter)
      this.#known.set(account, lane)
      this.#knownWaiting++
    }
  }

  /** Whoever failed more makes room for who failed less. */
  #enterStranger(stranger: Stranger): void {
    this.#strangers.push(stranger)
    if (this.#strangers.length <= max('passwordHashStrangersMax')) return
    let last = stranger
    for (const other of this.#strangers) if (other.failures > last.failures) last = other
    this.#strangers.splice(this.#strangers.indexOf(last), 1)
    last.refuse()
  }

  #beginNext(): void {
    while (this.#running < max('passwordHashesMax')) {
      const known = this.#nextKnown()
      const next = known ?? this.#nextStranger()
      if (next === null) return
      this.#running++
      if (known === null) this.#strangersRunning++
      next.begin()
    }
  }

  #nextKnown(): Waiter | null {
    for (const [account, lane] of this.#known) {
      this.#known.delete(account)
      const next = lane.shift()
      if (lane.length > 0) this.#known.set(account, lane)
      if (next === undefined) continue
      this.#knownWaiting--
      return next
    }
    return null
  }

  #nextStranger(): Stranger | null {
    const [first] = this.#strangers
    if (first === undefined || this.#strangersRunning >= max('passwordHashesOfStrangersMax')) return null
    let next = first
    for (const other of this.#strangers) if (other.failures < next.failures) next = other
    this.#strangers.splice(this.#strangers.indexOf(next), 1)
    return next
  }
}

function busy(): ErrataError {
  return new ErrataError('overloaded', 'Too many people are signing in. Try again in a moment.')
}
