import { once } from 'node:events'
import type { Server } from 'node:http'

/** On a free port of this machine. */
export async function listening(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const close = async () => {
    server.closeAllConnections()
    await new Promise<void>((done) => server.close(() => done()))
  }
  return { url: `http://127.0.0.1:${address.port}`, close }
}
