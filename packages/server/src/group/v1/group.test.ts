import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ExceptionValue, Frame, Grouping, ScrubbedEvent } from '#model/event.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { groupEvent } from '../group.ts'

function aFrame(filename: string, name: string | null, fields: Partial<Frame> = {}): Frame {
  return { filename, in_app: true, ...(name === null ? {} : { function: name }), ...fields }
}

function anException(
  fields: Partial<ExceptionValue> & { readonly frames?: readonly Frame[] } = {},
): ExceptionValue {
  const { frames, ...rest } = fields
  return {
    type: 'TypeError',
    value: 'boom',
    ...rest,
    ...(frames === undefined ? {} : { stacktrace: { frames } }),
  }
}

const thrown = (exception: Parameters<typeof anException>[0], fields: object = {}) =>
  aScrubbedEvent({ exception: { values: [anException(exception)] }, ...fields })

function assertSame(events: readonly ScrubbedEvent[]): void {
  const hashes = new Set(events.map((event) => groupEvent(event).hash))
  assert.equal(
    hashes.size,
    1,
    JSON.stringify(
      events.map((event) => groupEvent(event).explanation),
      null,
      1,
    ),
  )
}

function assertDistinct(events: readonly ScrubbedEvent[]): void {
  const hashes = new Set(events.map((event) => groupEvent(event).hash))
  assert.equal(hashes.size, events.length)
}

const words = (grouping: Grouping) =>
  grouping.explanation.map(({ name, value, contributes }) => `${contributes ? '+' : '-'} ${name} ${value}`)

