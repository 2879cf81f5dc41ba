import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/fail')({
  server: {
    handlers: {
      GET: () => {
        throw new Error('the server of tanstack-start fails')
      },
    },
  },
})
