import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NormalizedEvent } from '#model/event.ts'
import { type NormalizeContext, normalizeEvent } from './normalize.ts'

const RECEIVED_MS = Date.parse('2026-11-21T10:00:00Z')
const RECEIVED = RECEIVED_MS / 1000

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

describe('what is no event', () => {
  for (const raw of [null, [], 'text', 1, true]) {
    test(`${JSON.stringify(raw)} is refused as no object`, () => {
      assert.deepEqual(normalizeEvent(raw, CONTEXT), { ok: false, reason: 'not_an_object' })
    })
  }

  test('absurd nesting is refused wherever it is, without overflowing the stack', () => {
    for (const place of [
      (deep: unknown) => ({ extra: { deep } }),
      (deep: unknown) => ({ contexts: { a: { deep } } }),
      (deep: unknown) => ({ unknown_key: deep }),
      (deep: unknown) => ({ exception: { values: [{ type: 'E', value: deep }] } }),
      (deep: unknown) => ({ request: { data: deep } }),
    ]) {
      const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000))
      assert.deepEqual(normalizeEvent(place(deep), CONTEXT), { ok: false, reason: 'too_deep' })
    }
  })

  test('an empty object is an event', () => {
    const event = normalized({})
    assert.match(event.event_id, /^[0-9a-f]{32}$/)
    assert.equal(event.level, 'error')
    assert.equal(event.platform, 'other')
    assert.equal(event.timestamp, RECEIVED)
    assert.deepEqual(event.problems, [])
  })
})

describe('identity and time', () => {
  const id = '9ec79c33ec9942ab8353589fcb2e04dc'

  test('an id is 32 hex characters, dashed or not, and the envelope wins', () => {
    assert.equal(normalized({ event_id: '9EC79C33-EC99-42AB-8353-589FCB2E04DC' }).event_id, id)
    assert.equal(normalized({ event_id: 'f'.repeat(32) }, { eventId: id }).event_id, id)
    assert.notEqual(normalized({ event_id: '0'.repeat(32) }).event_id, '0'.repeat(32))
  })

  const moment = Date.parse('2026-11-21T09:59:00Z') / 1000
  for (const [sent, expected] of [
    [moment, moment],
    [moment + 0.25, moment + 0.25],
    [String(moment), moment],
    [`${moment}.5`, moment + 0.5],
    [moment * 1000, moment],
    ['2026-11-21T09:59:00Z', moment],
    ['2026-11-21T09:59:00', moment],
    ['2026-11-21 09:59:00', moment],
    ['2026-11-21T09:59:00.227425Z', moment + 0.227425],
    ['2026-11-21T09:59:00.123456789Z', moment + 0.123457],
    ['2026-11-21T10:59:00+01:00', moment],
    ['2026-11-21T10:59:00+0100', moment],
    ['2026-11-21T09:59:00+00:00', moment],
  ] as const) {
    test(`a timestamp of ${JSON.stringify(sent)} is understood`, () => {
      const event = normalized({ timestamp: sent })
      assert.equal(event.timestamp, expected)
      assert.deepEqual(event.problems, [])
    })
  }

  for (const [sent, rule] of [
    [64173.03, 'past_timestamp'],
    [-5, 'invalid_value'],
    ['yesterday', 'invalid_value'],
    [{}, 'invalid_value'],
    [true, 'invalid_value'],
    ['2026-10-01T00:00:00Z', 'past_timestamp'],
    ['2026-11-21T10:05:00Z', 'future_timestamp'],
    ['2026-13-41T25:61:00Z', 'invalid_value'],
    [1e300, 'invalid_value'],
  ] as const) {
    test(`a timestamp of ${JSON.stringify(sent)} becomes the time of receipt and is noted`, () => {
      const event = normalized({ timestamp: sent })
      assert.equal(event.timestamp, RECEIVED)
      assert.deepEqual(rules(event), [`timestamp ${rule}`])
    })
  }

  test('a client clock an hour ahead is corrected by its sent_at, breadcrumbs too', () => {
    const event = normalized(
      { timestamp: RECEIVED + 3590, breadcrumbs: [{ timestamp: RECEIVED + 3580 }] },
      { sentAt: '2026-11-21T11:00:00Z' },
    )
    assert.equal(event.timestamp, RECEIVED - 10)
    assert.equal(event.breadcrumbs?.values[0]?.timestamp, RECEIVED - 20)
    assert.deepEqual(rules(event), ['timestamp clock_drift'])
  })

  test('a few seconds between sending and receipt are no drift', () => {
    const event = normalized({ timestamp: RECEIVED - 30 }, { sentAt: '2026-11-21T09:59:50Z' })
    assert.equal(event.timestamp, RECEIVED - 30)
    assert.deepEqual(event.problems, [])
  })
})