describe('one error is one group', () => {
  it('from two servers with other install folders', () => {
    const on = (folder: string) =>
      thrown({
        frames: [
          aFrame(`${folder}/server.js`, 'handle'),
          aFrame(`${folder}/orders/totals.js`, 'async total'),
        ],
      })
    assertSame(
      ['/srv/a/releases/20261121', '/home/u/shop', 'C:\\inetpub\\shop', '/app', 'file:///opt/shop'].map(on),
    )
  })

  it('from two deploys: new content hashes, new build id, other line numbers, other release', () => {
    const deploy = (hash: string, build: string, lineno: number) =>
      thrown(
        {
          frames: [
            aFrame(`app:///_next/static/${build}/chunks/main-${hash}.js`, 'render', {
              lineno,
              colno: lineno * 2,
            }),
            aFrame(`app:///_next/static/chunks/app/orders/[id]/page-${hash}.js?dpl=${build}`, 'OrderTotals', {
              lineno,
            }),
          ],
        },
        { platform: 'javascript', release: build },
      )
    assertSame([deploy('3f2a9c1b7d8e4501', 'bLd1', 10), deploy('77aa00129b8c7d6e', 'qQ77', 99)])
  })

  it('when a minifier gave other names to everything', () => {
    const build = (names: readonly string[], chunk: string, hash: string) =>
      thrown(
        {
          value: `${names[0]}.items is not iterable`,
          frames: names.map((name) => aFrame(`https://shop.example/static/js/${chunk}.${hash}.js`, name)),
        },
        { platform: 'javascript' },
      )
    assertSame([build(['t', 'n', 'Object.r'], 'main', '3f2a9c1b'), build(['a', 'o'], 'main', '00ff12ab')])
  })

  it('whatever differs in the message, where a stack trace decides', () => {
    assertSame(
      ['user 1', 'user 2', 'Anna'].map((value) => thrown({ value, frames: [aFrame('/a/x.js', 'load')] })),
    )
  })

  it('whatever the depth of a recursion', () => {
    const depth = (count: number) =>
      thrown({
        frames: [
          aFrame('/a/x.js', 'start'),
          ...Array.from({ length: count }, () => [
            aFrame('/a/x.js', 'visit'),
            aFrame('/a/y.js', 'descend'),
          ]).flat(),
        ],
      })
    assertSame([depth(2), depth(9), depth(20)])
  })

  it('whatever library frames lie between', () => {
    const own = aFrame('/a/x.js', 'load')
    const library = (name: string) => aFrame('/a/node_modules/express/lib/router.js', name, { in_app: false })
    assertSame([
      thrown({ frames: [library('next'), own] }),
      thrown({ frames: [library('handle'), own, library('x')] }),
    ])
  })

  it('in Python, Go, Ruby, PHP and Java from two servers', () => {
    const pairs: readonly (readonly [platform: string, one: Frame, other: Frame])[] = [
      [
        'python',
        aFrame('shop/orders.py', 'load', {
          module: 'shop.orders',
          abs_path: '/srv/shop/orders.py',
          lineno: 3,
        }),
        aFrame('shop/orders.py', 'load', {
          module: 'shop.orders',
          abs_path: '/app/shop/orders.py',
          lineno: 9,
        }),
      ],
      [
        'python',
        aFrame('/srv/app.py', 'load', { module: '__main__' }),
        aFrame('/home/u/app.py', 'load', { module: '__main__' }),
      ],
      [
        'go',
        aFrame('/srv/main.go', 'handle.func1', { module: 'main' }),
        aFrame('/build/main.go', 'handle.func2', { module: 'main' }),
      ],
      [
        'ruby',
        aFrame('/srv/app/models/order.rb', 'block in Order#total'),
        aFrame('/home/u/app/models/order.rb', 'Order#total'),
      ],
      [
        'php',
        aFrame('/srv/app/Order.php', '{closure:App\\Order::total():3}'),
        aFrame('/var/www/app/Order.php', '{closure:App\\Order::total():9}'),
      ],
      [
        'java',
        aFrame('Order.java', 'total', { module: 'com.shop.Order' }),
        aFrame('Order.java', 'total', { module: 'com.shop.Order$$EnhancerBySpringCGLIB$$1a2b' }),
      ],
    ]
    for (const [platform, one, other] of pairs) {
      assertSame([one, other].map((frame) => thrown({ frames: [frame] }, { platform })))
    }
  })

  it('in Java, whatever number a lambda, a proxy or an accessor has in this run', () => {
    const made = [
      [
        aFrame('Order$$Lambda$123/0x0000000800c03000', 'apply', {
          module: 'com.shop.Order$$Lambda$123/0x0000000800c03000',
        }),
        aFrame('Order$$Lambda$9/0x0000000800d11000', 'apply', {
          module: 'com.shop.Order$$Lambda$9/0x0000000800d11000',
        }),
      ],
      [
        aFrame('$Proxy12', 'save', { module: 'com.sun.proxy.$Proxy12' }),
        aFrame('$Proxy45', 'save', { module: 'jdk.proxy2.$Proxy45' }),
      ],
      [
        aFrame('', 'invoke', { module: 'jdk.internal.reflect.GeneratedMethodAccessor45' }),
        aFrame('', 'invoke', { module: 'jdk.internal.reflect.GeneratedMethodAccessor7' }),
      ],
    ]
    const own = aFrame('Order.java', 'total', { module: 'com.shop.Order' })
    for (const frames of made) {
      assertSame(frames.map((frame) => thrown({ frames: [own, frame] }, { platform: 'java' })))
    }
    assertDistinct(
      ['save', 'load'].map((name) =>
        thrown({ frames: [own, aFrame('', name, { module: 'jdk.proxy2.$Proxy45' })] }, { platform: 'java' }),
      ),
    )
  })

  it('without a stack trace whatever text is quoted, and another for another HTTP status', () => {
    const told = (value: string) => thrown({ value })
    assertSame([told('User "Alice" not found'), told('User "Bob B." not found')])
    assertDistinct([
      told('Request failed with status code 404'),
      told('Request failed with status code 500'),
      told("Cannot read properties of undefined (reading 'a')"),
      told("Cannot read properties of undefined (reading 'b')"),
    ])
  })
})

