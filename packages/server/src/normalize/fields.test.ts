import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NormalizedEvent } from '#model/event.ts'
import { type NormalizeContext, normalizeEvent } from './normalize.ts'

const RECEIVED_MS = Date.parse('2026-11-21T10:00:00Z')

const CONTEXT: NormalizeContext = {
  eventId: null,
  receivedMs: RECEIVED_MS,
  sentAt: null,
  clientAddress: '203.0.113.9',
  userAgent: null,
  sdk: undefined,
  client: null,
}

function normalized(raw: unknown, context: Partial<NormalizeContext> = {}): NormalizedEvent {
  const answer = normalizeEvent(raw, { ...CONTEXT, ...context })
  assert.ok(answer.ok, 'the event was refused')
  return answer.event
}

function rules(event: NormalizedEvent): string[] {
  return event.problems.map(({ path, rule }) => `${path} ${rule}`)
}

describe('messages', () => {
  for (const [name, raw, message, formatted] of [
    ['a text', { message: 'hello' }, 'hello', undefined],
    ['an object in message', { message: { formatted: 'native' } }, undefined, 'native'],
    [
      'a log entry',
      { logentry: { message: 'user %s failed %d', formatted: 'user bob failed 3', params: ['bob', 3] } },
      undefined,
      'user bob failed 3',
    ],
    [
      'a template without text',
      { logentry: { message: 'hello %s', params: ['world'] } },
      undefined,
      'hello world',
    ],
    [
      'named parameters',
      { logentry: { message: '%(a)s and {b}', params: { a: 1, b: 'two' } } },
      undefined,
      '1 and two',
    ],
    [
      'numbered parameters',
      { logentry: { message: '{1} {0} {} %%', params: ['a', 'b'] } },
      undefined,
      'b a a %',
    ],
    ['an empty list of parameters', { logentry: { message: '100%%', params: [] } }, undefined, '100%%'],
    ['too few parameters', { logentry: { message: '%s %s', params: ['a'] } }, undefined, 'a %s'],
    ['the old name', { 'sentry.interfaces.Message': { message: 'old' } }, undefined, 'old'],
    ['a log entry that is a text', { logentry: 'plain' }, undefined, 'plain'],
    ['a number', { message: 5 }, '5', undefined],
    ['blanks', { message: '   ' }, undefined, undefined],
  ] as const) {
    test(`${name} is read`, () => {
      const event = normalized(raw)
      assert.equal(event.message, message)
      assert.equal(event.logentry?.formatted, formatted)
    })
  }
})

describe('breadcrumbs', () => {
  test('type and level have defaults, and the newest 200 stay', () => {
    const event = normalized({
      breadcrumbs: { values: Array.from({ length: 230 }, (_, at) => ({ message: `m${at}` })) },
    })
    assert.equal(event.breadcrumbs?.values.length, 200)
    assert.deepEqual(event.breadcrumbs?.values.at(-1), { type: 'default', level: 'info', message: 'm229' })
    assert.deepEqual(rules(event), ['breadcrumbs too_many'])
  })

  test('a process-relative time is left out and noted', () => {
    const event = normalized({ breadcrumbs: [{ timestamp: 64173.03, message: 'm' }] })
    assert.equal(event.breadcrumbs?.values[0]?.timestamp, undefined)
    assert.deepEqual(rules(event), ['breadcrumbs.values.0.timestamp invalid_value'])
  })
})

