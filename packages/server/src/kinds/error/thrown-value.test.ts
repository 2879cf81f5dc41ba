import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonObject } from '#base/json.ts'
import { groupEvent } from '#group/group.ts'
import type { Frame, ScrubbedEvent } from '#model/event.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { recogniseEvent } from './recognised.ts'
import { eventTitle } from './title.ts'

const ROUTER = '/srv/field/node_modules/react-router/dist/production/lib/server-runtime/server.js'
const NEXT = '/srv/clinic/node_modules/next/dist/compiled/next-server/app-page-turbo.runtime.prod.js'
const library = (filename: string, name: string): Frame => ({ filename, function: name, in_app: false })
const own = (filename: string, name: string): Frame => ({ filename, function: name, in_app: true })

interface Reported {
  readonly by: string
  readonly frames?: readonly Frame[]
  readonly platform?: string
  readonly synthetic?: boolean
}

const reported = (
  value: string,
  { by, frames = [], platform = 'node', synthetic = true }: Reported,
  change: Partial<ScrubbedEvent> = {},
) =>
  aScrubbedEvent({
    platform,
    exception: {
      values: [
        {
          ...{ type: 'Error', value, stacktrace: { frames } },
          mechanism: { type: by, handled: false, ...(synthetic ? { synthetic } : {}) },
        },
      ],
    },
    ...change,
  })

const hashOf = (event: ScrubbedEvent) => recogniseEvent(event).grouping.hash
const titleOf = (event: ScrubbedEvent) => eventTitle(event).title

const ofRouter = (value: string): readonly ScrubbedEvent[] => [
  reported(value, {
    by: 'react-router',
    frames: [
      library(ROUTER, 'renderHtml'),
      own('<anonymous>', 'Array.forEach'),
      library(ROUTER, 'handleError'),
    ],
  }),
  reported(value, { by: 'react-router', frames: [library(ROUTER, 'staticContextToResponse')] }),
  reported(value, { by: 'generic', frames: [own('/srv/field/app/root.tsx', 'ErrorBoundary')] }),
  reported(value, { by: 'generic', platform: 'javascript' }),
  reported(value, { by: 'auto.function.react_router.on_error', platform: 'javascript' }),
]

const ofNext = (value: string) =>
  reported(value, {
    ...{ by: 'auto.function.nextjs.on_request_error', synthetic: false },
    frames: [library('node:internal/process/task_queues', '?'), library(NEXT, 'eV'), library(NEXT, 'tk')],
  })

const wrapped = (value: string, change: Partial<ScrubbedEvent> = {}) =>
  reported(
    value,
    {
      by: 'auto.function.nextjs.server_component',
      frames: [library('node_modules/@sentry/nextjs/build/cjs/common/wrapServerComponentWithSentry.js', '?')],
    },
    { transaction: 'Page Server Component (/thrown/[what])', ...change },
  )