describe('different causes are different groups', () => {
  it('by type, function, file, cause and, without a stack trace, message', () => {
    const frames = [aFrame('/a/x.js', 'load')]
    const cause = anException({ type: 'RangeError', frames: [aFrame('/a/db.js', 'query')] })
    assertDistinct([
      thrown({ frames }),
      thrown({ type: 'RangeError', frames }),
      thrown({ frames: [aFrame('/a/x.js', 'save')] }),
      thrown({ frames: [aFrame('/a/y.js', 'load')] }),
      aScrubbedEvent({ exception: { values: [cause, anException({ frames })] } }),
      thrown({}),
      thrown({ value: 'bang' }),
      aScrubbedEvent({ message: 'boom' }),
      aScrubbedEvent({ message: 'bang' }),
      aScrubbedEvent(),
    ])
  })

  it('by source line, where nothing has a name', () => {
    const at = (line: string) =>
      thrown({ frames: [aFrame('/a/x.js', 'Object.<anonymous>', { context_line: `   ${line}  ` })] })
    assertDistinct([at("throw new Error('one')"), at("throw new Error('two')")])
    assertSame([at('throw  x'), at('throw x')])
  })

  it('by message, in minified code', () => {
    const minified = (value: string) =>
      thrown(
        { value, frames: [aFrame('/_next/static/chunks/1-ab12cd34.js', 'e')] },
        { platform: 'javascript' },
      )
    assertDistinct([minified('no total'), minified('no order')])
    assertSame([minified('no order 17'), minified('no order 18')])
  })

  it('though their parts joined are the same text', () => {
    assertDistinct([
      aScrubbedEvent({ fingerprint: ['ab', 'c'] }),
      aScrubbedEvent({ fingerprint: ['a', 'bc'] }),
      aScrubbedEvent({ fingerprint: ['abc'] }),
      aScrubbedEvent({ fingerprint: ['a","bc'] }),
    ])
  })
})

describe('messages', () => {
  it('group by their template', () => {
    const logged = (formatted: string) =>
      aScrubbedEvent({ logentry: { message: 'user %s failed', formatted } })
    assertSame([logged('user Anna failed'), logged('user Bob failed')])
  })

  it('group by their text without what varies', () => {
    assertSame([aScrubbedEvent({ message: 'order 1 failed' }), aScrubbedEvent({ message: 'order 2 failed' })])
  })

  it('group by their text though the SDK attached a stack trace', () => {
    const attached = (message: string) =>
      thrown({ frames: [aFrame('/a/log.js', 'log')] }, { message }).exception?.values.map(
        ({ type: _type, ...rest }) =>
          aScrubbedEvent({
            message,
            exception: { values: [{ ...rest, mechanism: { type: 'generic', synthetic: true } }] },
          }),
      ) ?? []
    assertDistinct([...attached('cache is cold'), ...attached('cache is hot')])
    assertSame([...attached('cache is cold'), aScrubbedEvent({ message: 'cache is cold' })])
  })
})

describe('exception groups', () => {
  const member = (type: string, id: number, parent: number) =>
    anException({
      type,
      frames: [aFrame('/a/x.js', `load${type}`)],
      mechanism: { type: 'chained', exception_id: id, parent_id: parent },
    })
  const root = anException({
    type: 'AggregateError',
    frames: [aFrame('/a/all.js', 'all')],
    mechanism: { type: 'generic', exception_id: 0, is_exception_group: true },
  })
  const of = (...values: ExceptionValue[]) => aScrubbedEvent({ exception: { values } })

  it('of one distinct member are that member', () => {
    assertSame([
      of(member('A', 1, 0), root),
      of(member('A', 2, 0), member('A', 1, 0), root),
      of(member('A', 1, 0)),
    ])
  })

  it('of several members are the same in any order', () => {
    assertSame([
      of(member('B', 2, 0), member('A', 1, 0), root),
      of(member('A', 2, 0), member('B', 1, 0), root),
    ])
    assertDistinct([of(member('B', 2, 0), member('A', 1, 0), root), of(member('A', 1, 0), root)])
  })

  it('with broken ids count whole', () => {
    const circle = of(member('A', 1, 2), member('B', 2, 1), root)
    const orphan = of(member('A', 1, 7), root)
    const words = groupEvent(circle).explanation.filter(({ name }) => name === 'exception')
    assert.equal(words.length, 3)
    assert.equal(groupEvent(orphan).explanation.filter(({ name }) => name === 'exception').length, 2)
  })
})

