import { fail } from '@sveltejs/kit'

export const actions = {
  checkout: async () => {
    throw new Error('the card was declined by a bank that does not answer')
  },
  invalid: async () => fail(422, { field: 'name' }),
}
