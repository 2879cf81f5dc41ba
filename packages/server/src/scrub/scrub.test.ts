import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NormalizedEvent } from '#model/event.ts'
import { aNormalizedEvent, CANARY, SECRETS, scrubbedText, scrubFields } from '#testing/builders/scrubbing.ts'

function sourceLine(line: string): string | undefined {
  return scrubFields({ stacktrace: { frames: [{ context_line: line }] } }).stacktrace?.frames[0]?.context_line
}

describe('texts', () => {
  for (const text of SECRETS) {
    test(`${JSON.stringify(text).slice(0, 70)} keeps no secret`, () => {
      const out = scrubbedText(text)
      assert.ok(!out.includes(CANARY) && !out.includes('7f3e'), out)
      assert.ok(out.includes('[Filtered]'))
      assert.equal(scrubbedText(out), out)
    })
  }

  test('a one-time link loses its code, and a parameter of a route stays', () => {
    assert.equal(
      scrubbedText(`GET /magic-link/${CANARY} was opened`),
      'GET /magic-link/[Filtered] was opened',
    )
    assert.equal(scrubbedText('GET /magic-link/%5Btoken%5D'), 'GET /magic-link/%5Btoken%5D')
  })

  for (const text of [
    'AKIAIOSFODNN7EXAMPLE',
    'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
    'xoxb-123456789012-abcdefABCDEF',
    'AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY',
    'sntrys_eyJpYXQiOjE2ODczMzY1NDMuNjk4NTksInVybCI6bnVsbH0',
    'glpat-abcdefghij1234567890',
    'npm_abcdefghijklmnopqrstuvwxyz0123456789',
    '4111 1111 1111 1111',
    '4111111111111111',
    '5500-0000-0000-0004',
    '378282246310005',
    '6011111111111117',
    'DE89 3704 0044 0532 0130 00',
    'GB82WEST12345698765432',
    'NL91ABNA0417164300',
  ]) {
    test(`${text} is found by its form within a sentence`, () => {
      assert.equal(scrubbedText(`value ${text} was refused`), 'value [Filtered] was refused')
    })
  }

  for (const text of [
    'SyntaxError: Unexpected token < in JSON at position 0',
    "Cannot read properties of undefined (reading 'token')",
    'TypeError: Failed to fetch dynamically imported module: https://x.example/assets/app-1f3a.js',
    'Minified React error #441; visit https://react.dev/errors/441 for the full message',
    'order 4111111111111112 was not found',
    'took 1795238308446 ms at 1795238308',
    'build 2026.11.21-1234567890123',
    'trace 0af7651916cd43dd8448eb211c80319c',
    '9ec79c33-ec99-42ab-8353-589fcb2e04dc',
    'Basic authentication failed for bob',
    'bearer token missing',
    'password is required',
    'token: undefined',
    'session_count=5',
    'author: Jane Doe',
    'npm:@sentry/node',
    'http://localhost:3000/@vite/client',
    'http://localhost:3000/a@b/c',
    'webpack-internal:///./src/a.js',
    'app:///_next/static/chunks/063f.js',
    'at f (https://x.example/app.js:10:20)',
    'mailto:bob@example.com',
    'bob@example.com',
    'Token::new called',
    'max_tokens=100',
    '12:30:45',
    'a ? b : c',
    'login with password=%s failed',
    'select * from users where password = $1',
    '{"a":1,"b":[true,null]}',
    'digest 2338461829',
    'SELECT key, value FROM t',
  ]) {
    test(`${JSON.stringify(text).slice(0, 70)} is left as it is`, () =>
      assert.equal(scrubbedText(text), text))
  }
})

