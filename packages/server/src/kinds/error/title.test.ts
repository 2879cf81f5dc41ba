import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ScrubbedEvent } from '#model/event.ts'
import { eventMechanism } from '#model/main-exception.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { eventTitle } from './title.ts'

const thrown = (exception: object, fields: object = {}) =>
  aScrubbedEvent({ exception: { values: [exception] }, ...fields })
const frame = (fields: object) => ({ in_app: true, ...fields })
const stack = (...frames: object[]) => ({ stacktrace: { frames } })
const title = (event: ScrubbedEvent) => eventTitle(event).title

const LOGRUS = '/root/go/pkg/mod/github.com/sirupsen/logrus@v1.9.3/entry.go'

describe('the title of an event', () => {
  it('is type and first line of the value', () => {
    assert.equal(title(thrown({ type: 'TypeError', value: '\n no total \nmore' })), 'TypeError: no total')
    assert.equal(title(thrown({ type: 'TypeError' })), 'TypeError')
    assert.equal(title(thrown({ value: 'no total' })), 'no total')
    assert.equal(title(thrown({})), 'Unknown error')
  })

  it('of a line of Unity’s log is the line, and the culprit is no logger', () => {
    const value = 'NullReferenceException: Object reference not set'
    const log = { type: 'LogException', value, mechanism: { type: 'unity.log', synthetic: true } }
    assert.equal(title(thrown(log, { platform: 'csharp' })), value)
    const logger = frame({ module: 'logrus', function: '(*Entry).Log', abs_path: LOGRUS })
    const own = frame({ module: 'shop/web', function: 'Pay', abs_path: '/src/pay.go' })
    const library = frame({ module: 'net/http', function: 'Serve', in_app: false })
    const culprit = (...frames: object[]) =>
      eventTitle(thrown({ type: 'x', value: 'y', ...stack(...frames) }, { platform: 'go' })).culprit
    assert.equal(culprit(own, logger), 'shop/web in Pay')
    assert.equal(culprit(library, logger), 'net/http in Serve')
  })

  it('of a crash that a minidump alone tells is which process ended, and why', () => {
    const crash = (fields: object) => title(aScrubbedEvent({ level: 'fatal', ...fields }))
    const process = ['event.process', 'renderer']
    assert.equal(
      crash({ platform: 'native', tags: [process, ['exit.reason', 'oom']] }),
      'Native crash (renderer process): oom',
    )
    assert.equal(
      crash({ platform: 'javascript', tags: [process, ['event.environment', 'native']] }),
      'Native crash (renderer process)',
    )
    const sdk = { name: 'sentry.native', version: '0.9.0' }
    assert.equal(crash({ platform: 'other', level: 'error', sdk }), 'Native crash')
  })

  it('is of the last exception', () => {
    const event = aScrubbedEvent({
      exception: {
        values: [
          { type: 'Inner', value: 'a' },
          { type: 'Outer', value: 'b' },
        ],
      },
    })
    assert.equal(title(event), 'Outer: b')
  })

  const wrapped = (fields: object = {}, cause: object = {}) => {
    const mechanism = { type: 'auto.function.nuxt.nitro', handled: false, source: 'cause' }
    const inner = { type: 'RangeError', value: 'no customer', mechanism: { ...mechanism, ...IDS } }
    const outer = { type: 'Error', value: 'no customer', mechanism: { type: 'generic', ...HANDLED } }
    return aScrubbedEvent({
      exception: {
        values: [
          { ...inner, ...cause },
          { ...outer, ...fields },
        ],
      },
    })
  }
  const IDS = { exception_id: 1, parent_id: 0 }
  const HANDLED = { handled: true, exception_id: 0 }

  it('is of what was thrown where a framework wrapped it, which is unhandled where either says so', () => {
    assert.equal(title(wrapped()), 'RangeError: no customer')
    assert.equal(eventTitle(wrapped()).type, 'RangeError')
    assert.equal(eventTitle(wrapped()).handled, false)
  })

  it('is unhandled where the cause of what a framework wrapped says so, and of the cause where the wrapper says nothing', () => {
    const mechanism = { type: 'auto.function.nuxt.nitro', handled: false, exception_id: 2, parent_id: 1 }
    const own = { type: 'generic', source: 'cause', ...HANDLED, ...IDS }
    const values = [
      { type: 'SyntaxError', value: 'no JSON', mechanism: { ...mechanism, source: 'cause' } },
      { type: 'LoadError', value: 'no order', mechanism: own },
      { type: 'Error', value: 'no order', mechanism: { type: 'generic', ...HANDLED } },
    ]
    const event = aScrubbedEvent({ exception: { values } })
    assert.deepEqual([title(event), eventTitle(event).handled], ['LoadError: no order', false])
    assert.equal(title(wrapped({ value: '' })), 'RangeError: no customer')
  })

  it('is of the last exception where its message is another, or its type one of the app’s', () => {
    const other = wrapped({ value: 'the order failed' })
    assert.equal(title(other), 'Error: the order failed')
    assert.equal(title(wrapped({ type: 'OrderError' })), 'OrderError: no customer')
    assert.equal(
      title(wrapped({}, { mechanism: { type: 'x', source: 'errors[0]', ...IDS } })),
      'Error: no customer',
    )
  })

  it('is of the one member of a group', () => {
    const of = (type: string, id: number, fields: object) => ({
      type,
      value: type,
      mechanism: { type: 'x', exception_id: id, ...fields },
    })
    const root = of('Group', 0, { is_exception_group: true })
    const one = [of('KeyError', 1, { parent_id: 0 }), root]
    const two = [of('ValueError', 2, { parent_id: 0 }), ...one]
    assert.equal(title(aScrubbedEvent({ exception: { values: one } })), 'KeyError: KeyError')
    assert.equal(title(aScrubbedEvent({ exception: { values: two } })), 'Group: Group')
  })

  it('of a group that says nothing is of its first member, and how many more', () => {
    const member = (type: string, value: string, id: number, fields: object = {}) => ({
      ...{ type, value },
      mechanism: { type: 'chained', exception_id: id, parent_id: 0, ...fields },
    })
    const root = (type: string, value: string) => ({
      ...{ type, value },
      mechanism: { type: 'generic', exception_id: 0, is_exception_group: true },
    })
    const of = (...values: object[]) => title(aScrubbedEvent({ exception: { values } }))
    const two = [member('Error', 'connect ECONNREFUSED ::1:5432', 2), member('Error', 'no route', 1)]
    for (const said of ['', 'No error message', 'All promises were rejected', 'One or more errors occurred.'])
      assert.equal(of(...two, root('AggregateError', said)), 'AggregateError: no route (and 1 more)')
    const tasks = 'unhandled errors in a TaskGroup (2 sub-exceptions)'
    assert.equal(
      of(member('KeyError', 'b', 2), member('ValueError', 'a', 1), root('ExceptionGroup', tasks)),
      'ExceptionGroup: ValueError: a (and 1 more)',
    )
    assert.equal(of(...two, root('AggregateError', 'wat')), 'AggregateError: wat')
  })

  it('is one line that says what failed, of a message too', () => {
    const zod = '[\n  {\n    "path": [\n      "email"\n    ],\n    "message": "Required"\n  }\n]'
    assert.equal(title(thrown({ type: 'ZodError', value: zod })), 'ZodError: email: Required')
    assert.equal(title(aScrubbedEvent({ message: zod })), 'email: Required')
    assert.equal(title(thrown({ type: 'Two\nLines', value: 'x' })), 'Two Lines: x')
  })

  it('of threads alone, and of a process that ended, is what it is', () => {
    const thread = { name: 'main', current: true, ...stack(frame({ function: 'Cart.pay' })) }
    const threads = (fields: object, change: object = {}) =>
      title(aScrubbedEvent({ threads: { values: [{ ...thread, ...fields }] }, ...change }))
    assert.equal(threads({}), 'Stack of a thread in Cart.pay (thread main)')
    assert.equal(threads({ crashed: true }), 'Crash in Cart.pay (thread main)')
    assert.equal(threads({}, { tags: [['mechanism', 'ANR']] }), 'Not responding in Cart.pay (thread main)')
    const ended = { platform: 'native', level: 'fatal', tags: [['event.process', 'renderer']] as const }
    assert.equal(title(aScrubbedEvent(ended)), 'Native crash (renderer process)')
    assert.equal(title(aScrubbedEvent(stack(frame({ function: 'pay' })))), 'Stack trace in pay')
  })

  it('is the function of what the SDK made up, where nothing else says more', () => {
    const synthetic = { mechanism: { type: 'x', synthetic: true }, ...stack(frame({ function: 'crash' })) }
    assert.equal(title(thrown({ type: 'SIGSEGV', ...synthetic })), 'crash')
    assert.equal(
      title(thrown({ type: 'Error', value: 'Object captured', ...synthetic })),
      'Error: Object captured',
    )
  })

  it('of a React error in production is its number and what it says', () => {
    const value =
      'Minified React error #441; visit https://react.dev/errors/441?args[]=x for the full message'
    assert.equal(
      title(thrown({ type: 'Error', value })),
      'Error: Minified React error #441: An error occurred in the Server Components render.',
    )
    const child =
      'Minified React error #31; visit https://react.dev/errors/31?args[]=object%20with%20keys%20%7Ba%7D'
    assert.equal(
      title(thrown({ type: 'Error', value: `${child} for the full message` })),
      'Error: Minified React error #31: Objects are not valid as a React child (found: object with keys {a}).',
    )
    const unknown =
      'Minified React error #99999; visit https://react.dev/errors/99999?args[]=secret for the full message'
    assert.equal(title(thrown({ type: 'Error', value: unknown })), 'Error: Minified React error #99999')
  })

  it('of a message is its first line', () => {
    const event = aScrubbedEvent({ logentry: { message: 'user %s', formatted: 'user bob\nmore' } })
    assert.deepEqual(
      [title(event), eventTitle(event).type, eventTitle(event).value],
      ['user bob', 'Message', 'user bob\nmore'],
    )
    assert.equal(title(aScrubbedEvent({ message: 'hello' })), 'hello')
    const attached = thrown(
      {
        value: 'hello',
        mechanism: { type: 'generic', synthetic: true },
        ...stack(frame({ function: 'log' })),
      },
      { message: 'hello' },
    )
    assert.deepEqual([title(attached), eventTitle(attached).type], ['hello', 'Message'])
  })

  it('is bounded and never ends in half a character', () => {
    const long = title(thrown({ type: 'E', value: '😀'.repeat(500) }))
    assert.ok(long.length <= 256)
    assert.ok(long.isWellFormed())
  })
})

