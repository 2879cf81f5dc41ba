import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { normalizeEvent } from '#normalize/normalize.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import { createFilter } from './filter.ts'

const { filters } = PROJECT_OPTIONS_DEFAULT

function ruleOf(raw: object, options: Partial<typeof filters> = {}): string | null {
  const read = normalizeEvent(raw, {
    ...{ eventId: null, receivedMs: Date.parse('2026-11-21T10:00:00Z'), sentAt: null, clientAddress: null },
    ...{ userAgent: null, sdk: undefined, client: null },
  })
  assert.ok(read.ok)
  const filter = createFilter({ ...filters, ...options })
  const found = filter?.(read.event, { clientAddress: null, userAgent: null }) ?? null
  return found === 'unfinished' ? found : (found?.rule ?? null)
}

const failing = (type: string, value: string, change: object = {}) => ({
  platform: 'javascript',
  exception: { values: [{ type, value }] },
  ...change,
})
const OF_A_FUNCTION = { type: 'auto.middleware.tanstackstart.server_function', handled: false }
const KEYS = 'Object captured as exception with keys: data, error, internal, status, statusText'
const REJECTED = 'Object captured as promise rejection with keys: data, internal, status, statusText'
const thrown = (value: string, serialized: object, change: object = {}) =>
  failing('Error', value, { extra: { __serialized__: serialized }, ...change })
const response = (status: number | string, more: object = {}) => ({
  ...{ data: null, internal: false, statusText: '' },
  status,
  ...more,
})

