/**
 * Steps that texts of people may take against texts of events. A step is about a character that is looked at; what is
 * counted is the same on every machine. Whoever spends a budget says that it was used up.
 */
export class StepBudget {
  #left: number
  readonly #within: StepBudget | null

  /** `within`: the larger budget that the same steps are taken from. */
  constructor(steps: number, within: StepBudget | null = null) {
    this.#left = steps
    this.#within = within
  }

  /** Stays so from the first step on that there was no room for. */
  get isSpent(): boolean {
    return this.#left < 0 || (this.#within?.isSpent ?? false)
  }

  /** False where there was no room for them. */
  take(steps: number): boolean {
    this.#left -= steps
    const had = this.#within?.take(steps) ?? true
    return this.#left >= 0 && had
  }
}