describe('the culprit', () => {
  const at = (platform: string, ...frames: object[]) =>
    eventTitle(thrown({ type: 'E', ...stack(...frames) }, { platform })).culprit

  it('is the route of an app below a server of its own, whose transactions are all called alike', () => {
    const request = { method: 'POST', url: 'https://shop.example/cart.data' }
    const event = thrown({ type: 'E' }, { transaction: 'POST /{*splat}', request })
    assert.equal(eventTitle(event).culprit, 'POST /cart')
    assert.equal(eventTitle(thrown({ type: 'E' }, { transaction: 'GET /{*splat}' })).culprit, 'GET /{*splat}')
  })

  it('is the transaction', () => {
    assert.equal(
      eventTitle(thrown({ type: 'E' }, { transaction: 'GET /orders/[id]' })).culprit,
      'GET /orders/[id]',
    )
  })

  it('is else the newest in-app frame', () => {
    const own = frame({ filename: '/srv/x.js', module: 'x', function: 'load' })
    const library = frame({ filename: 'node:fs', function: 'read', in_app: false })
    assert.equal(at('node', own, library), 'load(x)')
    assert.equal(
      at('javascript', frame({ filename: 'https://shop/x.js?v=1', function: '?' })),
      '?(https://shop/x.js)',
    )
    assert.equal(at('python', frame({ module: 'shop.orders', function: 'load' })), 'shop.orders in load')
    assert.equal(
      at('java', frame({ module: 'com.shop.Order', function: 'total' })),
      'com.shop.Order in total',
    )
    assert.equal(at('native', frame({ function: 'shop::total', package: '/srv/shop' })), 'shop::total')
    assert.equal(at('python', library), 'node:fs in read', 'the newest of any')
  })

  it('leaves out the reporting of a panic', () => {
    const panic = frame({
      function: 'sentry_panic::panic_handler',
      abs_path: '/home/u/.cargo/registry/src/x/sentry-panic/lib.rs',
    })
    assert.equal(at('native', frame({ function: 'cap::main' }), panic), 'cap::main')
  })

  it('is else the address without its query', () => {
    assert.equal(
      eventTitle(thrown({ type: 'E' }, { request: { url: 'https://shop/x?token=1' } })).culprit,
      'https://shop/x',
    )
    const synthetic = {
      type: 'E',
      mechanism: { type: 'x', synthetic: true },
      ...stack(frame({ function: 'f' })),
    }
    assert.equal(eventTitle(thrown(synthetic)).culprit, '')
  })
})

