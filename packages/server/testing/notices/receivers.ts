/** Servers on loopback that notices are sent to. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Random } from '#base/random.ts'
import type { SmtpServer } from '#limits/smtp-setting.ts'

export const ERRATA_URL = 'https://errata.example.com'
export const KEY = 'ab'.repeat(16)

/** Hex digits of the middle: no jitter. */
export const evenRandom: Random = { hex: (bytes) => '7f'.repeat(bytes), token: (bytes) => 'A'.repeat(bytes) }

export interface HookCall {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Hook {
  readonly port: number
  readonly calls: readonly HookCall[]
  /** `path` begins with a slash. */
  url(path?: string): string
  close(): Promise<void>
}

/** A receiver of webhooks on loopback; `answer` runs once the body is read. */
export async function openHook(
  answer: RequestListener = (_, response) => response.writeHead(204).end(),
): Promise<Hook> {
  const calls: HookCall[] = []
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      calls.push({ method, url, headers, body: Buffer.concat(chunks).toString('utf8') })
      answer(request, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    calls,
    url: (path = '/hook') => `http://127.0.0.1:${address.port}${path}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export interface Letter {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
  readonly user: string | null
}

export interface Post {
  readonly smtp: SmtpServer
  readonly letters: readonly Letter[]
  close(): Promise<void>
}

/** A real mail server on loopback. Options override what it takes; it takes everything. */
export async function openPost(
  options: SMTPServerOptions = {},
  login: SmtpServer['login'] = null,
): Promise<Post> {
  const letters: Letter[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    hideSize: true,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? '' }),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        letters.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
          user: typeof session.user === 'string' ? session.user : null,
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {}) // a client that hangs up is part of some tests
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    smtp: {
      host: '127.0.0.1',
      port: address.port,
      isTls: options.secure === true,
      login,
      from: { name: 'Errata', address: 'errata@example.com' },
    },
    letters,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
