import { createServer, type IncomingMessage } from 'node:http'
import * as Sentry from '@sentry/node'
import { Inventory } from './inventory'
import { loadOrder, OrderError } from './orders'

const inventory = new Inventory([['tea', 3]])

/** Handler of each path. Every one of them fails. */
const routes: Readonly<Record<string, (request: IncomingMessage) => Promise<string>>> = {
  '/stock': async () => `${inventory.take('tea', 5)} left`,
  '/order': async () => JSON.stringify(await loadOrder('40118')),
  '/later': async () => {
    setTimeout(() => inventory.take('cup', 1), 5)
    return 'soon'
  },
}

const server = createServer(async (request, response) => {
  try {
    const route = routes[request.url ?? '/']
    response.end(route === undefined ? 'ready' : await route(request))
  } catch (error) {
    Sentry.captureException(error)
    response.writeHead(error instanceof OrderError ? 502 : 500).end('failed')
  }
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`listening ${typeof address === 'object' ? address?.port : address}`)
})
