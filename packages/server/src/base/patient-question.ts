/** Questions to parts that may be stuck: what does not come in time is unknown, and keeps nobody waiting. */

/** An answer, or why there is none. */
export type Known<T> =
  | { readonly isKnown: true; readonly value: T }
  | { readonly isKnown: false; readonly why: string }

/** Asked once at a time: to one that is stuck, no second question is sent behind the first. */
export class PatientQuestion<T> {
  readonly #ask: () => Promise<T>
  readonly #waitMs: number
  #open: Promise<Known<T>> | null = null

  /** `ask` may take for ever; each answer is waited for `waitMs` at most. */
  constructor(ask: () => Promise<T>, waitMs: number) {
    this.#ask = ask
    this.#waitMs = waitMs
  }

  /** Never rejects. Where the question is out already, its answer is everybody's. */
  async answer(): Promise<Known<T>> {
    this.#open ??= this.#known()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Known<T>>((resolve) => {
      const why = `no answer within ${this.#waitMs / 1_000} s`
      timer = setTimeout(() => resolve({ isKnown: false, why }), this.#waitMs)
    })
    try {
      return await Promise.race([this.#open, late])
    } finally {
      clearTimeout(timer)
    }
  }

  async #known(): Promise<Known<T>> {
    try {
      return { isKnown: true, value: await this.#ask() }
    } catch (cause) {
      return { isKnown: false, why: cause instanceof Error ? cause.message : String(cause) }
    } finally {
      this.#open = null
    }
  }
}
