import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { projectId, seq } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import type { ScrubbedEvent } from '#model/event.ts'
import { normalizeEvent } from '#normalize/normalize.ts'
import { personKeys, userKey } from '../person-keys.ts'
import { eventFacts } from './facts.ts'
import { recogniseEvent } from './recognised.ts'

const RECEIVED_MS = Date.UTC(2026, 10, 21, 12)
const CONTEXT = { projectId: projectId(7), seq: seq(42), receivedMs: RECEIVED_MS, retentionDays: 90 } as const

function normalized(raw: unknown): ScrubbedEvent {
  const answer = normalizeEvent(raw, {
    eventId: null,
    receivedMs: RECEIVED_MS,
    sentAt: null,
    clientAddress: null,
    userAgent: null,
    sdk: null,
    client: null,
  })
  assert.ok(answer.ok)
  return { ...answer.event, scrubbedPaths: [] } as unknown as ScrubbedEvent // nothing in it is secret
}

function factsOf(raw: unknown, sentAt?: number) {
  const event = normalized(raw)
  return eventFacts(event, recogniseEvent(event), { ...CONTEXT, sentAt })
}

const EVENT = {
  event_id: '0123456789abcdef0123456789abcdef',
  timestamp: RECEIVED_MS / 1000 - 1.5,
  platform: 'javascript',
  level: 'error',
  release: 'shop@1.2.3',
  dist: '7',
  environment: 'production',
  transaction: '/orders/:id',
  server_name: 'web-1',
  logger: 'shop',
  tags: { tier: 'gold', level: 'made up', empty: '' },
  user: { id: 17, email: 'anna@shop.example' },
  request: {
    url: 'https://shop.example/orders/17?token=1#x',
    headers: {
      'User-Agent':
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.7390.54 Safari/537.36',
    },
  },
  contexts: {
    trace: { trace_id: '0AF7651916CD43DD8448EB211C80319C', span_id: 'b7ad6b7169203331' },
    os: { name: 'macOS', version: '15.1.2' },
    device: { family: 'Mac', model: 'MacBookPro18,1' },
    runtime: { name: 'node', version: 'v24.21.0' },
    replay: { replay_id: 'r1' },
  },
  sdk: { name: 'sentry.javascript.react', version: '11.12.0' },
  exception: {
    values: [
      {
        type: 'TypeError',
        value: 'no total',
        mechanism: { type: 'auto.browser.global_handlers.onerror', handled: false },
        stacktrace: {
          frames: [{ filename: 'https://shop.example/assets/x.js', function: 'load', in_app: true }],
        },
      },
    ],
  },
}

