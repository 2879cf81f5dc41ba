/** Customers' apps on real frameworks, each with its relay adapter and one page. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { relay as expressRelay } from '@errata/relay/express'
import { relay as fastifyRelay } from '@errata/relay/fastify'
import { relay as honoRelay } from '@errata/relay/hono'
import { relay as nodeRelay, type RelayOptions } from '@errata/relay/node'
import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'

export interface RelayApp extends AsyncDisposable {
  readonly url: string
}

type Start = (html: string, options: RelayOptions) => Promise<RelayApp>

interface AnyServer {
  address(): AddressInfo | string | null
  close(done: () => void): unknown
  closeAllConnections?(): void
}

export const RELAY_APPS: Readonly<Record<'express' | 'fastify' | 'hono' | 'node:http', Start>> = {
  express: async (html, options) => {
    const app = express()
    app.use(expressRelay(options))
    app.use(express.text(), express.json()) // as apps have them, for their own routes
    app.get('/', (_request, response) => void response.type('html').send(html))
    app.post('/echo', (request, response) => void response.send(String(request.body)))
    return running((done) => app.listen(0, '127.0.0.1', done))
  },
  fastify: async (html, options) => {
    const app = fastify()
    await app.register(fastifyRelay, options)
    app.get('/', (_request, reply) => reply.type('text/html').send(html))
    app.post('/echo', (request, reply) => reply.send(String(request.body)))
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    return { url, [Symbol.asyncDispose]: () => app.close() }
  },
  hono: async (html, options) => {
    const app = new Hono()
    app.use(honoRelay(options))
    app.get('/', (context) => context.html(html))
    app.post('/echo', async (context) => context.text(await context.req.text()))
    return running((done) => serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, done))
  },
  'node:http': async (html, options) => {
    const relay = nodeRelay(options)
    const server = createServer(async (request, response) => {
      if (relay(request, response)) return
      if (request.method !== 'POST') return void response.setHeader('content-type', 'text/html').end(html)
      for await (const chunk of request) response.write(chunk)
      response.end()
    })
    return running((done) => server.listen(0, '127.0.0.1', done))
  },
}

async function running(listen: (done: () => void) => AnyServer): Promise<RelayApp> {
  const server = await new Promise<AnyServer>((resolve) => {
    const listening = listen(() => resolve(listening))
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the app listens on no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections?.()
      }),
  }
}
