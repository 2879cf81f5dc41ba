import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { NormalizedEvent } from '#model/event.ts'
import { normalizeEvent } from '#normalize/normalize.ts'
import { type FilterOptions, PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import { createFilter } from './filter.ts'

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'
const GOOGLE = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

function normalized(raw: unknown, clientAddress: string | null = null): NormalizedEvent {
  const answer = normalizeEvent(raw, {
    eventId: null,
    receivedMs: Date.parse('2026-11-21T10:00:00Z'),
    sentAt: null,
    clientAddress,
    userAgent: null,
    sdk: undefined,
    client: null,
  })
  assert.ok(answer.ok)
  return answer.event
}

interface From {
  readonly clientAddress?: string
  readonly userAgent?: string
}

function ruleOf(options: Partial<FilterOptions>, raw: unknown, from: From = {}): string | null {
  const { clientAddress = null, userAgent = null } = from
  const filter = createFilter({ ...PROJECT_OPTIONS_DEFAULT.filters, ...options })
  assert.ok(filter !== null)
  const found = filter(normalized(raw, clientAddress), { clientAddress, userAgent })
  return found === 'unfinished' ? found : (found?.rule ?? null)
}

const failing = (path: string, value = 'x is undefined') => ({
  platform: 'javascript',
  exception: {
    values: [
      { type: 'TypeError', value, stacktrace: { frames: frames('https://shop.example/app.js', path) } },
    ],
  },
})
const frames = (...paths: readonly string[]) =>
  paths.map((path) => ({ filename: path, function: 'f', lineno: 1 }))
const of = (url: string, more: object = {}) => ({
  platform: 'javascript',
  message: 'hi',
  request: { url, ...more },
})
const saying = (agent: string) => of('https://shop.example/', { headers: { 'User-Agent': agent } })

/** Events of real SDKs, found by their text. */
const CAPTURED = new URL('../../../../tests/fixtures/captured/', import.meta.url)
function captured(): readonly { readonly name: string; readonly event: Record<string, unknown> }[] {
  return readdirSync(CAPTURED)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const { envelope } = JSON.parse(readFileSync(new URL(file, CAPTURED), 'utf8')) as { envelope: string } // a capture
      return envelope
        .split('\n')
        .map((line) => (line.startsWith('{') ? (JSON.parse(line) as Record<string, unknown>) : {})) // a line of it
        .filter((event) => event.platform !== undefined)
        .map((event) => ({ name: file, event }))
    })
}

describe('a project without filters', () => {
  it('has none to run', () => {
    const { filters } = PROJECT_OPTIONS_DEFAULT
    assert.equal(createFilter({ ...filters, controlFlow: false, aborted: false }), null)
  })
})

describe('the filter of browser extensions', () => {
  const on = { browserExtensions: true }
  for (const scheme of ['chrome-extension', 'moz-extension', 'safari-extension', 'safari-web-extension']) {
    it(`meets what fails in ${scheme}://`, () => {
      assert.equal(ruleOf(on, failing(`${scheme}://abcdefgh/content.js`)), 'browser-extensions')
      assert.equal(ruleOf(on, of(`${scheme}://abcdefgh/popup.html`)), 'browser-extensions')
    })
  }

  it('looks past calls that have no place', () => {
    const event = failing('chrome-extension://abcdefgh/content.js')
    event.exception.values[0]?.stacktrace.frames.push(...frames('<anonymous>', '[native code]'))
    assert.equal(ruleOf(on, event), 'browser-extensions')
  })

  it('leaves the page’s own failures, even where an extension called it', () => {
    assert.equal(ruleOf(on, failing('https://shop.example/app.js')), null)
    const called = {
      platform: 'javascript',
      exception: {
        values: [
          {
            type: 'Error',
            value: 'x',
            stacktrace: { frames: frames('moz-extension://a/b.js', 'https://shop.example/app.js') },
          },
        ],
      },
    }
    assert.equal(ruleOf(on, called), null)
  })

  const messages = [
    'Extension context invalidated.',
    'Could not establish connection. Receiving end does not exist.',
    'A listener indicated an asynchronous response by returning true, but the message channel closed before a response was received',
    "can't access dead object",
    'Cannot redefine property: ethereum',
    "undefined is not an object (evaluating 'window.webkit.messageHandlers.x.postMessage')",
    'Failed to load chrome-extension://abcdefgh/x.js',
  ]
  for (const value of messages) {
    it(`knows “${value.slice(0, 60)}”`, () => {
      assert.equal(ruleOf(on, failing('https://shop.example/app.js', value)), 'browser-extensions')
      assert.equal(ruleOf(on, { platform: 'javascript', message: value }), 'browser-extensions')
      assert.equal(ruleOf(on, { platform: 'node', message: value }), null, 'a server that writes about it')
    })
  }

  it('leaves a failure of a real page alone', () => {
    for (const { name, event } of captured()) assert.equal(ruleOf(on, event), null, name)
  })
})

