import { command, query } from '$app/server'

export const stock = query('unchecked', async (name) => {
  if (name === 'bad') throw new Error('the stock is not known')
  return 3
})

export const reserve = command('unchecked', async (name) => {
  if (name === 'bad') throw new Error('nothing can be reserved')
  return 'reserved'
})
