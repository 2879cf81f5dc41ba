import { ActionError, defineAction } from 'astro:actions'

export const server = {
  cleave: defineAction({ handler: async () => 'carved' }),
  crack: defineAction({
    handler: async () => {
      throw new Error('the stone cannot be cracked')
    },
  }),
  missing: defineAction({
    handler: async () => {
      throw new ActionError({ code: 'NOT_FOUND', message: 'No such stone' })
    },
  }),
}
