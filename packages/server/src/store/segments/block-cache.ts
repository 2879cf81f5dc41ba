/** The blocks unpacked last, up to `payloadCacheBytesMax`: stepping through an issue's events stays in few blocks. */
import { max } from '#limits/limits.ts'

export class BlockCache {
  /** Blocks, least recently used first. */
  readonly #blocks = new Map<string, Uint8Array>()
  #bytes = 0

  get(key: string): Uint8Array | undefined {
    const block = this.#blocks.get(key)
    if (block === undefined) return undefined
    this.#blocks.delete(key)
    this.#blocks.set(key, block)
    return block
  }

  add(key: string, block: Uint8Array): void {
    if (this.#blocks.has(key)) return
    this.#blocks.set(key, block)
    this.#bytes += block.length
    for (const [oldest, { length }] of this.#blocks) {
      if (this.#bytes <= max('payloadCacheBytesMax')) return
      this.#blocks.delete(oldest)
      this.#bytes -= length
    }
  }

  clear(): void {
    this.#blocks.clear()
    this.#bytes = 0
  }
}
