/** Orders of lists, as the ports say them. */
import type { Waiting } from '#ports/notices.ts'

export type Order<Row> = (a: Row, b: Row) => number

/** Each decides where those before it see no difference. */
export function inOrder<Row>(...orders: readonly Order<Row>[]): Order<Row> {
  return (a, b) => {
    for (const order of orders) {
      const difference = order(a, b)
      if (difference !== 0) return difference
    }
    return 0
  }
}

export function ascending<Row>(of: (row: Row) => number | string): Order<Row> {
  return (a, b) => {
    const [one, other] = [of(a), of(b)]
    return one < other ? -1 : one > other ? 1 : 0
  }
}

export function descending<Row>(of: (row: Row) => number | string): Order<Row> {
  const order = ascending(of)
  return (a, b) => order(b, a)
}

/** By name as people sort names, then by id. */
export const byName = inOrder<{ readonly name: string; readonly id: number }>(
  ascending(({ name }) => name.toLowerCase()),
  ascending(({ id }) => id),
)

export const byId = ascending<{ readonly id: number }>(({ id }) => id)

/** Of rows on their way: one a receiver, due when its earliest is. */
export function earliest<Row extends { readonly dueMs: number | null }>(
  rows: readonly Row[],
  receiverOf: (row: Row) => Omit<Waiting, 'dueMs'>,
): readonly Waiting[] {
  const found = new Map<string, Waiting>()
  for (const row of rows) {
    if (row.dueMs === null) continue
    const one = receiverOf(row)
    const dueMs = Math.min(row.dueMs, found.get(one.receiver)?.dueMs ?? row.dueMs)
    found.set(one.receiver, { ...one, dueMs })
  }
  return [...found.values()]
}