describe('control flow', () => {
  const STEERS: readonly (readonly [name: string, event: object])[] = [
    ['redirect()', failing('Error', 'NEXT_REDIRECT')],
    ['redirect(), with its digest', failing('Error', 'NEXT_REDIRECT;replace;/login;307;')],
    ['notFound() until 15', failing('Error', 'NEXT_NOT_FOUND')],
    ['notFound()', failing('Error', 'NEXT_HTTP_ERROR_FALLBACK;404')],
    ['forbidden()', failing('Error', 'NEXT_HTTP_ERROR_FALLBACK;403')],
    ['a line of the console', { logentry: { formatted: 'Error: NEXT_REDIRECT' } }],
    [
      'cookies() while prerendering',
      failing(
        'Error',
        "Dynamic server usage: Route /x couldn't be rendered statically because it used `cookies`.",
      ),
    ],
    ['useSearchParams()', failing('Error', 'Bail out to client-side rendering: useSearchParams()')],
    [
      'a page of the Pages Router that is not there',
      failing('Error', '_error.js called with falsy error (undefined)'),
    ],
    [
      'a second answer after the proxy threw, in Next.js',
      failing('Error', 'Cannot append headers after they are sent to the client', {
        platform: 'node',
        contexts: { nextjs: { router_path: '/_not-found/page', route_type: 'render' } },
      }),
    ],
    ['data(null, {status: 404})', thrown(KEYS, response(404, { error: null }))],
    ['a response thrown as a promise', thrown(REJECTED, response(403))],
    ['a status as text', thrown(KEYS, response('404'))],
    [
      'a response on the server',
      thrown(
        "'ErrorResponseImpl' captured as exception with keys: data, internal, status, statusText",
        response(410),
      ),
    ],
    [
      'a plain Response',
      thrown("'Response' captured as exception with keys: [object has no keys]", { status: 302 }),
    ],
    ['an unknown address', failing('Error', 'No route matches URL "/favicon.ico"', { platform: 'node' })],
    [
      'redirect() of SvelteKit',
      thrown(
        "'Redirect' captured as exception with keys: location, status",
        { location: '/login', status: 303 },
        { sdk: { name: 'sentry.javascript.sveltekit' } },
      ),
    ],
    [
      'error(404) of SvelteKit',
      thrown(
        "'HttpError' captured as exception with keys: body, status",
        { body: { message: 'no' }, status: 404 },
        { sdk: { name: 'sentry.javascript.sveltekit' } },
      ),
    ],
    [
      'error(404) of SvelteKit, of a promise that a page streams',
      thrown(
        'Object captured as promise rejection with keys: message, status',
        { message: 'No reviews', status: 404, errorId: 'a1' },
        { sdk: { name: 'sentry.javascript.sveltekit' } },
      ),
    ],
    [
      'an answer below 500 that a page of Nuxt passes on',
      failing('Error', '', {
        sdk: { name: 'sentry.javascript.nuxt' },
        exception: {
          values: [
            { type: 'FetchError', value: '[GET] "/api/orders/7": 404 No such order' },
            { type: 'Error', value: 'No such order' },
          ],
        },
      }),
    ],
    [
      'notFound() of TanStack',
      thrown('Object captured as exception with keys: isNotFound', { isNotFound: true }),
    ],
    [
      'redirect() of TanStack Start, out of a function',
      {
        platform: 'node',
        exception: { values: [{ type: 'Error', value: '[object Response]', mechanism: OF_A_FUNCTION }] },
      },
    ],
    ['redirect() of TanStack Start, in a page that only calls the function', rejected(307)],
  ]
  for (const [name, event] of STEERS) {
    it(`is ${name}`, () => {
      assert.equal(ruleOf(event), 'control_flow')
      assert.equal(ruleOf(event, { controlFlow: false }), null)
    })
  }

  const FAILS: readonly (readonly [name: string, event: object])[] = [
    [
      'headers that an app sets too late',
      failing('Error', 'Cannot set headers after they are sent to the client', {
        platform: 'node',
        contexts: { nextjs: { router_path: '/legacy', route_type: 'render' } },
      }),
    ],
    ['data() with 500', thrown(KEYS, response(500, { error: null }))],
    ['data() with 503, as text', thrown(KEYS, response('503'))],
    ['a status nobody knows', thrown(KEYS, { data: null, internal: true })],
    [
      'an answer of an API that was thrown',
      thrown('Object captured as exception with keys: config, data, headers, status, statusText', {
        config: {},
        data: {},
        headers: {},
        status: 404,
        statusText: '',
      }),
    ],
    [
      'a status beside other keys',
      thrown('Object captured as exception with keys: code, status', { code: 1, status: 404 }),
    ],
    [
      'a body and a status elsewhere',
      thrown('Object captured as exception with keys: body, status', { body: {}, status: 404 }),
    ],
    [
      'error(500) of SvelteKit',
      thrown(
        "'HttpError' captured as exception with keys: body, status",
        { body: {}, status: 500 },
        { sdk: { name: 'sentry.javascript.sveltekit' } },
      ),
    ],
    [
      'a promise of SvelteKit that failed',
      thrown(
        'Object captured as promise rejection with keys: message, status',
        { message: 'Internal Error', status: 500 },
        { sdk: { name: 'sentry.javascript.sveltekit' } },
      ),
    ],
    [
      'a message and a status elsewhere',
      thrown('Object captured as promise rejection with keys: message, status', {
        message: 'no',
        status: 404,
      }),
    ],
    [
      'what a page of Nuxt says itself of such an answer',
      failing('Error', '', {
        sdk: { name: 'sentry.javascript.nuxt' },
        exception: {
          values: [
            { type: 'FetchError', value: '[GET] "/api/orders/7": 404 No such order' },
            { type: 'Error', value: 'the order is gone' },
          ],
        },
      }),
    ],
    ['an asset of a build that is gone', failing('Error', 'No route matches URL "/assets/orders-BxT3.js"')],
    ['such an answer that is none', rejected(503)],
    ['such an answer of anybody else', failing('Error', '[object Response]')],
    ['a sentence about it', failing('Error', 'NEXT_REDIRECT was thrown outside of a render')],
    ['a fallback for 500', failing('Error', 'NEXT_HTTP_ERROR_FALLBACK;500')],
    ['an ordinary error', failing('TypeError', 'x is undefined')],
  ]
  for (const [name, event] of FAILS) it(`is not ${name}`, () => assert.equal(ruleOf(event), null))
})

const FOLDER = new URL('../../../../tests/fixtures/captured-spans/', import.meta.url)
const skip = existsSync(FOLDER) ? false : 'the captured fixtures are not part of this checkout'

/** A page of TanStack Start that rejects with a `Response`: the SDK makes it the message. */
function rejected(statusCode: number): object {
  return {
    ...{ platform: 'javascript', sdk: { name: 'sentry.javascript.tanstackstart-react' } },
    message: { options: { to: '/', statusCode, href: '/', isSerializedRedirect: true } },
    exception: {
      values: [{ type: 'Error', value: '[object Response]', mechanism: { type: 'onunhandledrejection' } }],
    },
  }
}

