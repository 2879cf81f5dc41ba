/** Instances of many libraries, languages and engines: one failure is one issue, two failures are two. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { normalizeEvent } from '#normalize/normalize.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { assertApart, assertTogether, event, frame, library, type Raw, thrown } from '#testing/one-failure.ts'
import { recogniseEvent } from './recognised.ts'

const APP = 'https://shop.test/static/js/checkout.js'
const BUNDLE = 'https://shop.test/assets/index-DbQ2xY9p.js'

describe('what an engine makes of one failure is one issue', () => {
  const browser = (type: string, value: string, frames?: readonly Raw[]) =>
    event('javascript', thrown(type, value, frames))
  const minified = [frame('x', BUNDLE), frame('t', BUNDLE)]

  it('below await: Chrome tells the callers, Firefox and Safari do not', () => {
    const own = [frame('submitOrder', APP), frame('reserve', APP)]
    const all = frame('async Promise.all', 'index 0', { lineno: undefined, colno: undefined })
    assertTogether(
      browser('Error', 'no stock', [frame('async handleSubmit', APP), all, ...own]),
      browser('Error', 'no stock', [
        frame('async handleSubmit', APP),
        { ...all, filename: 'index 3' },
        ...own,
      ]),
      browser('Error', 'no stock', [frame('async*handleSubmit', APP), ...own]),
      browser('Error', 'no stock', [frame('promise callback*handleSubmit', APP), ...own]),
      browser('Error', 'no stock', [
        frame('promiseReactionJob', '[native code]'),
        frame('asyncFunctionResume', '[native code]'),
        ...own,
      ]),
      browser('Error', 'no stock', own),
    )
    assertApart(browser('Error', 'no stock', own), browser('Error', 'no stock', own.slice(0, 1)))
  })

  it('where nothing stands before the await, by who waits', () => {
    const waits = (...names: readonly string[]) =>
      browser(
        'SyntaxError',
        'x1',
        names.map((name) => frame(name, APP)),
      )
    assertApart(waits('async loadCart'), waits('async loadOrders'))
    assertTogether(waits('async onClick', 'async loadCart'), waits('async onKey', 'async loadCart'))
    assertTogether(waits('async loadCart'), waits('async*loadCart'))
    const native = frame('Response.json', '<anonymous>')
    assertTogether(
      browser('SyntaxError', 'x1', [frame('async loadCart', APP), native]),
      browser('SyntaxError', 'x1', [frame('async loadCart', APP)]),
    )
  })

  it('with source maps, by what ran', () => {
    const mapped = (name: string, isAsync: boolean) => ({
      written: frame(name, './src/checkout.ts', { data: { symbolicated: true }, context_line: `${name}()` }),
      ran: frame(isAsync ? `async ${name}` : name, BUNDLE),
    })
    const made = (frames: readonly { readonly written: Raw; readonly ran: Raw }[]) => {
      const answer = normalizeEvent(
        browser(
          'Error',
          'no stock',
          frames.map(({ written }) => written),
        ),
        {
          ...{ eventId: null, receivedMs: 0, sentAt: null, clientAddress: null },
          ...{ userAgent: null, sdk: undefined, client: null },
        },
      )
      const ran = normalizeEvent(
        browser(
          'Error',
          'no stock',
          frames.map((each) => each.ran),
        ),
        {
          ...{ eventId: null, receivedMs: 0, sentAt: null, clientAddress: null },
          ...{ userAgent: null, sdk: undefined, client: null },
        },
      )
      assert.ok(answer.ok && ran.ok)
      const [value] = answer.event.exception?.values ?? []
      const raw = ran.event.exception?.values[0]?.stacktrace
      assert.ok(value !== undefined && raw !== undefined)
      return recogniseEvent(
        aScrubbedEvent({ ...answer.event, exception: { values: [{ ...value, raw_stacktrace: raw }] } }),
      ).grouping.hash
    }
    const own = [mapped('submitOrder', false), mapped('reserve', false)]
    assert.equal(made([mapped('handleSubmit', true), ...own]), made(own))
    assert.notEqual(made([mapped('handleSubmit', false), ...own]), made(own))
  })

  it('on a server, which has one engine, who waits still tells two failures apart', () => {
    const made = (name: string) =>
      event(
        'node',
        thrown('Error', 'timeout', [
          frame(`async ${name}`, '/app/src/a.js'),
          library('query', '/app/node_modules/pg/lib/client.js'),
        ]),
      )
    assertApart(made('loadOrders'), made('loadUsers'))
    assertTogether(made('loadOrders'), made('loadOrders'))
  })

  it('callbacks of the engine, helpers of compilers, names without a name', () => {
    assertTogether(
      browser('TypeError', 'x1', [
        frame('Checkout.onSubmit', APP),
        frame('Array.forEach', '<anonymous>'),
        frame('<anonymous>', APP),
        frame('Object.total', APP),
      ]),
      browser('TypeError', 'x1', [
        frame('onSubmit', APP),
        frame('forEach', '[native code]'),
        frame('?', APP),
        frame('total', APP),
      ]),
      browser('TypeError', 'x1', [frame('onSubmit', APP), frame('onSubmit/<', APP), frame('total', APP)]),
      browser('TypeError', 'x1', [
        frame('onSubmit', APP),
        frame('new Promise', '<anonymous>'),
        frame('asyncGeneratorStep', APP),
        frame('_next', APP),
        frame('?', APP),
        frame('total', APP),
      ]),
    )
  })

  const WORDINGS: readonly (readonly [name: string, ...told: (readonly [type: string, value: string])[]])[] =
    [
      [
        'reads of null',
        ['TypeError', "Cannot read properties of null (reading 'includes')"],
        ['TypeError', 'can\'t access property "includes", e.request_types is null'],
        ['TypeError', "null is not an object (evaluating 'e.request_types.includes')"],
      ],
      [
        'reads of undefined, an index',
        ['TypeError', "Cannot read properties of undefined (reading '0')"],
        ['TypeError', "can't access property 0, t.items is undefined"],
        ['TypeError', "undefined is not an object (evaluating 't.items[0]')"],
      ],
      [
        'writes',
        ['TypeError', "Cannot set properties of undefined (setting 'total')"],
        ['TypeError', 'can\'t access property "total", t is undefined'],
        ['TypeError', "undefined is not an object (evaluating 't.total = 1')"],
      ],
      [
        'calls',
        ['TypeError', 'e.save is not a function'],
        ['TypeError', "e.save is not a function. (In 'e.save()', 'e.save' is undefined)"],
        ['TypeError', "undefined is not a function (near '...e.save...')"],
      ],
      [
        'iterations',
        ['TypeError', 'e.items is not iterable'],
        ['TypeError', "undefined is not a function (near '...t of e.items...')"],
      ],
      [
        'variables',
        ['ReferenceError', 'gtag is not defined'],
        ['ReferenceError', "Can't find variable: gtag"],
      ],
      [
        'constants',
        ['TypeError', 'Assignment to constant variable.'],
        ['TypeError', "invalid assignment to const 't'"],
        ['TypeError', 'Attempted to assign to readonly property.'],
      ],
      [
        'JSON.parse',
        ['SyntaxError', 'Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON'],
        ['SyntaxError', 'JSON.parse: unexpected character at line 1 column 1 of the JSON data'],
        ['SyntaxError', "JSON Parse error: Unrecognized token '<'"],
        ['SyntaxError', 'Unexpected token < in JSON at position 0'],
      ],
      [
        'JSON.parse of nothing',
        ['SyntaxError', 'Unexpected end of JSON input'],
        ['SyntaxError', 'JSON.parse: unexpected end of data at line 1 column 1 of the JSON data'],
        ['SyntaxError', 'JSON Parse error: Unexpected EOF'],
      ],
      [
        'recursion',
        ['RangeError', 'Maximum call stack size exceeded'],
        ['InternalError', 'too much recursion'],
        ['RangeError', 'Maximum call stack size exceeded.'],
      ],
      [
        'memory',
        ['RangeError', 'Array buffer allocation failed'],
        ['InternalError', 'allocation size overflow'],
        ['RangeError', 'Out of memory'],
      ],
      [
        'the network',
        ['TypeError', 'Failed to fetch (api.shop.test)'],
        ['TypeError', 'NetworkError when attempting to fetch resource. (api.shop.test)'],
        ['TypeError', 'Load failed (api.shop.test)'],
      ],
      [
        'circles',
        [
          'TypeError',
          "Converting circular structure to JSON\n    --> starting at object with constructor 'HTMLDivElement'",
        ],
        ['TypeError', 'cyclic object value'],
        ['TypeError', 'JSON.stringify cannot serialize cyclic structures.'],
      ],
      [
        'nodes',
        [
          'NotFoundError',
          "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
        ],
        ['NotFoundError', 'Node.removeChild: The node to be removed is not a child of this node'],
        ['NotFoundError', 'The object can not be found here.'],
      ],
    ]
  for (const [name, ...told] of WORDINGS) {
    it(`${name}, without a map and without a stack`, () => {
      assertTogether(...told.map(([type, value]) => browser(type, value, minified)))
      assertTogether(...told.map(([type, value]) => browser(type, value)))
      assertTogether(...told.map(([type, value]) => browser(type, value, [frame('pay', APP)])))
    })
  }

  it('though not what names another thing of the program', () => {
    assertApart(
      browser('TypeError', "Cannot read properties of null (reading 'id')", minified),
      browser('TypeError', "Cannot read properties of null (reading 'to')", minified),
      browser('TypeError', "Cannot read properties of undefined (reading 'id')", minified),
    )
    assertApart(
      browser('TypeError', 'e.save is not a function', minified),
      browser('TypeError', 'e.load is not a function', minified),
    )
    assertApart(
      browser('TypeError', 'Failed to fetch (a.shop.test)'),
      browser('TypeError', 'Load failed (b.shop.test)'),
    )
    assertApart(
      browser('ReferenceError', 'gtag is not defined'),
      browser('ReferenceError', "Can't find variable: fbq"),
    )
  })

  it('endless recursion wherever the engine stopped in it', () => {
    const cycle = [frame('even', APP), frame('odd', APP)]
    const deep = (start: readonly Raw[], count: number, end: readonly Raw[]) => [
      ...start,
      ...Array.from({ length: count }, () => cycle).flat(),
      ...end,
    ]
    assertTogether(
      browser('RangeError', 'Maximum call stack size exceeded', deep([], 25, [])),
      browser(
        'RangeError',
        'Maximum call stack size exceeded.',
        deep([frame('main', APP)], 50, cycle.slice(0, 1)),
      ),
      browser('InternalError', 'too much recursion', deep([], 200, cycle.slice(0, 1))),
    )
    const python = (depth: number) =>
      event(
        'python',
        thrown('RecursionError', 'maximum recursion depth exceeded', [
          frame('<module>', 'shop/main.py'),
          ...Array.from({ length: depth }, () => frame('rec', 'shop/rec.py')),
        ]),
      )
    assertTogether(python(990), python(700), python(120))
  })
})