describe('the facts of an event', () => {
  it('are its columns', () => {
    const { row } = factsOf({ ...EVENT, platform: 'node' })
    const { tags, groupHash, ...columns } = row
    assert.match(groupHash, /^[0-9a-f]{32}$/)
    assert.deepEqual(columns, {
      seq: 42,
      projectId: 7,
      eventId: '0123456789abcdef0123456789abcdef',
      timestampMs: RECEIVED_MS - 1500,
      receivedMs: RECEIVED_MS,
      day: Math.floor(RECEIVED_MS / 86_400_000),
      retentionDays: 90,
      level: 'error',
      platform: 'node',
      title: 'TypeError: no total',
      culprit: '/orders/:id',
      environment: 'production',
      release: 'shop@1.2.3',
      dist: '7',
      transaction: '/orders/:id',
      browser: 'Chrome 141',
      os: 'macOS 15.1',
      runtime: 'node 24.21.0',
      device: 'MacBookPro18,1',
      serverName: 'web-1',
      url: 'https://shop.example/orders/17',
      user: 'id:17',
      people: ['id:17', 'email:anna@shop.example'],
      handled: false,
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      requestKind: 'route-handler',
      route: '/orders/:id',
      sdk: 'sentry.javascript.react/11.12.0',
      isMirror: false,
      missedMaps: null,
      category: 'server',
      skew: null,
      skewSubject: null,
      details: [
        ...['platform=node', 'error.type=TypeError', 'error.value=no total', 'device.model=MacBookPro18,1'],
        ...['os.version=15.1.2', 'browser.version=141.0.7390.54', 'runtime.version=v24.21.0'],
        ...['sdk.name=sentry.javascript.react', 'sdk.version=11.12.0'],
        ...['stack.filename=https://shop.example/assets/x.js', 'stack.function=load'],
      ],
      mapFrames: null,
    })
    assert.ok(tags.length > 0)
  })

  it('are all its tags, own and derived, sorted by key', () => {
    const { tags } = factsOf({ ...EVENT, contexts: { ...EVENT.contexts, runtime: undefined } }).row
    assert.deepEqual(tags, [
      ['browser', 'Chrome 141'],
      ['browser.name', 'Chrome'],
      ['device', 'MacBookPro18,1'],
      ['device.family', 'Mac'],
      ['dist', '7'],
      ['environment', 'production'],
      ['handled', 'no'],
      ['level', 'error'],
      ['logger', 'shop'],
      ['mechanism', 'auto.browser.global_handlers.onerror'],
      ['os', 'macOS 15.1'],
      ['os.name', 'macOS'],
      ['release', 'shop@1.2.3'],
      ['replayId', 'r1'],
      ['request_kind', 'browser'],
      ['route', '/orders/:id'],
      ['server_name', 'web-1'],
      ['tier', 'gold'],
      ['trace', '0af7651916cd43dd8448eb211c80319c'],
      ['transaction', '/orders/:id'],
      ['url', 'https://shop.example/orders/17'],
      ['user', 'id:17'],
    ])
  })

  it('are bounded', () => {
    const tags = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, 'v'.repeat(500)]))
    const { row } = factsOf({ ...EVENT, tags, transaction: 'x\ny'.repeat(100) })
    assert.ok(row.tags.length <= 100)
    assert.ok(
      row.tags.every(([key, value]) => key.length <= 200 && value.length <= 200 && !/[\r\n]/.test(value)),
    )
    assert.ok(row.tags.some(([key]) => key === 'request_kind'))
  })

  it('are the same whatever came before, where a blank or half a character stood before the cut', () => {
    const url = (path: string) => {
      const sent = { ...EVENT, request: { url: `https://shop.example/${path}?a=1` } }
      return factsOf(sent)
        .row.tags.find(([key]) => key === 'url')?.[1]
        .slice('https://shop.example/'.length)
    }
    for (const [length, behind] of [[178, 'more'] as const, [177, '\u{1f600}more'] as const]) {
      const cut = `${'v'.repeat(length)} `
      assert.equal(url(`${cut}${behind}`), cut)
      assert.equal(url(cut), cut.trim())
    }
    for (const path of ['gold', 'gold', 'silver', 'gold ', 'gold']) assert.equal(url(path), path.trim())
  })

  it('are what the issue shows', () => {
    const { facts } = factsOf(EVENT)
    assert.deepEqual(
      [facts.type, facts.value, facts.filename, facts.function, facts.logger],
      ['TypeError', 'no total', 'https://shop.example/assets/x.js', 'load', 'shop'],
    )
  })

  for (const [what, change, sentAt, expected] of [
    ['at once', {}, RECEIVED_MS, RECEIVED_MS - 60_000],
    ['with a clock that is 30 s behind', {}, RECEIVED_MS - 30_000, RECEIVED_MS - 30_000],
    ['with a clock that is ahead of us', { timestamp: RECEIVED_MS / 1_000 + 20 }, null, RECEIVED_MS],
    [
      'in whole seconds',
      { timestamp: Math.floor(RECEIVED_MS / 1_000) - 60 },
      null,
      Math.floor(RECEIVED_MS / 1_000) * 1_000 - 59_001,
    ],
    [
      '40 days late',
      { timestamp: RECEIVED_MS / 1_000 - 40 * 86_400 },
      RECEIVED_MS,
      RECEIVED_MS - 40 * 86_400_000,
    ],
    ['with a clock of 1970', { timestamp: 64173.03 }, null, RECEIVED_MS],
  ] as const)
    it(`say when an event happened that came ${what}`, () => {
      const timestamp = RECEIVED_MS / 1_000 - 60 + 0.0005
      const { happenedMs } = factsOf(
        { ...EVENT, timestamp, ...change },
        sentAt === null ? undefined : sentAt / 1_000,
      )
      assert.ok(Math.abs(happenedMs - expected) <= 1, `${happenedMs - RECEIVED_MS} ms from its receipt`)
    })

  it('tell the release of a kernel from the number of its build', () => {
    const osOf = (os: object) => factsOf({ ...EVENT, contexts: { os } }).row.os
    const version = '#1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1 (2024-11-22)'
    assert.equal(
      osOf({ name: 'Linux', version, build: '6.1.0-28-amd64', kernel_version: version }),
      'Linux 6.1',
    )
    assert.equal(osOf({ name: 'Linux', version: '#41~22.04' }), 'Linux')
    assert.equal(osOf({ name: 'Darwin', version: '24.1.0' }), 'Darwin 24.1')
  })

  it('name a person by what lasts longest', () => {
    assert.equal(userKey({ id: '1', email: 'a@b.c' }), 'id:1')
    assert.equal(userKey({ id: ' ', email: 'a@b.c', username: 'a' }), 'email:a@b.c')
    assert.equal(userKey({ username: 'a', ip_address: '10.0.0.1' }), 'username:a')
    assert.equal(userKey({ ip_address: '10.0.0.1' }), 'ip:10.0.0.1')
    assert.equal(userKey({ email: 'Anna@Shop.test ' }), userKey({ email: 'anna@shop.test' }))
    assert.equal(userKey({}), null)
    assert.equal(userKey(undefined), null)
  })

  it('name a person by everything that is known of them, each key once and bounded', () => {
    const all = { id: '1', email: ' Ada@Example.COM ', username: 'Ada', ip_address: '10.0.0.1' }
    assert.deepEqual(personKeys(all), ['id:1', 'email:ada@example.com', 'username:Ada', 'ip:10.0.0.1'])
    assert.deepEqual(personKeys({ id: ' ', email: '[Filtered]', username: 'a' }), ['username:a'])
    assert.deepEqual(personKeys({ id: 'x'.repeat(999) }), [`id:${'x'.repeat(197)}`])
    assert.deepEqual(personKeys(undefined), [])
  })

  it('hold a sighting for each digest', () => {
    const { digests } = factsOf({
      ...EVENT,
      contexts: { ...EVENT.contexts, runtime: undefined },
      tags: { digest: '2741933020@E394' },
    })
    assert.deepEqual(digests, [{ digest: '2741933020', verified: null }])
  })

  it('never fail, whatever JSON an SDK sends', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(...Object.keys(EVENT), 'threads', 'breadcrumbs', 'extra', 'message'),
          fc.jsonValue({ maxDepth: 5 }),
        ),
        (raw) => {
          const { row, facts } = factsOf({ ...EVENT, ...raw })
          assert.ok(row.title.length > 0 && row.title.length <= 256 && facts.culprit.length <= 200)
        },
      ),
      { numRuns: 200 },
    )
  })
})