describe('a text that was thrown', () => {
  it('is one group, whoever reported it', () => {
    const hashes = new Set(ofRouter('a plain whistle was thrown').map(hashOf))
    assert.equal(hashes.size, 1)
    assert.deepEqual(hashes, new Set(ofRouter('a plain whistle was thrown').map(hashOf)))
    assert.equal(hashOf(ofNext('the bed is gone')), hashOf(wrapped('the bed is gone')))
  })

  it('is another group than another text from the same place', () => {
    assert.notEqual(hashOf(ofNext('the bed is gone')), hashOf(ofNext('the nurse is gone')))
    assert.equal(hashOf(ofNext('bed 13 is gone')), hashOf(ofNext('bed 14 is gone')))
  })

  it('is grouped by what it says and by the stack of the app that handed it over', () => {
    const captured = (value: string, name = 'checkOut') =>
      reported(value, { by: 'generic', frames: [own('/srv/field/app/cart.ts', name)] })
    assert.equal(hashOf(captured('17 too many')), hashOf(captured('23 too many')))
    assert.notEqual(hashOf(captured('too many')), hashOf(captured('too few')))
    assert.notEqual(hashOf(captured('too many')), hashOf(captured('too many', 'refund')))
  })

  it('is no error of a library that Next.js passes on', () => {
    const lost = (value: string) =>
      reported(value, {
        ...{ by: 'auto.function.nextjs.on_request_error', synthetic: false },
        frames: [
          library(NEXT, 'render'),
          library('/srv/clinic/node_modules/pg/lib/client.js', '_handleError'),
        ],
      })
    assert.notEqual(hashOf(lost('Connection terminated')), hashOf(ofNext('Connection terminated')))
    assert.notEqual(hashOf(lost('Connection terminated')), hashOf(lost('Connection refused')))
  })

  it('stays what an SDK or a mirror makes of it', () => {
    const set = ofNext('the bed is gone')
    assert.equal(
      hashOf({ ...set, fingerprint: ['beds'] }),
      hashOf({ ...ofNext('the nurse is gone'), fingerprint: ['beds'] }),
    )
    const echo = reported('Unexpected Server Error', { by: 'generic', platform: 'javascript' })
    assert.equal(recogniseEvent(echo).grouping.mirror === undefined, false)
  })

  it('says that the stack of its report does not count', () => {
    const { explanation } = recogniseEvent(ofNext('the bed is gone')).grouping
    assert.deepEqual(
      explanation.map(({ name, contributes }) => [name, contributes]),
      [
        ['exception', false],
        ['message', true],
        ['frame', false],
      ],
    )
  })
})

describe('an object that was thrown', () => {
  const EXTRA = { extra: { __serialized__: { code: 'E_BED', bed: 13 } } }
  it('is one group and one title, as Next.js and as an SDK tell it', () => {
    const [next, sdk] = [
      ofNext('{"code":"E_BED","bed":13}'),
      wrapped('Object captured as exception with keys: bed, code', EXTRA),
    ]
    assert.equal(hashOf(next), hashOf(sdk))
    assert.equal(titleOf(next), 'Error: {"bed":13,"code":"E_BED"}')
    assert.equal(titleOf(sdk), titleOf(next))
    assert.notEqual(hashOf(ofNext('{"code":"E_NURSE","bed":13}')), hashOf(next))
  })

  it('is its text where it is no JSON, or the object is not told', () => {
    assert.equal(titleOf(ofNext('{broken')), 'Error: {broken')
    const untold = 'Object captured as exception with keys: bed, code'
    assert.equal(titleOf(wrapped(untold)), `Error: ${untold}`)
  })
})

