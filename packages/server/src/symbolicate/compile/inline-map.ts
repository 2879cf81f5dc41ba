/** The map that a file carries in its own last lines: `//# sourceMappingURL=data:application/json;base64,…`. */

const MARK = 'sourceMappingURL=data:'
const TYPE = /^application\/json[^,]{0,100},/
const END = /["'\s*]/

/**
 * Returns the source map that a file carries in itself. `null` where the file carries none, or one that is no JSON by
 * its own words.
 */
export function inlineMapOf(file: Uint8Array): Uint8Array | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const at = bytes.lastIndexOf(MARK)
  if (at === -1) return null
  const text = bytes.toString('latin1', at + MARK.length)
  const type = TYPE.exec(text)?.[0]
  if (type === undefined) return null
  const length = text.slice(type.length).search(END)
  const encoded = text.slice(type.length, length === -1 ? undefined : type.length + length)
  if (/;base64,$/i.test(type)) return Buffer.from(encoded, 'base64')
  try {
    return Buffer.from(decodeURIComponent(encoded))
  } catch {
    return null // percent signs that encode nothing
  }
}

/** Looks for such a map in a file that comes piece by piece, holding little of it. */
export class InlineMapSearch {
  #tail = ''
  #isInline = false

  /** Whether the last map that the file names is one it carries. */
  get isInline(): boolean {
    return this.#isInline
  }

  add(piece: Uint8Array): void {
    const text = this.#tail + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
    const at = text.lastIndexOf('sourceMappingURL=')
    // A mark that the piece cuts off is looked at again with the next one.
    if (at !== -1 && at + MARK.length <= text.length) this.#isInline = text.startsWith(MARK, at)
    this.#tail = text.slice(-MARK.length)
  }
}
