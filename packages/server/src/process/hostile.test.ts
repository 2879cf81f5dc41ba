import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as zlib from 'node:zlib'
import fc from 'fast-check'
import { seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { KINDS } from '#kinds/kinds.ts'
import {
  anEnvelope,
  directoryWith,
  envelopeOf,
  eventOfBatch,
  eventsOf,
  ID,
  journalRange,
  outcomesOf,
  processRecords,
  storedText,
} from '#testing/builders/records.ts'
import { PROPERTY_RUNS } from '#testing/property-runs.ts'
import { createProcessor } from './process.ts'

describe('secrets', () => {
  const canary = (place: string) => `cAn4ry-${place}-7f3e9b`
  const header = (name: string) => canary(`header-${name}`)
  const payload = {
    platform: 'node',
    message: `login failed password=${canary('message')}`,
    transaction: `GET /a?token=${canary('transaction')}`,
    logentry: { message: 'user %s password=%s', params: ['bob', canary('params')] },
    exception: {
      values: [
        {
          type: 'Error',
          value: `secret: ${canary('value')}`,
          mechanism: { type: 'generic', data: { api_key: canary('mechanism') } },
          stacktrace: {
            frames: [
              {
                filename: 'a.js',
                function: 'f',
                context_line: `const password = "${canary('context')}"`,
                pre_context: [`apiKey: "${canary('pre')}"`],
                post_context: [`token = '${canary('post')}'`],
                vars: { password: canary('vars'), repr: `{'secret': '${canary('repr')}'}` },
              },
            ],
          },
        },
      ],
    },
    threads: [{ id: 1, stacktrace: { frames: [{ filename: 'b', vars: { passwd: canary('thread') } }] } }],
    breadcrumbs: [
      {
        category: 'console',
        message: `Error: token=${canary('crumb')}`,
        data: {
          arguments: [
            {
              message: `token=${canary('argument')}`,
              stack: `Error: token=${canary('stack')}\n    at f (a.js:1:1)`,
              digest: '2338461829',
            },
            `password: ${canary('argument-text')}`,
          ],
        },
      },
      {
        category: 'navigation',
        data: { from: `/a?token=${canary('from')}`, to: `/b?api_key=${canary('to')}` },
      },
      {
        category: 'fetch',
        data: { url: `https://u:${canary('userinfo')}@x.example/`, body: { password: canary('body') } },
      },
    ],
    request: {
      url: `https://x.example/a?access_token=${canary('url')}`,
      query_string: `session=${canary('query')}`,
      headers: {
        Cookie: `any=${header('cookie')}`,
        authorization: `Bearer ${header('authorization')}`,
        'X-Api-Key': header('key'),
        'x-csrf-token': header('csrf'),
        Referer: `https://x/?password=${header('referer')}`,
      },
      cookies: { anything: canary('cookies') },
      data: `user=bob&password=${canary('form')}`,
      env: { DB_PASSWORD: canary('env') },
    },
    user: { id: 1, token: canary('user') },
    tags: { auth_token: canary('tag') },
    fingerprint: [`password=${canary('fingerprint')}`],
    extra: {
      environ: {
        SENTRY_AUTH_TOKEN: canary('environ'),
        DATABASE_URL: `mysql://root:${canary('database')}@db/x`,
      },
      json: `{"a":"{\\"password\\":\\"${canary('json-in-json')}\\"}"}`,
      __serialized__: { secret: canary('serialized') },
    },
    contexts: {
      trace: {
        data: {
          'http.target': `/a?token=${canary('target')}`,
          'sentry.status.message': `token=${canary('status')}`,
        },
      },
      state: { value: { auth: { token: canary('state') } } },
    },
    debug_meta: { images: [{ code_file: `https://x/?token=${canary('image')}` }] },
    _meta: { user: { password: { '': { val: canary('meta') } } } },
    custom: { nested: [{ password: canary('custom') }] },
    release: 5,
    environment: `a/password=${canary('problem')}`,
    server_name: `password=${canary('server')}`,
    modules: { x: `token=${canary('module')}` },
    sdk: { name: 'sentry.javascript.node', version: '1', settings: { token: canary('sdk') } },
  }

  test('no canary of any place is in what is stored, in rows, facts, digests or outcomes', () => {
    const relayed = {
      message: 'm',
      request: {
        data: `{"dsn":"https://${canary('dsn')}@h/1"}\n{"type":"event"}\n{"message":"${canary('relayed')}"}`,
      },
    }
    const batch = processRecords([
      anEnvelope(envelopeOf(['event', payload])),
      anEnvelope(envelopeOf(['event', relayed])),
    ])
    assert.equal(eventsOf(batch).length, 2)
    for (const at of [0, 1]) assert.deepEqual(storedText(batch, at).match(/cAn4ry-[\w-]*/g), null)
    const rest = JSON.stringify({ events: eventsOf(batch), outcomes: batch.outcomes })
    assert.deepEqual(rest.match(/cAn4ry-[\w-]*/g), null)
    assert.ok(storedText(batch).includes('2338461829'), 'the digest is no secret')
    assert.ok(eventOfBatch(batch).problems.some(({ path }) => path === 'environment'))
  })

  test('an envelope in quarantine is scrubbed by patterns and counted; compressed bytes nobody can read are not kept', () => {
    const body = envelopeOf(['event', payload], ['session', {}])
    const batch = processRecords(
      [anEnvelope(zlib.gzipSync(body), { encodings: ['gzip'] }), anEnvelope('cAn4ry', { encodings: ['br'] })],
      {},
      [1, 2],
    )
    assert.equal(eventsOf(batch).length, 0)
    assert.deepEqual(
      batch.quarantined.map(({ seq: at }) => Number(at)),
      [1, 2],
    )
    const kept = Buffer.from(batch.quarantined[0]?.body ?? []).toString('utf8')
    for (const place of [
      'message',
      'value',
      'context',
      'vars',
      'crumb',
      'argument',
      'userinfo',
      'query',
      'header-cookie',
      'header-authorization',
      'form',
      'environ',
      'database',
      'custom',
    ]) {
      assert.ok(!kept.includes(canary(place)), place)
    }
    assert.equal(batch.quarantined[1]?.body.length, 0)
    assert.deepEqual(outcomesOf(batch).toSorted(), [
      'invalid quarantined default 1',
      'invalid quarantined error 1',
      'invalid quarantined session 1',
    ])
  })
})

describe('hostile payloads', () => {
  const base = JSON.stringify({
    event_id: ID,
    timestamp: '2026-11-21T09:59:59Z',
    platform: 'javascript',
    level: 'error',
    release: 'shop@1.0.0',
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'x is undefined',
          mechanism: { type: 'onerror', handled: false },
          stacktrace: {
            frames: [
              {
                filename: 'app:///a.js',
                function: '?',
                lineno: 3,
                colno: 7,
                in_app: true,
                context_line: 'a = b',
              },
            ],
          },
        },
      ],
    },
    breadcrumbs: [
      { timestamp: 1795255198.1, category: 'console', data: { arguments: [{ digest: '2338461829' }] } },
    ],
    request: {
      url: 'https://x.example/a?b=1',
      headers: { 'User-Agent': 'Mozilla/5.0' },
      cookies: 'a=1; b=2',
    },
    user: { id: 5, ip_address: '{{auto}}' },
    tags: { a: 'b' },
    contexts: { trace: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) } },
    extra: { a: [1, { b: 'c' }] },
    sdk: { name: 'sentry.javascript.browser', version: '11.12.0' },
  })
  const junk = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    '\\u0000',
    '\\ud800',
    'null',
    '-1',
    '1e999',
    '{"__proto__":1}',
    '[[[[',
    '\u0000',
    '""',
    'true',
    '{}',
    '[]',
    '%',
    '"values"',
  )
  const mutation = fc.record({
    at: fc.nat(base.length),
    cut: fc.nat(40),
    insert: fc.oneof(junk, fc.string({ maxLength: 6 })),
  })

  test('mutated payloads are stored or counted, one each, and never throw', () => {
    const processor = createProcessor({ kinds: KINDS, directory: directoryWith(), log: silentLog })
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 5 }), (mutations) => {
        let text = base
        for (const { at, cut, insert } of mutations) text = text.slice(0, at) + insert + text.slice(at + cut)
        const record = anEnvelope(envelopeOf(['event', text], ['event', { message: 'neighbour' }]))
        const batch = processor.process([{ ...record, seq: seq(1) }], journalRange([1]))
        assert.equal(
          eventsOf(batch).length + batch.outcomes.reduce((sum, { quantity }) => sum + quantity, 0),
          2,
        )
        assert.equal(eventOfBatch(batch, eventsOf(batch).length - 1).message, 'neighbour')
      }),
      { numRuns: PROPERTY_RUNS },
    )
  })

  test('an item whose type every object has as a property counts like any unknown kind', () => {
    const types = ['constructor', '__proto__', 'toString', 'valueOf']
    const batch = processRecords([anEnvelope(envelopeOf(...types.map((type) => [type, {}] as const)))])
    assert.deepEqual(outcomesOf(batch), ['unsupported unsupported_kind default 4'])
    const event = processRecords([anEnvelope(envelopeOf(['event', { type: 'constructor', message: 'x' }]))])
    assert.equal(eventsOf(event).length, 1)
  })

  test('valid JSON with any value in any field is stored', () => {
    const processor = createProcessor({
      kinds: KINDS,
      directory: directoryWith({ scrub: { extraKeys: [], allowedKeys: [], clientAddress: 'truncate' } }),
      log: silentLog,
    })
    const fields = Object.keys(JSON.parse(base) as object)
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 5 }), { maxKeys: 8 }),
        (change) => {
          const event = { ...(JSON.parse(base) as object), ...change }
          const batch = processor.process(
            [{ ...anEnvelope(envelopeOf(['event', event])), seq: seq(1) }],
            journalRange([1]),
          )
          assert.equal(eventsOf(batch).length, 1)
          assert.ok(storedText(batch).length < 2_000_000)
        },
      ),
      { numRuns: PROPERTY_RUNS },
    )
  })
})
