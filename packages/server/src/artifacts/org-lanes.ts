/** Runs one thing at a time for each organisation, in the order asked. */
import type { OrgId } from '#base/ids.ts'

export class OrgLanes {
  readonly #last = new Map<OrgId, Promise<unknown>>()

  /** Runs when what came before has ended, however that ended. */
  run<T>(org: OrgId, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(org) ?? Promise.resolve()
    const mine = before.then(work, work)
    const done = mine
      .catch(() => {}) // whoever asked has the error
      .then(() => {
        if (this.#last.get(org) === done) this.#last.delete(org)
      })
    this.#last.set(org, done)
    return mine
  }
}
