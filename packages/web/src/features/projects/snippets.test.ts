import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { PLATFORMS } from '#parts/platforms.ts'
import { relayFor, SNIPPET_TABS, snippetsFor } from './snippets.ts'

const INPUT = {
  dsn: 'https://1a2b@errata.test/7',
  tunnel: '/monitoring?o=acme&p=shop',
  url: 'https://errata.test',
}

const SDKS = PLATFORMS.filter(({ id }) => id !== '')

describe('what is pasted into an app', () => {
  test('turns tracing on, and nothing that is not stored', () => {
    for (const { id } of SDKS) {
      const text = snippetsFor(id, INPUT)
        .map((snippet) => snippet.text)
        .join('\n')
      assert.ok(text.includes(INPUT.dsn), id)
      assert.match(text, /traces_?sample_?rate\W+1/i, id)
      assert.doesNotMatch(text, /replay|profil|enableLogs/i, id)
    }
  })

  test('leaves sessions to the release, and says so wherever they come from', () => {
    for (const { id } of SDKS) {
      const text = snippetsFor(id, INPUT)
        .map((snippet) => snippet.text)
        .join('\n')
      assert.doesNotMatch(text, /BrowserSession|ProcessSession|sessions: false|auto_session_tracking/, id)
      if (id !== 'go') assert.match(text, /release.*no sessions are sent without it/, id)
    }
  })

  test('adds the relay wherever a browser sends, as a route where the framework has one', () => {
    const lines = (id: string) =>
      relayFor(id, INPUT)
        .map(({ text }) => text)
        .join('\n')
    for (const [id, entry] of [
      ['javascript-nextjs', '@errata/relay/next'],
      ['javascript-react-router', '@errata/relay/react-router'],
      ['javascript-tanstackstart-react', '@errata/relay/tanstack-start'],
      ['javascript-sveltekit', '@errata/relay'],
      ['javascript-nuxt', '@errata/relay'],
      ['javascript-astro', '@errata/relay'],
    ] as const) {
      assert.ok(lines(id).includes(entry) && lines(id).includes(INPUT.dsn), id)
      assert.ok(lines(id).startsWith(`npm install ${INPUT.url}/packages/relay.tgz\n`), id)
    }
    assert.ok(lines('javascript-browser').includes(`proxy_pass ${INPUT.url}/monitoring;`))
    for (const id of ['node', 'python', 'go']) assert.deepEqual(relayFor(id, INPUT), [])
  })

  test('sets the tunnel once its path answers, in no step before', () => {
    for (const { id } of SDKS) {
      const text = snippetsFor(id, INPUT)
        .map((snippet) => snippet.text)
        .join('\n')
      assert.doesNotMatch(text, /tunnel/, id)
      const relay = relayFor(id, INPUT)
      if (relay.length === 0) continue
      const tunnel = `tunnel: '${INPUT.tunnel}',`
      assert.ok(relay.findIndex(({ text: each }) => each === tunnel) > 0, id)
    }
  })

  test('gives React Router whole files, and the line that starts them', () => {
    const files = snippetsFor('javascript-react-router', INPUT)
    const text = (part: string) => files.find(({ file }) => file.includes(part))?.text ?? ''
    assert.match(
      text('entry.server.tsx, the whole file'),
      /^export default Sentry\.createSentryHandleRequest\(/m,
    )
    assert.match(text('entry.server.tsx, the whole file'), /^export const handleError = /m)
    assert.match(text('entry.client.tsx, the whole file'), /hydrateRoot\([\s\S]*<HydratedRouter/)
    assert.match(text('build and start'), /^NODE_ENV=production node --import \.\/instrument\.server\.mjs /m)
  })

  test('offers a proxy for development as that alone, as a whole file', () => {
    const vite = relayFor('javascript-browser', INPUT).find(({ file }) => file.includes('vite.config.ts'))
    assert.match(vite?.file ?? '', /for development only/)
    assert.match(vite?.text ?? '', /^import \{ defineConfig \} from 'vite'/)
  })

  test('has browsers measure page loads and navigations', () => {
    const text = (id: string) =>
      snippetsFor(id, INPUT)
        .map((snippet) => snippet.text)
        .join('\n')
    assert.match(text('javascript-nextjs'), /onRouterTransitionStart/)
    assert.match(text('javascript-react-router'), /reactRouterTracingIntegration\(\)/)
    assert.match(text('javascript-browser'), /browserTracingIntegration\(\)/)
  })

  test('has a tab for each SDK, and for what needs none', () => {
    assert.deepEqual(
      SNIPPET_TABS.map(({ name }) => name),
      [...SDKS.map(({ name }) => name), 'OpenTelemetry', 'curl'],
    )
    const below = { ...INPUT, dsn: 'https://1a2b@example.test/errata/7' }
    const text = (id: string) => snippetsFor(id, below)[0]?.text ?? ''
    assert.ok(text('opentelemetry').includes('=https://example.test/errata/api/7/otlp/v1/traces\n'))
    assert.match(text('opentelemetry'), /sentry_key=1a2b$/)
    assert.ok(text('curl').startsWith('curl https://example.test/errata/api/7/envelope/ '))
    for (const id of ['opentelemetry', 'curl']) assert.deepEqual(relayFor(id, below), [])
  })

  test('makes the SDK of a Node server send errors and traces, and nothing else', async () => {
    const types = new Set(await typesSent((text) => text))
    assert.ok(types.has('event'))
    assert.ok(types.delete('transaction') || types.delete('span'), [...types].join(' '))
    assert.deepEqual([...types], ['event'])
  })

  test('makes it send sessions as well once the release is set', async () => {
    const types = await typesSent((text) => text.replace('// release:', 'release:'))
    assert.ok(types.includes('event') && types.includes('sessions'), types.join(' '))
  })
})

/** Types of items that a server sends which has the snippet, changed. */
async function typesSent(change: (text: string) => string): Promise<readonly string[]> {
  const types: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const lines = Buffer.concat(chunks).toString().split('\n').slice(1)
      for (const [, type = ''] of lines.join('\n').matchAll(/^\{"type":"(\w+)"/gm)) types.push(type)
      response.end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const [, file] = snippetsFor('node', { ...INPUT, dsn: `http://1a2b@127.0.0.1:${port}/7` })
  const app = spawn(process.execPath, ['--input-type=module', '-e', `${change(file?.text ?? '')}\n${APP}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(app, 'exit')
  server.close()
  assert.equal(code, 0)
  return types
}

/** Answers one request, fails once, and ends. */
const APP = `
import http from 'node:http'
const server = http.createServer((request, response) => response.end('ok'))
await new Promise((resolve) => server.listen(0, resolve))
await (await fetch('http://127.0.0.1:' + server.address().port)).text()
server.close()
Sentry.captureException(new Error('sent'))
await Sentry.flush(5_000)
`
