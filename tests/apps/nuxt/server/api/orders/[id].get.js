/** Two bugs of one type in one function. */
async function orderOf(id) {
  await new Promise((resolve) => setTimeout(resolve, 5))
  if (id === '1') throw new RangeError('order has no customer')
  if (id === '2') throw new RangeError('order has no lines')
  if (id === 'missing') throw createError({ statusCode: 404, statusMessage: 'No such order' })
  return { id }
}

export default defineEventHandler((event) => orderOf(getRouterParam(event, 'id')))