describe('what was thrown in a browser', () => {
  const thrown = (
    held: JsonObject,
    change: { readonly type?: string; readonly value?: string; readonly frames?: readonly Frame[] } = {},
  ) => {
    const {
      type = 'UnhandledRejection',
      value = 'Object captured as promise rejection with keys: a',
      frames = [],
    } = change
    const mechanism = {
      type: 'auto.browser.global_handlers.onunhandledrejection',
      handled: false,
      synthetic: true,
    }
    const values = [{ type, value, mechanism, stacktrace: { frames } }]
    return aScrubbedEvent({ platform: 'javascript', exception: { values }, extra: { __serialized__: held } })
  }

  it('is called and grouped by what it holds', () => {
    const HELD: readonly (readonly [held: JsonObject, title: string])[] = [
      [{ code: 'E_PAY', message: 'payment declined' }, 'UnhandledRejection: payment declined'],
      [{ error: { message: 'no stock' } }, 'UnhandledRejection: no stock'],
      [{ reason: 'timeout' }, 'UnhandledRejection: timeout'],
      [{ reason: { message: 'too late' } }, 'UnhandledRejection: too late'],
      [{ status: 502, statusText: 'Bad Gateway', url: '/x' }, 'UnhandledRejection: 502 Bad Gateway'],
      [{ name: 'Odd', message: 'odd' }, 'Odd: odd'],
      [{ b: 1, a: 2 }, 'UnhandledRejection: {"a":2,"b":1}'],
    ]
    for (const [held, title] of HELD) assert.equal(titleOf(thrown(held)), title)
    assert.equal(new Set(HELD.map(([held]) => hashOf(thrown(held)))).size, HELD.length)
    const older = { value: 'Non-Error promise rejection captured with keys: code, message' }
    assert.equal(
      hashOf(thrown({ message: 'order 1 is gone' })),
      hashOf(thrown({ message: 'order 2 is gone' }, older)),
    )
  })

  it('with the stack of the SDK in the way, which tells captures apart and no more', () => {
    const frames = (name: string) => [
      own('https://shop.test/assets/index-DbQ2xY9p.js', '?'),
      own('https://shop.test/assets/index-DbQ2xY9p.js', name),
    ]
    const captured = (message: string, name = 'run') =>
      thrown(
        { message },
        { type: 'Error', value: 'Object captured as exception with keys: message', frames: frames(name) },
      )
    assert.notEqual(hashOf(captured('payment declined')), hashOf(captured('no stock')))
    assert.equal(hashOf(captured('order 1 is gone')), hashOf(captured('order 2 is gone')))
    assert.notEqual(hashOf(captured('payment declined')), hashOf(captured('payment declined', 'refund')))
    assert.equal(titleOf(captured('payment declined')), 'Error: payment declined')
  })

  it('is, of events of the page, their type and target', () => {
    const event = (target: string, fields: JsonObject = {}) =>
      thrown(
        { type: 'error', target, currentTarget: null, isTrusted: true, ...fields },
        { type: 'Event', value: 'Event `Event` (type=error) captured as promise rejection' },
      )
    assert.equal(titleOf(event('[HTMLElement: body > script#pay]')), 'Event: error at body > script#pay')
    assert.notEqual(
      hashOf(event('[HTMLElement: body > script#pay]')),
      hashOf(event('[HTMLElement: head > link#fonts]')),
    )
    const told = thrown(
      { type: 'error', message: 'boom' },
      { type: 'ErrorEvent', value: 'Event `ErrorEvent` captured as exception with message `boom`' },
    )
    assert.equal(titleOf(told), 'ErrorEvent: boom')
  })
})

describe('what the hook of Next.js reports and is no error', () => {
  const CHUNK = 'app:///_next/server/chunks/[root-of-the-server]__03jx3tqgqgocu._.js'
  // As SDK 11.8.0 sent it, Next.js 16.4.5 on Turbopack: every frame is the SDK's own, in a file of the app's.
  const hooked = (value: string, told?: JsonObject) =>
    reported(
      value,
      {
        by: 'auto.function.nextjs.on_request_error',
        frames: [
          own(CHUNK, 'n.captureRequestError [as onRequestError]'),
          own(CHUNK, 'n.withScope'),
          own(CHUNK, '?'),
        ],
      },
      told === undefined ? {} : { extra: { __serialized__: told } },
    )
  const odd = hooked("'Odd' captured as exception with message 'an old thing was thrown'", {
    ...{ name: 'Odd', message: 'an old thing was thrown' },
  })

  it('is another group than what else was thrown elsewhere', () => {
    assert.notEqual(hashOf(odd), hashOf(hooked('[object Response]')))
    const again = hooked("'Odd' captured as exception with message 'an old thing was thrown'", {
      ...{ message: 'an old thing was thrown', name: 'Odd' },
    })
    assert.equal(hashOf(again), hashOf(odd))
  })

  it('is one group with what a wrapper caught of it before, in a bundle without names', () => {
    // SDK 10.78.0 with webpack, no source maps: both come of one throw.
    const caught = reported('the bed is gone', {
      by: 'auto.function.nextjs.server_component',
      frames: [
        own('app:///_next/server/chunks/5009.js', '?'),
        own('app:///_next/server/chunks/5009.js', '?'),
      ],
    })
    assert.equal(hashOf(caught), hashOf(ofNext('the bed is gone')))
  })

  it('is called by what was thrown, whatever the SDK called it by', () => {
    assert.equal(titleOf(odd), 'Odd: an old thing was thrown')
    const named = hooked("'Odd' captured as exception", { name: 'Odd' })
    assert.equal(titleOf(named), 'Odd: {"name":"Odd"}')
    const text = "'Odd' captured as exceptional"
    assert.equal(titleOf(hooked(text, { name: 'Odd' })), `Error: ${text}`)
  })
})

