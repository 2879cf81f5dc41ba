/** Two bugs of one type in one function. */
export async function stoneOf(id) {
  await new Promise((resolve) => setTimeout(resolve, 5))
  if (id === '1') throw new RangeError('stone has no quarry')
  if (id === '2') throw new RangeError('stone has no weight')
  return id === 'missing' ? null : { id }
}
