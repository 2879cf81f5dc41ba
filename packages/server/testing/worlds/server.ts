/** The real HTTP server on a port of its own, before a real accept step and journal, for tests. */

import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SAMPLE_SHOP, type SampleChange, SHOP_KEY, sampleDirectory } from '#accept/sample-directory.ts'
import { silentLog } from '#base/log.ts'
import { PublicAddress } from '#base/public-address.ts'
import { type HttpOptions, type RunningHttp, startHttp } from '#http/server.ts'
import { envelopeText } from '../builders/accept-request.ts'
import { openTestIngest, type TestIngest } from './accept.ts'
import { threadsInPlace } from './accept-threads.ts'

export const ENVELOPE = envelopeText()

export class TestServer {
  readonly ingest: TestIngest
  #http: RunningHttp | null = null

  constructor(ingest: TestIngest) {
    this.ingest = ingest
  }

  static async open(given?: Parameters<typeof openTestIngest>[0]): Promise<TestServer> {
    return new TestServer(await openTestIngest(given))
  }

  get port(): number {
    return this.#http?.port ?? 0
  }

  async start(change: SampleChange = {}, options: Partial<HttpOptions> = {}): Promise<void> {
    await this.#http?.close()
    const accept = this.ingest.openAccept(change)
    // With it, every suite of HTTP runs behind a server that accepts beside the main thread's.
    const isApart = process.env.ERRATA_TEST_APART === '1'
    this.#http = await startHttp({
      ...(isApart && {
        acceptThreads: threadsInPlace({
          ...{ accept, directory: sampleDirectory(change), timeouts: options.timeouts },
          socketDirectory: mkdtempSync(join(tmpdir(), 'errata-apart-')),
        }),
      }),
      engine: {
        accept,
        healthy: () => ({ ok: true, status: 'ok', detail: 'ok', reasons: [] }),
      },
      settings: { port: 0, portChosen: false, host: '127.0.0.1', trustedProxies: [] },
      publicAddress: new PublicAddress({ url: null, port: 0 }),
      pages: async ({ request, clientAddress }) =>
        Response.json({ page: new URL(request.url).pathname, method: request.method, clientAddress }),
      log: silentLog,
      ...options,
    })
  }

  async stop(): Promise<void> {
    await this.#http?.close()
    this.#http = null
  }

  async close(): Promise<void> {
    await this.stop()
    await this.ingest.close()
  }

  address(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`
  }

  envelopeUrl(): string {
    return this.address(`/api/${SAMPLE_SHOP}/envelope/?sentry_version=7&sentry_key=${SHOP_KEY}`)
  }

  post(
    body: string | Buffer<ArrayBuffer>,
    headers: Record<string, string> = {},
    url = this.envelopeUrl(),
  ): Promise<Response> {
    return fetch(url, { method: 'POST', body, headers })
  }

  /** Bytes on a socket, and everything that comes back until the other end closes or `until` is seen. */
  async raw(bytes: string | Buffer, until?: string): Promise<string> {
    const socket = connect(this.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (until !== undefined && text.includes(until)) socket.end()
    })
    // A reset shows in what is missing of the text.
    socket.on('error', () => {})
    socket.write(bytes)
    await once(socket, 'close')
    return text
  }
}
