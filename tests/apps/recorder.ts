/** Stands between a tool and Errata, passes everything on, and remembers what was asked and answered. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

export interface Recorder extends AsyncDisposable {
  readonly url: string
  /** `METHOD path status` of each request since the last call, in order. */
  taken(): readonly string[]
}

export async function recorderOf(target: string): Promise<Recorder> {
  let calls: string[] = []
  const to = new URL(target)
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = 'GET', url = '/', headers } = incoming
    const onwards = request({ host: to.hostname, port: to.port, method, path: url, headers }, (answer) => {
      calls.push(`${method} ${url} ${answer.statusCode}`)
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onwards.on('error', (error) => {
      calls.push(`${method} ${url} ${error.message}`)
      outgoing.writeHead(502).end(error.message)
    })
    incoming.pipe(onwards)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('listens on no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    taken() {
      const before = calls
      calls = []
      return before
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The calls that send bytes of files. */
export const chunksIn = (calls: readonly string[]) =>
  calls.filter((call) => /^POST \S+\/chunk-upload\/ /.test(call))

/** The calls that were answered with a refusal. */
export const refusedIn = (calls: readonly string[]) => calls.filter((call) => !/ [23]\d\d$/.test(call))