describe('whether it was handled', () => {
  const handled = (mechanism: object | undefined, fields: object = {}) =>
    eventTitle(thrown({ type: 'E', ...(mechanism === undefined ? {} : { mechanism }) }, fields)).handled

  it('is what the mechanism of the last exception says', () => {
    assert.equal(handled({ type: 'x', handled: false }), false)
    assert.equal(handled({ type: 'x', handled: true }), true)
    assert.equal(handled({ type: 'x' }), null)
    assert.equal(handled(undefined), null)
  })

  const chain = (cause: object, last: object, platform = 'node') => {
    const values = [
      { type: 'SyntaxError', value: 'no JSON', mechanism: { exception_id: 1, parent_id: 0, ...cause } },
      { type: 'OutOfStock', value: 'item 2', mechanism: { exception_id: 0, ...last } },
    ]
    return aScrubbedEvent({ platform, exception: { values } })
  }
  const CRASHED = { type: 'auto.middleware.express', handled: false }

  for (const type of ['generic', 'auto.core.linked_errors'])
    it(`is what the cause says where the SDK only linked the two by ${type}`, () => {
      const event = chain(CRASHED, { type, handled: true })
      assert.equal(eventTitle(event).handled, false)
      assert.equal(eventMechanism(event)?.type, 'auto.middleware.express')
      assert.equal(eventTitle(event).title, 'OutOfStock: item 2')
    })

  it('is what the last says where no cause says otherwise, or it says it for itself', () => {
    for (const [cause, last, platform] of [
      [{ type: 'chained', handled: true }, { type: 'generic', handled: true }, 'node'],
      [CRASHED, { type: 'auto.http.express', handled: true }, 'node'],
      [CRASHED, { type: 'generic', handled: true }, 'python'],
    ] as const) {
      const event = chain(cause, last, platform)
      assert.equal(eventTitle(event).handled, true)
      assert.equal(eventMechanism(event)?.type, last.type)
    }
  })

  it('is not what a crashed thread says', () => {
    const threads = { values: [{ id: 1, crashed: true, current: true }] }
    assert.equal(handled({ type: 'x' }, { threads, platform: 'java' }), null)
    assert.equal(
      eventTitle(aScrubbedEvent({ message: 'hi', threads, level: 'fatal', platform: 'native' })).handled,
      null,
    )
  })

  it('is false for a native crash', () => {
    assert.equal(handled({ type: 'signalhandler' }, { level: 'fatal', platform: 'native' }), false)
  })
})
