/** A proxy as nginx is one: `location /errata/ { proxy_pass http://upstream; }`, with and without a URI behind it. */
import { once } from 'node:events'
import { request as ask, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PrefixProxy extends AsyncDisposable {
  readonly origin: string
  /** Requests that were answered outside of the prefix: whatever a browser asked for there does not exist. */
  readonly astray: readonly string[]
}

export interface PrefixProxyOptions {
  readonly prefix: string
  /** `keeps`: `proxy_pass` without a URI passes the path on as it is. `removes`: with `/`, the prefix is replaced by it. */
  readonly path: 'keeps' | 'removes'
  /** Returns the port of the server behind it, which starts later, with the proxy's address. */
  readonly port: () => number
}

export async function startPrefixProxy({ prefix, path, port }: PrefixProxyOptions): Promise<PrefixProxy> {
  const astray: string[] = []
  const server = createServer((request, response) => {
    const url = request.url ?? '/'
    if (url !== prefix && !url.startsWith(`${prefix}/`)) {
      astray.push(`${request.method} ${url}`)
      response.writeHead(404, { 'content-type': 'text/plain' }).end('no such location')
      return
    }
    const passed = path === 'keeps' ? url : url.slice(prefix.length) || '/'
    const headers = { ...request.headers, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' }
    const behind = ask({ port: port(), host: '127.0.0.1', method: request.method, path: passed, headers })
    behind.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    behind.on('error', () => {
      response.writeHead(502).end()
    })
    request.pipe(behind)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo // a TCP server that listens has one
  return { origin: `http://localhost:${address.port}`, astray, [Symbol.asyncDispose]: () => closed(server) }
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