describe('what pages of Nuxt throw during a navigation', { skip }, () => {
  interface CapturedFile {
    readonly items: readonly { readonly name: string; readonly payload: object }[]
  }
  const captured = (file: string) => {
    const { items }: CapturedFile = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
    return items.map(({ name, payload }) => [name.split(' · ')[0] ?? '', ruleOf(payload)] as const)
  }

  it('is control flow where the status that it was made with is told, and below 500', () => {
    const steers = captured('nuxt4-thrown.json').filter(([, rule]) => rule === 'control_flow')
    assert.deepEqual(
      steers.map(([name]) => name),
      ['nav l404 extra', 'nav direct extra', 'nav mw extra'],
    )
  })

  const told = (change: object, of: object = {}) =>
    failing('Error', 'No such ship', {
      sdk: { name: 'sentry.javascript.nuxt' },
      contexts: { Error: { statusCode: 404, fatal: true, unhandled: false, ...change } },
      ...of,
    })
  it('is a failure where it was not made for that, or of another SDK', () => {
    assert.equal(ruleOf(told({})), 'control_flow')
    assert.equal(ruleOf(told({ unhandled: true })), null)
    assert.equal(ruleOf(told({ fatal: undefined })), null, 'an error of the app that has a status')
    assert.equal(ruleOf(told({}, { sdk: { name: 'sentry.javascript.vue' } })), null)
  })
})

describe('an aborted request', () => {
  const node = (type: string, value: string, ...calls: readonly string[]) => ({
    platform: 'node',
    exception: {
      values: [
        {
          type,
          value,
          stacktrace: { frames: calls.map((name) => ({ function: name, filename: 'node:_http_server' })) },
        },
      ],
    },
  })
  const ENDED: readonly (readonly [name: string, event: object])[] = [
    ['Chromium’s', failing('AbortError', 'signal is aborted without reason')],
    ['Chromium’s older', failing('AbortError', 'The user aborted a request.')],
    ['Firefox’s', failing('AbortError', 'The operation was aborted. ')],
    ['Safari’s', failing('AbortError', 'Fetch is aborted')],
    ['Safari’s, of a page that is left', failing('TypeError', 'cancelled')],
    ['Safari’s in French', failing('TypeError', 'annulé')],
    ['Axios’, of a page that is left', failing('AxiosError', 'Request aborted')],
    ['Axios’, of a signal', failing('CanceledError', 'canceled')],
    ['undici’s', failing('AbortError', 'This operation was aborted', { platform: 'node' })],
    ['one that the SDK wrapped', failing('UnhandledRejection', 'AbortError: The operation was aborted.')],
    ['a navigation', failing('AbortError', 'Navigation was aborted')],
    ['one whose client disconnected', node('Error', 'aborted', 'socketOnClose', 'abortIncoming')],
    ['Next’s', failing('ResponseAborted', '', { platform: 'node' })],
    ['React’s stream', node('Error', 'The destination stream closed early.')],
  ]
  for (const [name, event] of ENDED) {
    it(`is ${name}`, () => {
      assert.equal(ruleOf(event), 'aborted')
      assert.equal(ruleOf(event, { aborted: false }), null)
    })
  }

  const FAILS: readonly (readonly [name: string, event: object])[] = [
    ['a time that ran out', failing('TimeoutError', 'The operation was aborted due to timeout')],
    ['a time that ran out, as an abort', failing('AbortError', 'The operation was aborted due to timeout')],
    ['a network that failed', failing('TypeError', 'NetworkError when attempting to fetch resource.')],
    ['a network that failed in Chromium', failing('TypeError', 'Failed to fetch')],
    ['a network that failed in Safari', failing('TypeError', 'Load failed')],
    ['a connection that was lost', failing('TypeError', 'The network connection was lost.')],
    ['a network that failed in Axios', failing('AxiosError', 'Network Error')],
    ['a time that ran out in Axios', failing('AxiosError', 'timeout of 5000ms exceeded')],
    ['a server’s word', failing('TypeError', 'cancelled', { platform: 'node' })],
    [
      'a transaction of a database',
      failing('AbortError', 'The transaction was aborted, so the request cannot be fulfilled.'),
    ],
    ['a push service', failing('AbortError', 'Registration failed - push service error')],
    ['an app’s own word', failing('Error', 'aborted')],
    ['another error of the same call', node('Error', 'socket hang up', 'socketOnClose')],
    [
      'a render that the server gave up',
      node('Error', 'The render was aborted by the server without a reason.'),
    ],
  ]
  for (const [name, event] of FAILS) it(`is not ${name}`, () => assert.equal(ruleOf(event), null))
})
