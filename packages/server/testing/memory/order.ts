/** Orders of lists, as the ports say them. */

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