describe('source lines', () => {
  for (const line of [
    `const password = "${CANARY}";`,
    `  apiKey: '${CANARY}',`,
    `password: str = "${CANARY}"`,
    `const token: string | undefined = \`${CANARY}\``,
    `PASSWORD=${CANARY}`,
    `$password = '${CANARY}';`,
    `private static final String SECRET = "${CANARY}";`,
    `secret := "${CANARY}"`,
    `if (password === "${CANARY}") {`,
    `connect(password="${CANARY}")`,
    `"Authorization": "Bearer ${CANARY}",`,
    `url = "postgres://app:${CANARY}@db/x"`,
    `headers.set("Authorization: Bearer ${CANARY}")`,
  ]) {
    test(`${line.slice(0, 60)} loses its literal`, () =>
      assert.ok(!sourceLine(line)?.includes(CANARY), sourceLine(line)))
  }

  for (const line of [
    'const token = await login(user)',
    'if (token === undefined) {',
    'this.password = password;',
    'password = getenv("DB_PASSWORD")',
    'function auth(session: Session): Token {',
    'return { token, session }',
    'connect(password=settings.DB_PASSWORD)',
    'for (const [key, value] of cookies) {',
    'session = request.session',
    'export const author = "Jane Doe"',
  ]) {
    test(`${line} stays readable`, () => assert.equal(sourceLine(line), line))
  }

  test('a private key over several lines is taken out of all of them', () => {
    const event = scrubFields({
      stacktrace: {
        frames: [
          {
            pre_context: ['a = 1', '-----BEGIN PRIVATE KEY-----', `MIIE${CANARY}`],
            context_line: CANARY,
            post_context: [CANARY, '-----END PRIVATE KEY-----', 'b = 2'],
          },
        ],
      },
    })
    const [frame] = event.stacktrace?.frames ?? []
    assert.ok(!JSON.stringify(frame).includes(CANARY))
    assert.equal(frame?.pre_context?.[0], 'a = 1')
    assert.equal(frame?.post_context?.[2], 'b = 2')
  })
})

