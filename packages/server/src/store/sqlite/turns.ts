/**
 * Turns on the writing connection, one after the other: a transaction that waits for something lets nobody
 * else in.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { assert, ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'

export class Turns {
  /** Newest turn; never rejects. */
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  /** Set within a turn: one that asked for another would wait for itself. */
  readonly #within = new AsyncLocalStorage<true>()

  /** Runs work once all that came before is done. */
  take<T>(work: () => T | Promise<T>): Promise<T> {
    assert(this.#within.getStore() === undefined, 'work of the control store asks for no turn of its own')
    if (this.#waiting >= max('controlTurnsMax')) {
      return Promise.reject(new ErrataError('overloaded', 'too much waits for the control store'))
    }
    this.#waiting++
    const turn = this.#last.then(() => {
      this.#waiting--
      return this.#within.run(true, work)
    })
    this.#last = turn.catch(() => {
      // Whoever asked for the turn is told; the next one begins all the same.
    })
    return turn
  }
}
