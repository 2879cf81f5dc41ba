import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createReportSender, type ReportItem } from './report-sender.ts'

const SDK = { name: 'sentry.javascript.browser', version: '1.2.3' }
const ERROR: ReportItem = {
  category: 'error',
  header: { event_id: 'a1' },
  itemHeader: { type: 'event' },
  payload: { message: 'one\ntwo' },
}
const SPAN: ReportItem = {
  category: 'span',
  header: {},
  itemHeader: { type: 'span', item_count: 1 },
  payload: { items: [] },
}

interface Got {
  readonly url: string
  readonly lines: readonly Readonly<Record<string, unknown>>[]
}

const waiting: ((got: Got) => void)[] = []
let answer: { status: number; headers: Record<string, string> } = { status: 200, headers: {} }
const server = createServer((request, response) => {
  void readText(request).then((text) => {
    response.writeHead(answer.status, answer.headers).end('{}')
    waiting.shift()?.({ url: request.url ?? '', lines: text.split('\n').map((line) => JSON.parse(line)) })
  })
})
let origin = ''

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  origin = `127.0.0.1:${port}`
})
after(() => server.close())

const nextReport = () => new Promise<Got>((resolve) => waiting.push(resolve))

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

test('a report goes to the address that its DSN stands for, in an envelope of its own', async () => {
  answer = { status: 200, headers: {} }
  const got = nextReport()
  createReportSender({ dsn: `http://key1@${origin}/below/7`, tunnel: null, sdk: SDK })(ERROR)
  const { url, lines } = await got
  assert.equal(
    url,
    '/below/api/7/envelope/?sentry_version=7&sentry_key=key1&sentry_client=sentry.javascript.browser%2F1.2.3',
  )
  const [{ sent_at, ...header } = {}, ...rest] = lines
  assert.ok(!Number.isNaN(Date.parse(String(sent_at))))
  assert.deepEqual(header, { event_id: 'a1', sdk: SDK })
  assert.deepEqual(rest, [{ type: 'event' }, { message: 'one\ntwo' }])
})

test('through a stand-in the envelope says which DSN is meant', async () => {
  const got = nextReport()
  const dsn = 'https://key1@errata.example.com/7'
  createReportSender({ dsn, tunnel: `http://${origin}/monitoring?o=shop`, sdk: SDK })(SPAN)
  const { url, lines } = await got
  assert.equal(url, '/monitoring?o=shop')
  assert.equal(lines[0]?.dsn, dsn)
})

for (const [name, headers, status] of [
  ['the category that the server holds back', { 'X-Sentry-Rate-Limits': '60:error:key' }, 200],
  ['everything for a while where the server says only that it is too much', {}, 429],
] as const)
  test(`it sends nothing of ${name}`, async () => {
    answer = { status, headers }
    const urls: string[] = []
    const settled = watchFetch(urls)
    const send = createReportSender({ dsn: `http://key1@${origin}/7`, tunnel: null, sdk: SDK })
    send(ERROR)
    await settled.next()
    send(ERROR)
    assert.equal(urls.length, 1)
    send(SPAN)
    assert.equal(urls.length, status === 429 ? 1 : 2)
    if (status !== 429) await settled.next()
    settled.restore()
  })

test('what is longer than browsers keep alive, in bytes, goes without outliving its page', async () => {
  answer = { status: 200, headers: {} }
  const kept: unknown[] = []
  const settled = watchFetch([], kept)
  const send = createReportSender({ dsn: `http://key1@${origin}/7`, tunnel: null, sdk: SDK })
  for (const message of ['x'.repeat(50_000), '字'.repeat(50_000), 'x'.repeat(61_000)]) {
    send({ ...ERROR, payload: { message } })
    await settled.next()
  }
  settled.restore()
  assert.deepEqual(kept, [true, false, false])
})

test('a DSN that names no project sends nothing', () => {
  const urls: string[] = []
  const settled = watchFetch(urls)
  for (const dsn of ['', 'nonsense', 'http://key1@example.com/', 'http://example.com/7'])
    createReportSender({ dsn, tunnel: null, sdk: SDK })(ERROR)
  settled.restore()
  assert.deepEqual(urls, [])
})

/** Notes addresses that are asked for, and which requests outlive the page; `next` ends when the oldest answer was read by who asked. */
function watchFetch(urls: string[], kept: unknown[] = []) {
  const original = globalThis.fetch
  const answers: Promise<unknown>[] = []
  globalThis.fetch = (input, init) => {
    urls.push(String(input))
    kept.push(init?.keepalive)
    const asked = original(input, init)
    answers.push(asked)
    return asked
  }
  return {
    async next() {
      await answers.shift()
      // The sender's own reading of the answer comes first among what waits for it.
      await new Promise(setImmediate)
    },
    restore() {
      globalThis.fetch = original
    },
  }
}