describe('places', () => {
  test('a cookie loses its value and keeps its name; how a page is shown and what was agreed to stays', () => {
    const sid = `sid=${CANARY}9Kf3`
    const { request } = scrubFields({
      request: {
        cookies: [
          ['theme', 'dark'],
          ['sid', CANARY],
          ['theme_token', CANARY],
          ['NEXT_LOCALE', 'de-CH'],
          ['lang', 'q8Zx4Kf93LmWv2'],
          ['unknown', 'yes1'],
        ],
        headers: [
          ['Cookie', `theme=dark; ${sid}; cookie_consent=all`],
          ['Cookie', sid],
          ['Set-Cookie', 'locale=de; Path=/; HttpOnly'],
          ['Set-Cookie', 'a=b'],
          ['Accept', 'x'],
        ],
      },
    })
    assert.deepEqual(request?.cookies, [
      ['theme', 'dark'],
      ['sid', '[Filtered]'],
      ['theme_token', '[Filtered]'],
      ['NEXT_LOCALE', 'de-CH'],
      ['lang', '[Filtered]'],
      ['unknown', '[Filtered]'],
    ])
    assert.deepEqual(request?.headers, [
      ['Cookie', 'theme=dark; sid=[Filtered]; cookie_consent=all'],
      ['Cookie', '[Filtered]'],
      ['Set-Cookie', 'locale=de; Path=/; HttpOnly'],
      ['Set-Cookie', '[Filtered]'],
      ['Accept', 'x'],
    ])
    assert.equal(
      scrubbedText(`sent Cookie: view=grid; ${sid}\nHost: x`),
      'sent Cookie: view=grid; sid=[Filtered]\nHost: x',
    )
    const { extra } = scrubFields({ extra: { cookies: { currency: 'CHF', sid: CANARY } } })
    assert.deepEqual(extra?.cookies, { currency: 'CHF', sid: '[Filtered]' })
  })

  test('a body that is a relayed envelope goes whole', () => {
    const data = `{"dsn":"https://abc@errata.example/1"}\n{"type":"event"}\n{"message":"x"}`
    assert.equal(scrubFields({ request: { data } }).request?.data, '[Filtered]')
  })

  test('arguments of a console that announce a secret lose the next one, in the message too', () => {
    const { breadcrumbs } = scrubFields({
      breadcrumbs: {
        values: [
          {
            type: 'default',
            level: 'info',
            message: 'my password: tr0ub4dor',
            data: { arguments: ['my password:', 'tr0ub4dor', { message: `token=${CANARY}`, digest: '123' }] },
          },
        ],
      },
    })
    const [crumb] = breadcrumbs?.values ?? []
    assert.equal(crumb?.message, 'my password: [Filtered]')
    assert.deepEqual(crumb?.data?.arguments, [
      'my password:',
      '[Filtered]',
      { message: 'token=[Filtered]', digest: '123' },
    ])
  })

  test('a secret found by its name is taken out where it stands without one', () => {
    const event = scrubFields({
      logentry: { message: 'login %s', formatted: `login ${CANARY}`, params: [CANARY] },
      extra: { password: CANARY, list: [`x ${CANARY} y`], [`key ${CANARY}`]: 1 },
    })
    assert.ok(!JSON.stringify(event).includes(CANARY), JSON.stringify(event))
  })

  test('flags, counters and empty values under a secret’s name stay', () => {
    const extra = { password: null, hasPassword: true, token: '', max_tokens: 5, tokens: 7, cookies: {} }
    assert.deepEqual(scrubFields({ extra }).extra, extra)
  })

  test('module names are no secrets’ names, contexts stay objects, ids stay ids', () => {
    const trace = { trace_id: '4111111111111111'.repeat(2), span_id: 'b7ad6b7169203331' }
    const event = scrubFields({
      modules: { jsonwebtoken: '9.0.2', cookie: '1.0.0' },
      contexts: { session: { id: CANARY }, trace },
    })
    assert.deepEqual(event.modules, { jsonwebtoken: '9.0.2', cookie: '1.0.0' })
    assert.deepEqual(event.contexts, { session: { type: 'filtered', value: '[Filtered]' }, trace })
  })

  test('a one-time link keeps its address and step, and is listed as one', () => {
    const event = scrubFields({ message: 'GET https://x.example/confirm/k3Xw9ZpQ2a failed' })
    assert.equal(event.message, 'GET https://x.example/confirm/[Filtered] failed')
    assert.deepEqual(event.scrubbedPaths, [{ path: 'message', rule: 'one_time_link' }])
  })

  test('parameters of a statement and rows below their columns go by the names of the columns', () => {
    const { extra } = scrubFields({
      extra: {
        insert: { sql: 'INSERT INTO u (name, password) VALUES ($1, $2)', params: ['bob', 'swordfish'] },
        update: {
          query: 'UPDATE u SET name = ?, token = ? WHERE id = ?',
          bindings: ['bob', 'k3Xw9ZpQ2a', 7],
        },
        table: { columns: ['name', 'password'], rows: [['bob', 'swordfish']] },
      },
    })
    assert.deepEqual(extra?.insert, {
      sql: 'INSERT INTO u (name, password) VALUES ($1, $2)',
      params: ['bob', '[Filtered]'],
    })
    assert.deepEqual(extra?.update, {
      query: 'UPDATE u SET name = ?, token = ? WHERE id = ?',
      bindings: ['bob', '[Filtered]', 7],
    })
    assert.deepEqual(extra?.table, { columns: ['name', 'password'], rows: [['bob', '[Filtered]']] })
  })

  test('what was taken out is listed with its rule, and no path repeats a secret', () => {
    const event = scrubFields({
      message: `password=${CANARY}`,
      extra: { api_key: 'x1y2', [`token=${CANARY}`]: { password: 'abc' } },
    })
    assert.ok(event.scrubbedPaths.some(({ path, rule }) => path === 'message' && rule === 'password'))
    assert.ok(event.scrubbedPaths.some(({ path, rule }) => path === 'extra.api_key' && rule === 'api_key'))
    assert.ok(!JSON.stringify(event).includes(CANARY))
  })

  test('keys of the prototype are scrubbed like any other', () => {
    const extra = JSON.parse(
      `{"__proto__":{"password":"${CANARY}"},"constructor":{"token":"${CANARY}"}}`,
    ) as NormalizedEvent['extra'] // JSON of this test
    const event = scrubFields({ ...(extra === undefined ? {} : { extra }) })
    assert.ok(!JSON.stringify(event).includes(CANARY))
    assert.deepEqual(Object.keys(event.extra ?? {}), ['__proto__', 'constructor'])
  })
})

