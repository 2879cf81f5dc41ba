/** Previews take seconds of the thread that reads: an organisation has one at a time, and a page's place is free meanwhile. */
import type { OrgId } from '#base/ids.ts'
import type { ReadScope } from '#ports/scope.ts'

export class PreviewTurns {
  readonly #last = new Map<OrgId, Promise<void>>()

  /** Takes a turn. Those that wait are requests, which are bounded. */
  async take<T>({ orgId }: Pick<ReadScope, 'orgId'>, preview: () => Promise<T>): Promise<T> {
    const before = this.#last.get(orgId)
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    this.#last.set(orgId, over)
    try {
      await before
      return await preview()
    } finally {
      end()
      if (this.#last.get(orgId) === over) this.#last.delete(orgId)
    }
  }
}
