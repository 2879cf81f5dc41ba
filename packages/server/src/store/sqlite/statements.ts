/** Statements that run at once, and what they are within a transaction that may wait. */

/** The methods of a port, each answering at once. */
export type Statements<Port> = {
  readonly [K in keyof Port]: Port[K] extends (...given: infer Given) => Promise<infer Answer>
    ? (...given: Given) => Answer
    : never
}

/** `use` is called before each, and throws once the transaction has ended. */
export function withinTransaction<Port extends object>(statements: Statements<Port>, use: () => void): Port
export function withinTransaction(statements: object, use: () => void): object {
  const calls = Object.entries(statements).map(([name, run]) => [
    name,
    async (...given: readonly unknown[]) => {
      use()
      return run(...given)
    },
  ])
  return Object.fromEntries(calls)
}