describe('coercion', () => {
  const exception = { type: 'Error', value: 'boom' }
  for (const [shape, raw] of [
    ['an object with values', { values: [exception] }],
    ['a bare array', [exception]],
    ['a single object', exception],
  ] as const) {
    test(`a values list may be ${shape}`, () => {
      assert.deepEqual(normalized({ exception: raw }).exception, { values: [exception] })
      assert.deepEqual(normalized({ 'sentry.interfaces.Exception': raw }).exception, { values: [exception] })
    })
  }

  test('null and empty containers are absent', () => {
    const event = normalized({
      ...{
        user: {},
        fingerprint: [],
        message: '',
        threads: null,
        breadcrumbs: [],
        contexts: {},
        modules: null,
      },
      ...{
        exception: { values: [] },
        request: {},
        extra: {},
        tags: {},
        debug_meta: {},
        sdk: null,
        release: null,
      },
    })
    for (const key of [
      'user',
      'fingerprint',
      'message',
      'logentry',
      'threads',
      'breadcrumbs',
      'contexts',
      'modules',
      'exception',
      'request',
      'extra',
      'debug_meta',
      'sdk',
      'release',
    ]) {
      assert.ok(!(key in event), `${key} is present`)
    }
    assert.deepEqual(event.problems, [])
  })

  test('a field of a wrong type is dropped and noted, and harms no other', () => {
    const event = normalized({
      ...{
        release: {},
        environment: [],
        logger: {},
        tags: 'x',
        extra: 1,
        contexts: 'y',
        user: 'z',
        request: 7,
      },
      ...{ exception: 'nope', breadcrumbs: 5, threads: true, modules: 'm', server_name: 'web-1' },
    })
    assert.equal(event.server_name, 'web-1')
    for (const field of [
      'release',
      'environment',
      'logger',
      'tags',
      'extra',
      'contexts',
      'user',
      'request',
      'exception',
      'breadcrumbs',
      'threads',
      'modules',
    ]) {
      assert.ok(rules(event).includes(`${field} invalid_type`), field)
    }
  })

  test('NUL characters and lone surrogates are removed', () => {
    const event = normalized({
      message: 'a\0b\ud800c',
      extra: { 'k\0ey': '\udc00v' },
      tags: { 't\0': 'x\0y' },
    })
    assert.equal(event.message, 'abc')
    assert.deepEqual(event.extra, { key: 'v' })
  })

  test('keys of the prototype are keys like any other and change nothing', () => {
    const raw: unknown = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"extra":{"__proto__":{"polluted":2},"constructor":3,"toString":"x"},"tags":{"__proto__":"t"},"contexts":{"__proto__":{"a":1}},"modules":{"__proto__":"1"},"user":{"__proto__":{"b":2}}}',
    )
    const event = normalized(raw)
    assert.equal(Object.getPrototypeOf(event.extra), Object.prototype)
    assert.deepEqual(Object.keys(event.extra ?? {}), ['__proto__', 'constructor', 'toString'])
    assert.ok(!('polluted' in {}))
    assert.deepEqual(Object.keys(event.other ?? {}), ['__proto__', 'constructor'])
    JSON.stringify(event)
  })

  test('unknown top-level keys and _meta are kept among the rest', () => {
    const event = normalized({ _meta: { user: { '': { rem: [['x']] } } }, site: 'a', time_spent: 3 })
    assert.deepEqual(event.other, { _meta: { user: { '': { rem: [['x']] } } }, site: 'a', time_spent: 3 })
  })

  test('what the SDK itself found wrong is among the problems', () => {
    const event = normalized({ errors: [{ type: 'invalid_data', name: 'extra.x', value: 'secret' }, 5] })
    assert.deepEqual(event.problems, [{ path: 'extra.x', rule: 'sdk_reported', found: 'invalid_data' }])
  })
})