const CAPTURED = new URL('../../../../../tests/fixtures/captured/', import.meta.url)

/** The event of a captured envelope: the line after its item header. */
function capturedEvent(name: string): ReturnType<typeof factsOf> {
  const fixture: { readonly envelope: string } = JSON.parse(
    readFileSync(new URL(`${name}.json`, CAPTURED), 'utf8'),
  )
  const lines = fixture.envelope.split('\n')
  const at = lines.findIndex((line) => {
    const header: unknown = line === '' ? null : JSON.parse(line)
    return isObject(header) && header.type === 'event' && header.exception === undefined
  })
  return factsOf(JSON.parse(lines[at + 1] ?? 'null'))
}

describe('events that real applications sent', {
  skip: existsSync(CAPTURED) ? false : 'the captured fixtures are not part of this checkout',
}, () => {
  for (const generation of ['next10', 'next11']) {
    it(`${generation}: a Server Component's error and its mirror in the browser share a verified digest`, () => {
      const server = capturedEvent(`${generation}-01`)
      const browser = capturedEvent(`${generation}-02`)
      assert.deepEqual(
        [server.row.isMirror, server.row.requestKind, server.row.route],
        [false, 'document', '/orders/[id]'],
      )
      assert.deepEqual([browser.row.isMirror, browser.row.requestKind], [true, 'browser'])
      assert.equal(server.digests[0]?.verified, true)
      assert.equal(server.digests[0]?.digest, browser.digests[0]?.digest)
      assert.equal(server.row.traceId, browser.row.traceId)
      assert.notEqual(server.row.groupHash, browser.row.groupHash)
    })

    it(`${generation}: a page-data request and a document of one error are one group`, () => {
      const [document, pageData] = [capturedEvent(`${generation}-01`), capturedEvent(`${generation}-03`)]
      assert.equal(pageData.row.requestKind, 'page-data')
      assert.equal(document.row.groupHash, pageData.row.groupHash)
    })

    it(`${generation}: an action and a route handler are known as such`, () => {
      const action = capturedEvent(`${generation}-05`)
      const handler = capturedEvent(`${generation}-08`)
      assert.deepEqual(
        [action.row.requestKind, action.row.route, action.digests[0]?.verified],
        ['action', '/checkout', true],
      )
      assert.deepEqual(
        [handler.row.requestKind, handler.row.route, handler.digests.length],
        ['route-handler', '/api/pay', 0],
      )
    })
  }

  it('have a title, a group and tags, all of them', () => {
    for (const file of readdirSync(CAPTURED)) {
      const { row } = capturedEvent(file.replace('.json', ''))
      assert.notEqual(row.title, 'Unknown error', file)
      assert.ok(row.tags.length > 3, file)
    }
  })
})