describe('what a browser reports out of a bundle without a source map', () => {
  // As SDK 10.75.2 sent it, React Router 7.18 and Vite 7: the newest frame is captureException itself.
  const BUNDLE = [
    own('http://127.0.0.1:9142/assets/entry.client-DTDEUkkx.js', 'MessagePort.V'),
    own('http://127.0.0.1:9142/assets/entry.client-DTDEUkkx.js', 'zg'),
    own('<anonymous>', 'Array.forEach'),
    own('http://127.0.0.1:9142/assets/root-C6m8Lm_q.js', '?'),
    own('http://127.0.0.1:9142/assets/debug-build-B-fGEWop.js', 'cs'),
  ]
  const SHARD = 'Object captured as exception with keys: depth, shard'
  const EXTRA = { extra: { __serialized__: { shard: true, depth: 2 } } }

  it('is the group of the server, from the boundary and from the hook alike', () => {
    const server = reported(SHARD, { by: 'react-router', frames: [library(ROUTER, 'renderHtml')] }, EXTRA)
    for (const by of ['generic', 'auto.function.react_router.on_error']) {
      const browser = reported(SHARD, { by, platform: 'javascript', frames: BUNDLE }, EXTRA)
      assert.equal(hashOf(browser), hashOf(server), by)
    }
  })

  it('keeps the group of a capture whose name a source map tells', () => {
    const mapped = reported('too many', {
      ...{ by: 'generic', platform: 'javascript' },
      frames: [...BUNDLE.slice(0, 3), own('app/cart.ts', 'checkOut')],
    })
    assert.equal(hashOf(mapped), groupEvent(mapped).hash)
  })
})

describe('an answer that was thrown', () => {
  const answered = (told: JsonObject, transaction = '/teapot') =>
    reported(
      'Object captured as exception with keys: data, error, internal, status, statusText',
      {
        by: 'auto.function.react_router.on_error',
        platform: 'javascript',
        frames: [library(ROUTER, 'resolve')],
      },
      { transaction, extra: { __serialized__: told } },
    )
  const boiled = {
    status: 500,
    statusText: 'Internal Server Error',
    data: { why: 'boiled' },
    internal: false,
  }
  const proxied = { status: 502, statusText: 'Bad Gateway', data: 'bad gateway', internal: false }

  it('is called by its status and what it says', () => {
    assert.equal(titleOf(answered(boiled)), '500 Internal Server Error: {"why":"boiled"}')
    assert.equal(titleOf(answered(proxied)), '502 Bad Gateway: bad gateway')
    assert.equal(titleOf(answered({ ...proxied, statusText: '', data: '' })), '502')
  })

  it('is one group a route and status, whatever it says', () => {
    assert.equal(hashOf(answered(boiled)), hashOf(answered({ ...boiled, data: 'spilled' })))
    assert.notEqual(hashOf(answered(boiled)), hashOf(answered(proxied)))
    assert.notEqual(hashOf(answered(boiled)), hashOf(answered(boiled, '/kettle')))
  })

  it('is an object like others where it only looks alike', () => {
    assert.equal(titleOf(answered({ status: 500 })), 'Error: {"status":500}')
  })
})