describe('levels', () => {
  for (const [sent, expected] of [
    ['fatal', 'fatal'],
    ['error', 'error'],
    ['warning', 'warning'],
    ['info', 'info'],
    ['debug', 'debug'],
    ['warn', 'warning'],
    ['log', 'info'],
    ['critical', 'fatal'],
    ['ERROR', 'error'],
    [' Warn ', 'warning'],
    [10, 'debug'],
    [20, 'info'],
    [30, 'warning'],
    [40, 'error'],
    [50, 'fatal'],
    ['30', 'warning'],
    [undefined, 'error'],
    [null, 'error'],
  ] as const) {
    test(`${JSON.stringify(sent)} is ${expected}`, () => {
      const event = normalized({ level: sent })
      assert.equal(event.level, expected)
      assert.deepEqual(event.problems, [])
    })
  }
  for (const sent of ['loud', 7, {}, 500]) {
    test(`${JSON.stringify(sent)} is an error and noted`, () => {
      assert.equal(normalized({ level: sent }).level, 'error')
      assert.deepEqual(rules(normalized({ level: sent })), ['level unknown_level'])
    })
  }
})

describe('release, environment, dist', () => {
  for (const [field, sent, expected] of [
    ['release', ' shop@1.2.3+4 ', 'shop@1.2.3+4'],
    ['release', 7, '7'],
    ['release', '.', undefined],
    ['release', '..', undefined],
    ['release', 'Latest', undefined],
    ['release', 'feature/a b', 'feature/a b'],
    ['release', '%2F', '%2F'],
    ['release', 'a\\b', 'a\\b'],
    ['release', 'a/../b', undefined],
    ['release', 'a\u0001b', undefined],
    ['release', 'a\nb', undefined],
    ['release', 'x'.repeat(201), undefined],
    ['environment', ' production ', 'production'],
    ['environment', 'none', undefined],
    ['environment', 'a/b', undefined],
    ['environment', 'x'.repeat(65), undefined],
    ['dist', 42, '42'],
    ['dist', 'a b', undefined],
    ['dist', 'x'.repeat(65), undefined],
  ] as const) {
    test(`${field} ${JSON.stringify(sent).slice(0, 30)} gives ${expected ?? 'nothing, noted'}`, () => {
      const event = normalized({ [field]: sent })
      assert.equal(event[field], expected)
      assert.equal(event.problems.length, expected === undefined ? 1 : 0)
    })
  }
})