describe('requests', () => {
  test('query and fragment leave the address, and header names get one spelling', () => {
    const { request } = normalized({
      request: {
        url: 'https://x.example/a?b=1&c=%20d#frag',
        method: 'post',
        headers: { 'user-agent': 'u', 'X-FORWARDED-for': ['1.1.1.1', '2.2.2.2'] },
      },
    })
    assert.deepEqual(request, {
      url: 'https://x.example/a',
      method: 'POST',
      query_string: [
        ['b', '1'],
        ['c', ' d'],
      ],
      fragment: 'frag',
      headers: [
        ['User-Agent', 'u'],
        ['X-Forwarded-For', '1.1.1.1'],
        ['X-Forwarded-For', '2.2.2.2'],
      ],
    })
  })

  for (const [name, cookies] of [
    ['text', 'a=1; b=2'],
    ['an object', { a: '1', b: 2 }],
    [
      'pairs',
      [
        ['a', '1'],
        ['b', 2],
      ],
    ],
  ] as const) {
    test(`cookies may be ${name}`, () => {
      assert.deepEqual(normalized({ request: { cookies } }).request?.cookies, [
        ['a', '1'],
        ['b', '2'],
      ])
    })
  }

  for (const [name, query] of [
    ['text', 'a=1&b=x%2Fy'],
    ['text with a question mark', '?a=1&b=x/y'],
    ['an object', { a: 1, b: 'x/y' }],
    [
      'pairs',
      [
        ['a', '1'],
        ['b', 'x/y'],
      ],
    ],
  ] as const) {
    test(`a query may be ${name}`, () => {
      assert.deepEqual(normalized({ request: { query_string: query } }).request?.query_string, [
        ['a', '1'],
        ['b', 'x/y'],
      ])
    })
  }

  test('a broken escape is kept as it was sent', () => {
    assert.deepEqual(normalized({ request: { query_string: 'a=%zz' } }).request?.query_string, [['a', '%zz']])
  })
})

describe('users and addresses', () => {
  const auto = { user: { ip_address: '{{auto}}' } }
  for (const [name, raw, expected] of [
    ['an explicit address is kept', { user: { ip_address: '198.51.100.4' } }, '198.51.100.4'],
    ['an address has one spelling', { user: { ip_address: '2A00:0:0:0:0:0:0:01' } }, '2a00::1'],
    ['a mapped address becomes v4', { user: { ip_address: '::ffff:127.0.0.1' } }, '127.0.0.1'],
    ['{{auto}} is the client', auto, '203.0.113.9'],
    [
      '{{auto}} is the server’s REMOTE_ADDR first',
      { ...auto, request: { env: { REMOTE_ADDR: '198.51.100.9' } } },
      '198.51.100.9',
    ],
    [
      '{{auto}} under infer_ip never is nothing',
      { ...auto, sdk: { name: 'x', settings: { infer_ip: 'never' } } },
      undefined,
    ],
    [
      'infer_ip auto fills an absent address',
      { sdk: { name: 'x', settings: { infer_ip: 'auto' } } },
      '203.0.113.9',
    ],
    ['old browser SDKs expect it filled', { platform: 'javascript' }, '203.0.113.9'],
    ['a server SDK does not', { platform: 'python' }, undefined],
    ['nonsense is left out', { user: { id: 1, ip_address: 'localhost' } }, undefined],
  ] as const) {
    test(name, () => assert.equal(normalized(raw).user?.ip_address, expected))
  }

  test('ids may be numbers, unknown fields become data', () => {
    const { user } = normalized({ user: { id: 7, email: ' a@b.c ', segment: 'x', data: { y: 1 } } })
    assert.deepEqual(user, { id: '7', email: 'a@b.c', data: { y: 1, segment: 'x' } })
  })
})

