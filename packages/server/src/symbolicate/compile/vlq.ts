/** Numbers as source maps write them: base 64, five bits a digit, lowest first. */
import { DamagedMap } from './raw-map.ts'

export const VLQ_COMMA = 44
export const SEMICOLON = 59

const VALUES = base64Values()

function base64Values(): Int8Array {
  const values = new Int8Array(128).fill(-1)
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  for (const [value, digit] of [...digits].entries()) values[digit.charCodeAt(0)] = value
  return values
}

export class VlqReader {
  readonly #text: string
  readonly #what: string
  #at = 0

  /** `what` the text is of its map, for whoever is told that it is damaged. */
  constructor(text: string, what: string) {
    this.#text = text
    this.#what = what
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  get code(): number {
    return this.#text.charCodeAt(this.#at)
  }

  skip(): void {
    this.#at++
  }

  isItemEnd(): boolean {
    if (this.isAtEnd) return true
    return this.code === VLQ_COMMA || this.code === SEMICOLON
  }

  /** @throws DamagedMap where no number stands */
  unsigned(): number {
    let value = 0
    for (let shift = 0; ; shift += 5) {
      const digit = VALUES[this.code] ?? -1
      if (digit < 0 || shift > 30) throw new DamagedMap(`no number at ${this.#at} of its ${this.#what}`)
      this.#at++
      value += (digit & 31) * 2 ** shift
      if ((digit & 32) === 0) return value
    }
  }

  /** @throws DamagedMap where no number stands */
  signed(): number {
    const value = this.unsigned()
    const amount = Math.floor(value / 2)
    return value % 2 === 1 ? -amount : amount
  }
}