describe('an explicit fingerprint', () => {
  const base = () => thrown({ frames: [aFrame('/a/x.js', 'load')] })
  const withPrint = (...fingerprint: string[]) => ({ ...base(), fingerprint })

  it('is none when empty or the default alone', () => {
    assertSame([
      base(),
      withPrint(),
      withPrint('{{ default }}'),
      withPrint('{{default}}'),
      withPrint('{{   default }}'),
    ])
  })

  it('replaces the default rule', () => {
    assertSame([withPrint('db'), { ...aScrubbedEvent({ message: 'other' }), fingerprint: ['db'] }])
  })

  it('refines the default rule where it names it', () => {
    assertDistinct([base(), withPrint('{{ default }}', 'a'), withPrint('{{ default }}', 'b'), withPrint('a')])
  })

  it('resolves its variables', () => {
    const event = {
      ...thrown({
        type: 'E',
        value: 'v',
        frames: [aFrame('f.js', 'fn', { abs_path: '/a/f.js', module: 'm', package: '/lib/p.so' })],
      }),
      transaction: 't',
      logger: 'l',
      tags: [['region', 'eu']] as const,
    }
    const shown = (name: string) =>
      groupEvent({ ...event, fingerprint: [`{{ ${name} }}`] }).explanation[0]?.value
    const expected: Readonly<Record<string, string>> = {
      transaction: 't',
      message: 'v',
      type: 'E',
      'error.type': 'E',
      value: 'v',
      'error.value': 'v',
      function: 'fn',
      'stack.function': 'fn',
      path: '/a/f.js',
      'stack.abs_path': '/a/f.js',
      'stack.filename': 'f.js',
      module: 'm',
      'stack.module': 'm',
      package: 'p.so',
      'stack.package': 'p.so',
      level: 'error',
      logger: 'l',
      'tags.region': 'eu',
      'tags.none': '<no-value-for-tag-none>',
      constructor: '<unrecognized-variable-constructor>',
    }
    for (const [name, value] of Object.entries(expected)) assert.equal(shown(name), value, name)
    const bare = groupEvent(
      aScrubbedEvent({
        fingerprint: [
          'transaction',
          'message',
          'type',
          'value',
          'function',
          'path',
          'stack.filename',
          'module',
          'package',
          'logger',
        ].map((name) => `{{${name}}}`),
      }),
    )
    assert.equal(
      bare.explanation[0]?.value,
      '<no-transaction>, <no-message>, <no-type>, <no-value>, <no-function>, <no-abs-path>, <no-filename>, <no-module>, <no-package>, <no-logger>',
    )
  })

  it('counts as it was sent, numbers included; the variable of the message loses what varies', () => {
    assertDistinct([
      withPrint('shard', '1'),
      withPrint('shard', '2'),
      withPrint('shard 1'),
      withPrint('shard 2'),
    ])
    const repeated = (message: string) => aScrubbedEvent({ message, fingerprint: [message, 'x'] })
    assertDistinct([repeated('order 1 failed'), repeated('order 2 failed')])
    const named = (message: string) => aScrubbedEvent({ message, fingerprint: ['{{ message }}', 'x'] })
    assertSame([named('order 1 failed'), named('order 2 failed')])
  })
})

describe('the explanation', () => {
  it('says what counted and what did not, newest frame first', () => {
    const grouping = groupEvent(
      thrown({
        value: 'order 17 has no total',
        frames: [
          aFrame('node:internal/main.js', 'run', { in_app: false }),
          aFrame('/srv/app/orders.js', 'show'),
          aFrame('/srv/app/totals.js', 'OrderTotals'),
        ],
      }),
    )
    assert.equal(grouping.version, 1)
    assert.deepEqual(words(grouping), [
      '+ exception TypeError',
      '+ frame OrderTotals in totals.js',
      '+ frame show in orders.js',
      '- frame 1 frame of the runtime or a logger',
      '- message order <int> has no total',
    ])
    assert.equal(grouping.explanation.at(-1)?.note, 'message ignored because the stack trace decides')
  })

  it('is bounded', () => {
    const frames = Array.from({ length: 250 }, (_, at) => aFrame(`/a/${'x'.repeat(400)}.js`, `call${at}`))
    const { explanation } = groupEvent(
      aScrubbedEvent({ exception: { values: Array.from({ length: 50 }, () => anException({ frames })) } }),
    )
    assert.ok(explanation.length <= 60)
    assert.ok(explanation.every(({ value }) => value.length <= 200))
  })
})