describe('the filter of local machines', () => {
  const on = { localhost: true }
  const local = [
    'http://localhost:3000/orders',
    'http://LOCALHOST/',
    'http://shop.localhost:5173/',
    'http://127.0.0.1:8080/',
    'http://127.8.9.1/',
    'http://[::1]:3000/',
    'http://[::ffff:127.0.0.1]/',
    'http://0.0.0.0:8000/',
  ]
  for (const url of local) {
    it(`meets ${url}`, () => {
      assert.equal(ruleOf(on, of(url)), 'localhost')
    })
  }
  for (const url of [
    'https://shop.example/localhost',
    'https://localhost.example/',
    'https://notlocalhost/',
    'http://10.0.0.1/',
    'file:///home/x/index.html',
    'app://localhost.evil/',
    '/orders',
  ]) {
    it(`leaves ${url}`, () => {
      assert.equal(ruleOf(on, of(url)), null)
    })
  }

  it('takes the Host header where there is no whole address', () => {
    assert.equal(ruleOf(on, of('/orders', { headers: { host: 'localhost:3000' } })), 'localhost')
    assert.equal(ruleOf(on, of('/orders', { headers: { Host: 'shop.example' } })), null)
  })

  it('believes a proxy about what was asked for', () => {
    const behind = { headers: { host: 'localhost:3000', 'x-forwarded-host': 'shop.example, proxy.internal' } }
    assert.equal(ruleOf(on, of('http://localhost:3000/orders', behind)), null)
  })

  it('does not look at server names or senders', () => {
    const event = { platform: 'java', message: 'hi', server_name: 'localhost' }
    assert.equal(ruleOf(on, event, { clientAddress: '127.0.0.1' }), null)
  })

  it('meets exactly those captured events that name a page of this machine', () => {
    for (const { name, event } of captured()) {
      const request = event.request as { readonly url?: string } | undefined // as SDKs send it
      const isLocal = request?.url?.startsWith('http://127.0.0.1:') === true
      assert.equal(ruleOf(on, event), isLocal ? 'localhost' : null, name)
    }
  })
})

describe('the filter of crawlers', () => {
  const on = { crawlers: true }
  const crawlers = [
    GOOGLE,
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  ]
  for (const agent of crawlers) {
    it(`meets ${agent.slice(0, 60)}`, () => {
      assert.equal(ruleOf(on, saying(agent)), 'web-crawlers')
    })
  }
  const others = [
    CHROME,
    CHROME.replace('Chrome/', 'HeadlessChrome/'),
    'node',
    'undici',
    'axios/1.7.2',
    'python-requests/2.32.3',
    'Go-http-client/2.0',
    'okhttp/4.12.0',
    'curl/8.9.1',
    'sentry.javascript.nextjs/11.8.0',
    '',
  ]
  for (const agent of others) {
    it(`leaves ${agent.slice(0, 60) || 'an empty one'}`, () => {
      assert.equal(ruleOf(on, saying(agent)), null)
    })
  }

  it('takes the sender’s user agent only where a browser sends by itself', () => {
    assert.equal(ruleOf(on, { platform: 'javascript', message: 'hi' }, { userAgent: GOOGLE }), 'web-crawlers')
    assert.equal(ruleOf(on, { platform: 'node', message: 'hi' }, { userAgent: GOOGLE }), null)
    assert.equal(ruleOf(on, saying(CHROME), { userAgent: GOOGLE }), null)
  })

  it('leaves what real SDKs send', () => {
    for (const { name, event } of captured()) {
      assert.equal(ruleOf(on, event, { userAgent: 'sentry.python/2.68.0' }), null, name)
    }
  })
})