describe('exceptions, frames and threads', () => {
  test('values that are objects become JSON text, and numbers text', () => {
    const event = normalized({ exception: [{ type: 5, value: { code: 1, why: ['x'] } }] })
    assert.deepEqual(event.exception?.values[0], { type: '5', value: '{"code":1,"why":["x"]}' })
  })

  test('an exception without type, value and stack is left out and noted', () => {
    const event = normalized({ exception: { values: [{ type: null, value: '' }, { type: 'E' }] } })
    assert.equal(event.exception?.values.length, 1)
    assert.deepEqual(rules(event), ['exception.values.0 missing'])
  })

  test('a long value is cut with dots, one a little over its limit is not', () => {
    const value = (length: number) =>
      normalized({ exception: [{ value: 'x'.repeat(length) }] }).exception?.values[0]?.value
    assert.equal(value(8_392)?.length, 8_392)
    assert.equal(value(8_393)?.length, 8_192)
    assert.ok(value(8_393)?.endsWith('...'))
  })

  test('a mechanism keeps its ids and flags; its type defaults to generic', () => {
    const sent = {
      handled: false,
      exception_id: 0,
      parent_id: '3',
      synthetic: 'true',
      source: 'cause',
      data: { a: 1 },
    }
    const { mechanism } =
      normalized({ exception: [{ type: 'E', mechanism: sent }] }).exception?.values[0] ?? {}
    assert.deepEqual(mechanism, {
      type: 'generic',
      handled: false,
      synthetic: true,
      source: 'cause',
      exception_id: 0,
      parent_id: 3,
      data: { a: 1 },
    })
  })

  test('frames beyond 250 go from the front, and context leaves the middle, library frames first', () => {
    const frames = Array.from({ length: 300 }, (_, at) => ({
      function: `f${at}`,
      filename: 'a.js',
      vars: { at },
      in_app: at % 2 === 0,
    }))
    const trace = normalized({ exception: [{ type: 'E', stacktrace: { frames } }] }).exception?.values[0]
      ?.stacktrace
    assert.equal(trace?.frames.length, 250)
    assert.equal(trace?.frames_omitted, 50)
    assert.equal(trace?.frames.at(-1)?.function, 'f299')
    assert.equal(trace?.frames.filter((frame) => frame.vars !== undefined).length, 50)
    assert.ok(trace?.frames.at(-1)?.vars !== undefined)
  })

  test('a problem of a frame is noted at the place where the frame is kept', () => {
    const frames = [
      ...Array.from({ length: 260 }, (_, at) => ({ function: `f${at}` })),
      { vars: { html: 'x'.repeat(9_000) } },
    ]
    const event = normalized({ exception: [{ type: 'E', stacktrace: { frames } }] })
    const at = event.problems.find(({ rule }) => rule === 'too_long')?.path
    assert.equal(at, 'exception.values.0.stacktrace.frames.249.vars.html')
  })

  test('line numbers may be text, and nonsense is noted', () => {
    const frames = [
      { filename: 'a', lineno: '12', colno: 3.7 },
      { filename: 'b', lineno: 'x' },
      { filename: 'c', lineno: -1 },
      { filename: 'd', lineno: 0 },
    ]
    const event = normalized({ stacktrace: { frames } })
    assert.deepEqual(
      event.stacktrace?.frames.map(({ lineno, colno }) => [lineno, colno]),
      [
        [12, 3],
        [undefined, undefined],
        [undefined, undefined],
        [undefined, undefined],
      ],
    )
    assert.equal(event.problems.length, 2)
  })

  test('Ruby lines keep their line break, PHP sends null and an empty list', () => {
    const frame = {
      filename: 'a.rb',
      context_line: 'raise "x"\n',
      pre_context: ['a\n', null],
      post_context: [],
      vars: [],
    }
    const [read] = normalized({ stacktrace: { frames: [frame] } }).stacktrace?.frames ?? []
    assert.deepEqual(read, {
      filename: 'a.rb',
      in_app: true,
      context_line: 'raise "x"\n',
      pre_context: ['a\n', ''],
    })
  })

  for (const [platform, frame, expected] of [
    ['java', { module: 'java.lang.Thread', filename: 'Thread.java' }, false],
    ['java', { module: 'kotlin.io.Foo' }, false],
    ['java', { module: 'com.example.App' }, true],
    ['python', { abs_path: '/usr/lib/python3.12/json/__init__.py' }, false],
    ['python', { abs_path: '/srv/.venv/lib/site-packages/django/x.py' }, false],
    ['python', { abs_path: '/srv/app/views.py' }, true],
    ['node', { filename: 'node:internal/process/task_queues' }, false],
    ['node', { filename: '/srv/app/node_modules/pg/lib/client.js' }, false],
    ['node', { filename: 'internal/process/next_tick.js' }, false],
    ['node', { filename: '/srv/app/server.js' }, true],
    ['javascript', { filename: 'chrome-extension://abc/x.js' }, false],
    ['javascript', { filename: 'webpack-internal:///./a.js' }, false],
    ['javascript', { filename: 'https://x.example/app.js' }, true],
    ['ruby', { abs_path: '/usr/local/bundle/gems/rack-3/lib/rack.rb' }, false],
    ['php', { filename: '/vendor/symfony/x.php' }, false],
    ['go', { abs_path: '/usr/local/go/src/net/http/server.go', module: 'net/http' }, false],
    ['go', { abs_path: '/src/main.go', module: 'main' }, true],
    ['native', { instruction_addr: '0x1' }, undefined],
    ['java', { module: 'java.lang.Thread', in_app: true }, true],
    ['ruby', { abs_path: '/srv/shop/server.rb', filename: 'server.rb', in_app: false }, true],
  ] as const) {
    test(`in_app of ${platform} ${JSON.stringify(frame)} is ${expected}`, () => {
      const [read] = normalized({ platform, stacktrace: { frames: [frame] } }).stacktrace?.frames ?? []
      assert.equal(read?.in_app, expected)
    })
  }

  const chunk = (filename: string, platform = 'javascript') => {
    const frames = [{ filename, in_app: true }]
    return normalized({ platform, stacktrace: { frames } }).stacktrace?.frames[0]
  }

  for (const [platform, filename] of [
    ['node', 'app:///_next/server/chunks/ssr/node_modules_next_dist_0-amwqbrge23p._.js'],
    ['node', '/srv/shop/.next/server/chunks/ssr/node_modules_next_dist_0-amwqbrge23p._.js'],
    ['node', 'C:\\shop\\.next\\server\\chunks\\apps_web_node_modules_next_dist_1a2b._.js'],
    ['javascript', 'https://shop.example/_next/static/chunks/node_modules_react-dom_0ff1ce._.js?dpl=1'],
    ['javascript', 'https://shop.example/static/js/vendors-node_modules_axios_index_js.chunk.js'],
    ['javascript', 'https://shop.example/_next/static/chunks/framework-64ad27b21261a9ce.js'],
    ['javascript', 'https://shop.example/assets/vendor-D2f9x1Ab.js'],
    ['javascript', 'https://shop.example/js/chunk-vendors.1f2e3d4c.js'],
    ['go', '/root/go/pkg/mod/github.com/gin-gonic/gin@v1.10.0/context.go'],
  ] as const) {
    test(`${filename} is of libraries, though its SDK says otherwise`, () => {
      assert.deepEqual(chunk(filename, platform), { filename, in_app: false })
    })
  }

  for (const filename of [
    'https://shop.example/assets/vendor-list.js',
    'https://shop.example/assets/vendor-settings.js',
    '/srv/shop/src/vendor.js',
    '/srv/shop/src/vendors/vendor-D2f9x1Ab.ts',
    '/srv/node_modules_of_mine/server.js',
    'https://shop.example/assets/framework-list.js',
    'app:///_next/server/chunks/ssr/_0pun_xa7luig2._.js',
  ]) {
    test(`${filename} stays of the app`, () => {
      assert.deepEqual(chunk(filename), { filename, in_app: true })
    })
  }

  test('a file of such a name in another language stays of the app', () => {
    assert.equal(chunk('/srv/vendor-D2f9x1Ab.js', 'python')?.in_app, true)
  })

  test('threads come as a bare array, with ids of either type', () => {
    const event = normalized({
      threads: [
        { id: 1, crashed: true, current: 1 },
        { id: 'main', stacktrace: null },
      ],
    })
    assert.deepEqual(event.threads, { values: [{ id: 1, crashed: true, current: true }, { id: 'main' }] })
  })
})