describe('tags, contexts, SDK, modules, fingerprint', () => {
  test('tags come as object or pairs, and become text', () => {
    assert.deepEqual(normalized({ tags: { a: 1, 'b c': true, d: ' x\ny ', e: '', f: null } }).tags, [
      ['a', '1'],
      ['b-c', 'true'],
      ['d', 'x y'],
    ])
    assert.deepEqual(normalized({ tags: [['a', 1], ['a', 2], null, ['b', 'x']] }).tags, [
      ['a', '2'],
      ['b', 'x'],
    ])
  })

  test('contexts get a type, their version loses its line break, null ones go', () => {
    const { contexts } = normalized({
      contexts: { os: { name: 'L', version: '6\n' }, gone: null, odd: 'text' },
    })
    assert.deepEqual(contexts, {
      os: { name: 'L', version: '6', type: 'os' },
      odd: { value: 'text', type: 'odd' },
    })
  })

  test('a bag deeper than seven levels becomes JSON text, a large one is cut, and both are noted', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(12)}1${'}'.repeat(12)}`) as Record<string, unknown>
    const event = normalized({ extra: { deep, large: Array.from({ length: 9_000 }, () => 'x'.repeat(100)) } })
    assert.ok(JSON.stringify(event.extra).includes('{\\"a\\":{\\"a\\"'))
    assert.ok(JSON.stringify(event.extra).length < 400_000)
    assert.deepEqual([...new Set(event.problems.map(({ rule }) => rule))].toSorted(), [
      'too_deep',
      'too_long',
      'too_many',
    ])
  })

  test('one large value takes no other with it, wherever it stands and whatever it is', () => {
    const large = {
      text: 'x'.repeat(50_000),
      list: Array.from({ length: 5_000 }, (_, at) => at),
      object: Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`key ${at}`, 'value '.repeat(20)])),
      nested: { a: { b: { c: ['y'.repeat(9_000), 'z'.repeat(9_000)] } } },
      texts: Array.from({ length: 40 }, () => 'w'.repeat(1_000)),
    }
    const small = { order_id: 17, customer: "'anna'", total: '12.5', df: '<DataFrame 1000x30>', paid: false }
    for (const [name, value] of Object.entries(large)) {
      for (const bag of [
        { [name]: value, ...small },
        { ...small, [name]: value },
        { ...large, ...small },
      ]) {
        const frames = [{ function: 'f', vars: bag }]
        const event = normalized({
          exception: [{ type: 'E', stacktrace: { frames } }],
          breadcrumbs: [{ data: bag }],
          contexts: { order: bag },
          user: { id: '1', data: bag },
          extra: bag,
        })
        const kept = [
          event.exception?.values[0]?.stacktrace?.frames[0]?.vars,
          event.breadcrumbs?.values[0]?.data,
          event.contexts?.order,
          event.user?.data,
          event.extra,
        ]
        for (const one of kept) {
          assert.deepEqual({ ...one, ...small }, one, `${name} first or last`)
          assert.ok(name in (one ?? {}))
        }
        const told = event.problems.map(({ path }) => path)
        assert.ok(told.some((path) => path.startsWith(`exception.values.0.stacktrace.frames.0.vars.${name}`)))
      }
    }
  })

  test('one large header takes no other with it', () => {
    const headers = Object.fromEntries([
      ...Array.from({ length: 6 }, (_, at) => [`X-Large-${at}`, 'x'.repeat(9_000)]),
      ...Array.from({ length: 20 }, (_, at) => [`X-Small-${at}`, `value ${at}`]),
    ])
    const pairs = Object.fromEntries(normalized({ request: { headers } }).request?.headers ?? [])
    for (let at = 0; at < 20; at++) assert.equal(pairs[`X-Small-${at}`], `value ${at}`)
    assert.ok(JSON.stringify(pairs).length < 12_000)
  })

  test('the SDK falls back to the envelope’s and then to the client', () => {
    assert.equal(normalized({}, { sdk: { name: 'sentry.php', version: '4' } }).sdk?.name, 'sentry.php')
    assert.deepEqual(normalized({}, { client: 'raven-js/3.27' }).sdk, { name: 'raven-js', version: '3.27' })
    assert.equal(
      normalized({ sdk: { name: 'own', version: 1 } }, { sdk: { name: 'other' } }).sdk?.version,
      '1',
    )
  })

  test('an empty module name is left out', () => {
    assert.deepEqual(normalized({ modules: { '': '', react: '^19.0.0' } }).modules, { react: '^19.0.0' })
  })

  for (const [sent, expected] of [
    [
      ['a', 1, true, null, {}],
      ['a', '1', 'true'],
    ],
    [
      ['{{ default }}', 'x'],
      ['{{ default }}', 'x'],
    ],
    ['single', ['single']],
    [[], undefined],
    [[null, ''], undefined],
  ] as const) {
    test(`fingerprint ${JSON.stringify(sent)} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(normalized({ fingerprint: sent }).fingerprint, expected)
    })
  }
})
