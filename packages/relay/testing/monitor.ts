/** A monitor as relays see it: takes envelopes over HTTP, and answers what it is told to. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { Socket } from 'node:net'

export interface TakenRequest {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface MonitorAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const KEY = '0123456789abcdef0123456789abcdef'

export class Monitor implements AsyncDisposable {
  readonly taken: TakenRequest[] = []
  /** `silence`: the request is taken and never answered. */
  answer: MonitorAnswer | 'silence' = { status: 200, body: '{"id":"1"}' }
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #port = 0

  constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of request) chunks.push(chunk as Buffer) // an incoming message yields buffers
      } catch {
        return // the sender broke off, as some tests want
      }
      this.taken.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
      if (this.answer === 'silence') return
      const { status, headers = {}, body = '' } = this.answer
      response.writeHead(status, headers).end(body)
    })
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get dsn(): string {
    return `http://${KEY}@127.0.0.1:${this.#port}/prefix/42`
  }

  /** Listens, after `stop` at the same port as before. */
  async start(): Promise<this> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (typeof address === 'object' && address !== null) this.#port = address.port
    return this
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.stop()
  }
}

/** An envelope of one event for a DSN. */
export function anEnvelope(dsn: unknown, message = 'hi'): string {
  const payload = JSON.stringify({ message })
  return `${JSON.stringify({ dsn })}\n{"type":"event","length":${payload.length}}\n${payload}\n`
}

/** Resolves when the condition holds; fails after ten seconds. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const endMs = performance.now() + 10_000
  while (!condition()) {
    if (performance.now() > endMs) throw new Error(`not within ten seconds: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
