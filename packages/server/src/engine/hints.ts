/**
 * Hints from the commit to the process threads, about what they may leave out; each kind remembers its own.
 */
import type { HintMemory, Kinds } from '#kinds/kind.ts'
import type { KindHint } from '#model/batch.ts'
import type { KindName } from '#model/file-name.ts'

export class Hints {
  readonly #kinds: Kinds
  readonly #memories = new Map<KindName, HintMemory | null>()

  constructor(kinds: Kinds) {
    this.#kinds = kinds
  }

  note(hints: readonly KindHint[]): void {
    for (const { kind, of } of hints) this.#memoryOf(kind)?.note(of)
  }

  list(): readonly KindHint[] {
    return [...this.#memories].flatMap(([kind, memory]) => {
      const of = memory?.list() ?? null
      return of === null ? [] : [{ kind, of }]
    })
  }

  /** A project may keep more than before. */
  clear(): void {
    for (const memory of this.#memories.values()) memory?.clear()
  }

  #memoryOf(kind: KindName): HintMemory | null {
    let memory = this.#memories.get(kind)
    if (memory === undefined) {
      memory = this.#kinds.stored(kind).keep.hints?.() ?? null
      this.#memories.set(kind, memory)
    }
    return memory
  }
}