describe('a project’s options', () => {
  test('extra keys are scrubbed, allowed ones are not', () => {
    const extra = { loyaltyNumber: 'L1', session_id: 'S1', note: 'loyalty-number=L2 session_id=S2' }
    const event = scrubFields({ extra }, { extraKeys: ['loyalty_number'], allowedKeys: ['SESSION_ID'] })
    assert.deepEqual(event.extra, {
      loyaltyNumber: '[Filtered]',
      session_id: 'S1',
      note: 'loyalty-number=[Filtered] session_id=S2',
    })
  })

  test('an extra key that is also a name of the wire harms no typed field, and a user’s own fields can be secrets', () => {
    const event = scrubFields(
      {
        exception: {
          values: [
            { type: 'E', value: 'v', stacktrace: { frames: [{ filename: 'a.js', vars: { data: 'x' } }] } },
          ],
        },
        breadcrumbs: { values: [{ type: 'default', level: 'info', message: 'm', data: { a: 1 } }] },
        user: { id: '5', email: 'bob@example.com', data: { email: 'c@d.e' } },
        request: { method: 'GET', data: { a: 1 } },
      },
      { extraKeys: ['name', 'data', 'type', 'email', 'values', 'method'] },
    )
    const [exception] = event.exception?.values ?? []
    assert.equal(exception?.type, 'E')
    assert.deepEqual(exception?.stacktrace?.frames, [{ filename: 'a.js', vars: { data: '[Filtered]' } }])
    assert.deepEqual(event.breadcrumbs?.values, [
      { type: 'default', level: 'info', message: 'm', data: { a: 1 } },
    ])
    assert.deepEqual(event.user, { id: '5', email: '[Filtered]', data: { email: '[Filtered]' } })
    assert.deepEqual(event.request, { method: 'GET', data: { a: 1 } })
  })

  test('a secret that repeats an id of the event does not take the id away', () => {
    const trace = { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' }
    const event = scrubFields({
      contexts: { trace },
      user: { id: 'user-12345' },
      extra: { session_id: trace.trace_id, token: 'user-12345' },
    })
    assert.deepEqual(event.contexts, { trace })
    assert.equal(event.user?.id, 'user-12345')
    assert.deepEqual(event.extra, { session_id: '[Filtered]', token: '[Filtered]' })
  })

  const withAddress: Partial<NormalizedEvent> = {
    message: 'from 203.0.113.9 and 203.0.113.90',
    user: { id: '1', ip_address: '203.0.113.9' },
    request: {
      env: { REMOTE_ADDR: '198.51.100.7' },
      headers: [
        ['X-Forwarded-For', '203.0.113.9, 10.0.0.1'],
        ['Forwarded', 'for="[2001:db8:1:2::5]"'],
      ],
    },
    contexts: { trace: { data: { 'client.address': '203.0.113.9' } } },
    tags: [['ip', '2001:db8:1:2::5']],
  }

  test('addresses are kept by default', () => {
    const { scrubbedPaths: _paths, ...event } = scrubFields(withAddress)
    assert.deepEqual(event, aNormalizedEvent(withAddress))
  })

  test('truncated addresses keep their network, everywhere', () => {
    const event = scrubFields(withAddress, { clientAddress: 'truncate' })
    assert.equal(event.user?.ip_address, '203.0.113.0')
    assert.equal(event.message, 'from 203.0.113.0 and 203.0.113.90')
    assert.deepEqual(event.request, {
      env: { REMOTE_ADDR: '198.51.100.0' },
      headers: [
        ['X-Forwarded-For', '203.0.113.0, 10.0.0.0'],
        ['Forwarded', 'for="[2001:db8:1::]"'],
      ],
    })
    assert.deepEqual(event.tags, [['ip', '2001:db8:1::']])
    assert.deepEqual(event.contexts, { trace: { data: { 'client.address': '203.0.113.0' } } })
  })

  test('dropped addresses are nowhere', () => {
    const event = scrubFields(withAddress, { clientAddress: 'drop' })
    assert.equal(event.user?.ip_address, undefined)
    assert.ok(!/203\.0\.113\.9\b|198\.51\.100|2001:db8/.test(JSON.stringify(event)), JSON.stringify(event))
  })
})
