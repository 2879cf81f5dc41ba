type Stock = readonly [name: string, count: number]

/** Stock of the shop. */
export class Inventory {
  readonly #counts: Map<string, number>

  constructor(stock: readonly Stock[]) {
    this.#counts = new Map(stock)
  }

  take(name: string, count: number): number {
    const left = this.#countOf(name) - count
    if (left < 0) throw new RangeError(`${-left} of ${name} are missing`)
    this.#counts.set(name, left)
    return left
  }

  #countOf(name: string): number {
    const count = this.#counts.get(name)
    if (count === undefined) throw new TypeError(`nothing is called ${name}`)
    return count
  }
}
