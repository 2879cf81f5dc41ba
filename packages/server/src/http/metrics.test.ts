import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { METRIC_TEXTS } from '#engine/health/metric-table.ts'
import { EngineCounts, readMetrics } from '#engine/health/metrics.ts'
import { TestServer } from '#testing/worlds/server.ts'

const SETTINGS = { port: 0, portChosen: false, host: '127.0.0.1', trustedProxies: [] }
const LISTED = fileURLToPath(new URL('../../../../docs/operating/metrics.md', import.meta.url))

function readSample() {
  return readMetrics({
    counts: new EngineCounts(),
    facts: async () => ({
      version: '1.2.3',
      node: 'v24.0.0',
      startedMs: 1_000,
      url: '',
      dataDirectory: '',
      backlog: { bytes: 10, records: 2, oldestMs: 500 },
      acceptingSeq: 7 as never, // a seq by value
      verification: { damages: [], progress: { begunMs: null, endedMs: null, filesDone: 0, files: 0 } },
      pressures: [{ name: 'disk', unit: 'bytes', value: 1, soft: 2, hard: 3, state: 'soft' }],
      heldBack: [],
      heldBackKeys: 0,
      health: [{ name: 'journal "1"', ok: false, detail: '' }],
      disk: { freeBytes: 1, totalBytes: 2, columnBytes: 3, payloadBytes: 4, journalBytes: 5 },
      memoryBytes: 6,
      acceptThreads: {
        ...{ count: 2, wanted: 2 },
        apart: { running: 2, replaced: { died: 0, hung: 0 }, socketRenewed: 0 },
      },
      retention: {
        ...{ usedBytes: 7, maxDiskBytes: null, daysLeft: null, pendingDeletions: 0 },
        ...{ missingColumns: [], missingPayloads: [], believedMs: null },
      },
      mail: { server: 'mail.example.com:25', from: 'errata@example.com', sent: 3, failed: 1 },
      backup: { last: null, schedule: null },
    }),
    system: {
      counters: async () => ({
        appliedSeq: 5 as never, // a seq by value
        appliedOverflow: 0,
        organisations: 1,
        projects: 2,
        issues: 3,
        groups: 4,
        eventsStored: 5,
        controlBytes: 6,
      }),
      quarantined: async () => [],
    },
  })
}

describe('/metrics', () => {
  let server: TestServer
  before(async () => {
    server = await TestServer.open()
  })
  after(() => server.close())

  it('answers this machine in the format of Prometheus', async () => {
    await server.start({}, { metrics: readSample })
    const answer = await fetch(server.address('/metrics'))
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    const text = await answer.text()
    assert.match(text, /^errata_backlog_envelopes 2$/m)
    assert.match(text, /^errata_part_healthy\{part="journal \\"1\\""\} 0$/m)
    assert.match(text, /^# TYPE errata_items_total counter$/m)
    assert.match(text, /^errata_items_total\{outcome="accepted"\} 0$/m)
    assert.match(text, /^nodejs_eventloop_lag_seconds /m)
    for (const line of text.split('\n'))
      assert.match(line, /^(?:$|# (?:HELP|TYPE) |[a-z0-9_]+(?:\{[^\n]*\})? (?:[-+0-9.eE]+|Nan)$)/)
  })

  it('answers no page that gave its own name the address of this machine', async () => {
    await server.start({}, { metrics: readSample })
    const statusFor = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        get(server.address('/metrics'), { headers: { host } }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode))
        }).on('error', reject)
      })
    for (const host of ['evil.example', 'evil.example:9000', '127.0.0.1.evil.example', 'localhost.', 'a.b'])
      assert.equal(await statusFor(host), 403, host)
    for (const host of ['127.0.0.1:9000', '[::1]:9000', 'localhost', 'LOCALHOST:9000', 'me.localhost', 'box'])
      assert.equal(await statusFor(host), 200, host)
  })

  it('answers nobody whom a proxy on this machine speaks for', async () => {
    await server.start({}, { metrics: readSample })
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    assert.equal((await fetch(server.address('/metrics'), { headers })).status, 403)
  })

  for (const header of ['cf-connecting-ip', 'x-forwarded-for', 'x-sentry-forwarded-for', 'x-real-ip']) {
    it(`answers nobody for whom ${header} is written, whatever it says, where cf-connecting-ip names the client`, async () => {
      for (const trustedProxies of [[], ['127.0.0.1']]) {
        const settings = { ...SETTINGS, trustedProxies, clientAddressHeader: 'cf-connecting-ip' }
        await server.start({}, { metrics: readSample, settings })
        const ask = async (headers: Record<string, string>) =>
          (await fetch(server.address('/metrics'), { headers })).status
        assert.equal(await ask({ [header]: '203.0.113.9' }), 403)
        assert.equal(await ask({ [header]: '127.0.0.1' }), 403)
        assert.equal(await ask({}), 200)
      }
    })
  }

  it('with a token answers whoever has it, and nobody else', async () => {
    await server.start(
      {},
      { metrics: readSample, settings: { ...SETTINGS, metricsToken: 'open sesame'.replace(' ', '-') } },
    )
    const ask = async (authorization?: string) =>
      (
        await fetch(
          server.address('/metrics'),
          authorization === undefined ? {} : { headers: { authorization } },
        )
      ).status
    assert.equal(await ask(), 403)
    assert.equal(await ask('Bearer open-sesam'), 403)
    assert.equal(await ask('Bearer open-sesame'), 200)
  })

  it('lists in the handbook what it answers, and nothing else', async () => {
    const listed = [...readFileSync(LISTED, 'utf8').matchAll(/^\| `(errata_[a-z_]+)`/gm)].map(
      ([, name]) => name,
    )
    const sample = await readSample()
    assert.deepEqual(listed.sort(), sample.map(({ name }) => name).sort())
    for (const { name, values } of sample) {
      const [, known] = Object.entries(METRIC_TEXTS).find(([each]) => each === name) ?? []
      for (const { labels } of values) assert.deepEqual(Object.keys(labels), known?.labels, name)
    }
  })
})