describe('the filters of releases, messages and addresses', () => {
  it('compare releases as wholes', () => {
    assert.equal(
      ruleOf({ releases: ['shop@1.*'] }, { release: 'Shop@1.4.0', message: 'hi' }),
      'release-version',
    )
    assert.equal(ruleOf({ releases: ['shop@1.*'] }, { release: 'shop@2.0.0', message: 'hi' }), null)
    assert.equal(ruleOf({ releases: ['*'] }, { message: 'hi' }), null)
  })

  it('compare messages with type and value, value, type, message and its template', () => {
    const error = { exception: { values: [{ type: 'TypeError', value: 'Failed to fetch' }] } }
    for (const pattern of ['TypeError: Failed*', 'failed to fetch', 'typeerror', '*fetch'])
      assert.equal(ruleOf({ messages: [pattern] }, error), 'error-message', pattern)
    assert.equal(ruleOf({ messages: ['Failed'] }, error), null)
    const message = { logentry: { message: 'order %s failed', params: ['A-1'] } }
    assert.equal(ruleOf({ messages: ['order %s failed'] }, message), 'error-message')
    assert.equal(
      ruleOf({ messages: ['order a-1 failed'] }, { logentry: { formatted: 'Order A-1 failed' } }),
      'error-message',
    )
  })

  it('look at the error an event is called by, not at its causes', () => {
    const values = [
      { type: 'TypeError', value: 'Failed to fetch' },
      { type: 'OrderError', value: 'Could not pay' },
    ]
    assert.equal(ruleOf({ messages: ['TypeError*'] }, { exception: { values } }), null)
    assert.equal(ruleOf({ messages: ['OrderError*'] }, { exception: { values } }), 'error-message')
  })

  it('compare the sender’s address and that of the user', () => {
    const addresses = ['10.0.0.0/8']
    assert.equal(ruleOf({ addresses }, { message: 'hi' }, { clientAddress: '10.1.1.1' }), 'ip-address')
    assert.equal(ruleOf({ addresses }, { message: 'hi', user: { ip_address: '10.2.2.2' } }), 'ip-address')
    assert.equal(ruleOf({ addresses }, { message: 'hi' }, { clientAddress: '192.0.2.1' }), null)
  })
})

describe('an example', () => {
  it('says nothing that the event brought', () => {
    const filter = createFilter({
      browserExtensions: true,
      localhost: true,
      crawlers: true,
      controlFlow: true,
      aborted: true,
      releases: ['secret-*'],
      messages: ['my *'],
      addresses: ['203.0.113.0/24'],
    })
    const canary = 'cAn4ry'
    const events: readonly [unknown, string | null][] = [
      [{ message: `my ${canary}` }, null],
      [{ release: `secret-${canary}` }, null],
      [{ message: 'hi' }, '203.0.113.77'],
      [of(`http://${canary}.localhost/${canary}`), null],
      [failing(`chrome-extension://${canary}/x.js`), null],
      [saying(`${canary}bot/1.0 (+http://x)`), null],
    ]
    for (const [raw, clientAddress] of events) {
      const found = filter?.(normalized(raw, clientAddress), { clientAddress, userAgent: null }) ?? null
      assert.ok(found !== null && found !== 'unfinished', JSON.stringify(raw))
      assert.doesNotMatch(found.example, new RegExp(`${canary}|203\\.0\\.113\\.77`))
    }
  })
})
