export interface CartLine {
  readonly name: string
  readonly price: number
  readonly count: number
}

/** Cart of a visitor. */
export class Cart {
  #lines: CartLine[] = []

  add(line: CartLine): this {
    this.#lines.push(line)
    return this
  }

  total(): number {
    return this.#lines.reduce((sum, line) => sum + priceOf(line), 0)
  }

  /** The dearest first. */
  get sorted(): readonly CartLine[] {
    return this.#lines.toSorted((one, other) => priceOf(other) - priceOf(one))
  }
}

export function priceOf(line: CartLine): number {
  const isCountable = Number.isInteger(line.count) && line.count >= 0
  if (!isCountable) {
    throw new RangeError(`not a count: ${line.count} of ${line.name}`)
  }
  return line.price * line.count
}
