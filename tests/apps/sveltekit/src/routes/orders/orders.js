import { error } from '@sveltejs/kit'

/** Bugs in one function, two of one type. */
export async function orderOf(id) {
  await new Promise((resolve) => setTimeout(resolve, 5))
  if (id === '1') throw new RangeError('order has no customer')
  if (id === '2') throw new TypeError('order has no lines')
  if (id === '8') throw new Error('order was archived')
  if (id === '9') throw new Error('order was lost')
  if (id === 'missing') error(404, 'No such order')
  return { id }
}
