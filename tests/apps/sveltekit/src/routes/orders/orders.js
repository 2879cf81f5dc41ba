import { error } from '@sveltejs/kit'

/** Two bugs in one function. */
export async function orderOf(id) {
  await new Promise((resolve) => setTimeout(resolve, 5))
  if (id === '1') throw new RangeError('order has no customer')
  if (id === '2') throw new TypeError('order has no lines')
  if (id === '8') throw new SyntaxError('order was archived')
  if (id === '9') throw new URIError('order was lost')
  if (id === 'missing') error(404, 'No such order')
  return { id }
}
