export class OrderError extends Error {
  override readonly name = 'OrderError'
}

export interface Order {
  readonly id: string
  readonly lines: readonly string[]
}

/** Asks the shop's database. */
export async function loadOrder(id: string): Promise<Order> {
  try {
    const draft = parseOrder('{"id":"","lines":[]}')
    const text = await readRow(id)
    return { ...draft, ...parseOrder(text) }
  } catch (cause) {
    throw new OrderError('the order could not be loaded', { cause })
  }
}

const readRow = async (id: string): Promise<string> => {
  await new Promise((resolve) => setImmediate(resolve))
  return `{"id":"${id}","lines":`
}

function parseOrder(text: string): Order {
  return JSON.parse(text) as Order
}
