/** One failure is one issue, two failures are two: each kind in instances of many libraries, languages and engines. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { normalizeEvent } from '#normalize/normalize.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { recogniseEvent } from './recognised.ts'

type Raw = Readonly<Record<string, unknown>>

const frame = (name: string, file: string, fields: Raw = {}): Raw => ({
  ...{ function: name, filename: file, abs_path: file, lineno: 7, colno: 3, in_app: true },
  ...fields,
})
const library = (name: string, file: string): Raw => frame(name, file, { in_app: false })
const thrown = (type: string, value: string, frames?: readonly Raw[], fields: Raw = {}): Raw => ({
  ...{ type, value },
  ...(frames === undefined ? {} : { stacktrace: { frames } }),
  ...fields,
})
const event = (platform: string, exceptions: Raw | readonly Raw[], fields: Raw = {}): Raw => ({
  platform,
  exception: { values: Array.isArray(exceptions) ? exceptions : [exceptions] },
  ...fields,
})

function hashOf(raw: Raw): string {
  const answer = normalizeEvent(raw, {
    ...{ eventId: null, receivedMs: Date.now(), sentAt: null, clientAddress: null },
    ...{ userAgent: null, sdk: undefined, client: null },
  })
  assert.ok(answer.ok)
  return recogniseEvent(aScrubbedEvent(answer.event)).grouping.hash
}

function explained(raws: readonly Raw[]): string {
  return raws
    .map((raw) => {
      const answer = normalizeEvent(raw, {
        ...{ eventId: null, receivedMs: 0, sentAt: null, clientAddress: null },
        ...{ userAgent: null, sdk: undefined, client: null },
      })
      return answer.ok
        ? recogniseEvent(aScrubbedEvent(answer.event))
            .grouping.explanation.map(
              ({ contributes, name, value }) => `${contributes ? '+' : '-'} ${name} ${value}`,
            )
            .join('\n')
        : ''
    })
    .join('\n\n')
}

function together(...raws: readonly Raw[]): void {
  assert.equal(new Set(raws.map(hashOf)).size, 1, explained(raws))
}

function apart(...raws: readonly Raw[]): void {
  assert.equal(new Set(raws.map(hashOf)).size, raws.length, explained(raws))
}

const APP = 'https://shop.test/static/js/checkout.js'
const BUNDLE = 'https://shop.test/assets/index-DbQ2xY9p.js'

describe('where no frame of the app is on the stack, what the library says decides', () => {
  const LIBRARIES: readonly (readonly [
    name: string,
    platform: string,
    type: string,
    file: string,
    one: string,
    other: string,
  ])[] = [
    [
      'pg',
      'node',
      'error',
      '/app/node_modules/pg-protocol/dist/parser.js',
      'relation "orders" does not exist',
      'deadlock detected',
    ],
    [
      'pg, column',
      'node',
      'error',
      '/app/node_modules/pg/lib/client.js',
      'column "total" does not exist',
      'column "price" does not exist',
    ],
    [
      'mysql2',
      'node',
      'Error',
      '/app/node_modules/mysql2/lib/packets/packet.js',
      "Table 'shop.orders' doesn't exist",
      'Lock wait timeout exceeded; try restarting transaction',
    ],
    [
      'mongoose',
      'node',
      'ValidationError',
      '/app/node_modules/mongoose/lib/document.js',
      'Order validation failed: email: Path `email` is required.',
      'User validation failed: name: Path `name` is required.',
    ],
    [
      'mongodb',
      'node',
      'MongoServerError',
      '/app/node_modules/mongodb/lib/cmap/connection.js',
      'E11000 duplicate key error collection: shop.users index: email_1 dup key: { email: "a@b.test" }',
      'E11000 duplicate key error collection: shop.orders index: number_1 dup key: { number: 3 }',
    ],
    [
      'knex',
      'node',
      'error',
      '/app/node_modules/knex/lib/query/runner.js',
      'select * from "orders" where "id" = $1 - relation "orders" does not exist',
      'insert into "users" ("name") values ($1) - permission denied for table users',
    ],
    [
      'SQLAlchemy',
      'python',
      'ProgrammingError',
      '/venv/lib/python3.12/site-packages/sqlalchemy/engine/base.py',
      '(psycopg2.errors.UndefinedTable) relation "orders" does not exist',
      '(psycopg2.errors.UndefinedColumn) column users.age does not exist',
    ],
    [
      'psycopg',
      'python',
      'OperationalError',
      '/venv/lib/python3.12/site-packages/psycopg/connection.py',
      'connection failed: FATAL:  database "shop" does not exist',
      'server closed the connection unexpectedly',
    ],
    [
      'redis',
      'node',
      'ReplyError',
      '/app/node_modules/redis-parser/lib/parser.js',
      'WRONGTYPE Operation against a key holding the wrong kind of value',
      'OOM command not allowed when used memory > maxmemory.',
    ],
    [
      'redis-py',
      'python',
      'ConnectionError',
      '/venv/lib/python3.12/site-packages/redis/connection.py',
      'Error 111 connecting to cache.internal:6379. Connection refused.',
      'Error 111 connecting to queue.internal:6379. Connection refused.',
    ],
    [
      'kafkajs',
      'node',
      'KafkaJSProtocolError',
      '/app/node_modules/kafkajs/src/protocol/error.js',
      'The group is rebalancing, so a rejoin is needed',
      'This server does not host this topic-partition',
    ],
    [
      'boto3',
      'python',
      'ClientError',
      '/venv/lib/python3.12/site-packages/botocore/client.py',
      'An error occurred (NoSuchKey) when calling the GetObject operation: The specified key does not exist.',
      'An error occurred (AccessDenied) when calling the PutObject operation: Access Denied',
    ],
    [
      'axios',
      'node',
      'AxiosError',
      '/app/node_modules/axios/lib/core/settle.js',
      'Request failed with status code 404',
      'Request failed with status code 502',
    ],
    [
      'got',
      'node',
      'HTTPError',
      '/app/node_modules/got/dist/source/core/index.js',
      'Response code 404 (Not Found)',
      'Response code 503 (Service Unavailable)',
    ],
    [
      'undici',
      'node',
      'ConnectTimeoutError',
      '/app/node_modules/undici/lib/core/connect.js',
      'Connect Timeout Error (attempted address: api.shop.test:443)',
      'Connect Timeout Error (attempted address: mail.shop.test:443)',
    ],
    [
      'ky',
      'node',
      'HTTPError',
      '/app/node_modules/ky/distribution/core/Ky.js',
      'Request failed with status code 404 Not Found: GET https://api.shop.test/orders/17',
      'Request failed with status code 404 Not Found: GET https://api.shop.test/users/17',
    ],
    [
      'requests',
      'python',
      'HTTPError',
      '/venv/lib/python3.12/site-packages/requests/models.py',
      '404 Client Error: Not Found for url: https://api.shop.test/orders/17',
      '500 Server Error: Internal Server Error for url: https://api.shop.test/orders/17',
    ],
    [
      'httpx',
      'python',
      'HTTPStatusError',
      '/venv/lib/python3.12/site-packages/httpx/_models.py',
      "Client error '404 Not Found' for url 'https://api.shop.test/orders'",
      "Client error '401 Unauthorized' for url 'https://api.shop.test/orders'",
    ],
    [
      'Zod',
      'node',
      'ZodError',
      '/app/node_modules/zod/lib/types.js',
      '[\n  {\n    "code": "invalid_type",\n    "path": [\n      "customer",\n      "email"\n    ],\n    "message": "Required"\n  }\n]',
      '[\n  {\n    "code": "invalid_type",\n    "path": [\n      "items"\n    ],\n    "message": "Required"\n  }\n]',
    ],
    [
      'Valibot',
      'node',
      'ValiError',
      '/app/node_modules/valibot/dist/index.js',
      'Invalid type: Expected string but received undefined',
      'Invalid email: Received "anna"',
    ],
    [
      'Yup',
      'node',
      'ValidationError',
      '/app/node_modules/yup/index.js',
      'email is a required field',
      'total must be a positive number',
    ],
    [
      'Joi',
      'node',
      'ValidationError',
      '/app/node_modules/joi/lib/errors.js',
      '"email" is required',
      '"total" must be a number',
    ],
    [
      'pydantic',
      'python',
      'ValidationError',
      '/venv/lib/python3.12/site-packages/pydantic/main.py',
      '1 validation error for Order\ncustomer.email\n  Field required [type=missing, input_value={}, input_type=dict]',
      '1 validation error for Order\ntotal\n  Input should be a valid number [type=float_parsing]',
    ],
    [
      'GraphQL',
      'node',
      'GraphQLError',
      '/app/node_modules/graphql/error/GraphQLError.js',
      'Cannot query field "total" on type "Order".',
      'Cannot query field "name" on type "User".',
    ],
    [
      'graphql-request',
      'node',
      'ClientError',
      '/app/node_modules/graphql-request/build/index.js',
      'GraphQL Error (Code: 404): {"response":{"status":404}}',
      'GraphQL Error (Code: 502): {"response":{"status":502}}',
    ],
    [
      'ActiveRecord',
      'ruby',
      'ActiveRecord::StatementInvalid',
      '/usr/lib/ruby/gems/3.3.0/gems/activerecord-7.1/lib/active_record/base.rb',
      'PG::UndefinedTable: ERROR:  relation "orders" does not exist',
      'PG::ConnectionBad: connection is closed',
    ],
    [
      'Hibernate',
      'java',
      'SQLGrammarException',
      'SqlExceptionHelper.java',
      'could not extract ResultSet; nested: ERROR: column o.total does not exist',
      'could not execute statement; nested: ERROR: deadlock detected',
    ],
    [
      'Guzzle',
      'php',
      'GuzzleHttp\\Exception\\ClientException',
      '/var/www/vendor/guzzlehttp/guzzle/src/Exception/RequestException.php',
      'Client error: `GET https://api.shop.test/orders` resulted in a `404 Not Found` response:',
      'Client error: `GET https://api.shop.test/orders` resulted in a `401 Unauthorized` response:',
    ],
    [
      'Npgsql',
      'csharp',
      'Npgsql.PostgresException',
      'NpgsqlConnector.cs',
      '42P01: relation "orders" does not exist',
      '40P01: deadlock detected',
    ],
    [
      'go-redis',
      'go',
      '*net.OpError',
      '/go/pkg/mod/github.com/redis/go-redis/v9@v9.0.0/conn.go',
      'dial tcp 10.0.0.3:6379: connect: connection refused',
      'dial tcp 10.0.0.3:5432: connect: connection refused',
    ],
  ]
  for (const [name, platform, type, file, one, other] of LIBRARIES) {
    it(`${name}: two failures are two, each is one`, () => {
      const made = (value: string) =>
        event(platform, thrown(type, value, [library('run', file), library('fail', file)]))
      apart(made(one), made(other))
      together(made(one), made(one))
    })
  }

  it('and values vary in it all the same', () => {
    const made = (value: string) =>
      event(
        'node',
        thrown('error', value, [library('parse', '/app/node_modules/pg-protocol/dist/parser.js')]),
      )
    together(made('order 17 is locked by 3f2a9c1b7d8e'), made('order 23 is locked by 9b1c2d3e4f50'))
    together(
      made(
        'duplicate key value violates unique constraint "users_email"\nDETAIL:  Key (email)=(a b) already exists.',
      ),
      made(
        'duplicate key value violates unique constraint "users_email"\nDETAIL:  Key (email)=(c d) already exists.',
      ),
    )
  })

  it('with the code that the SDK sends beside it', () => {
    const made = (code: string) =>
      event('node', thrown('Error', 'query failed', [library('run', '/app/node_modules/pg/lib/client.js')]), {
        contexts: { Error: { code } },
      })
    apart(made('23505'), made('40P01'))
    const failed = (code: number) =>
      event(
        'php',
        thrown('PDOException', 'failed', undefined, { mechanism: { type: 'generic', data: { code } } }),
      )
    apart(failed(1_045), failed(2_002))
  })

  it('by the causes that are told', () => {
    const made = (value: string) =>
      event('node', [
        thrown('Error', value, [library('connect', 'node:net')]),
        thrown('TypeError', 'fetch failed', [library('fetch', 'node:internal/deps/undici/undici')]),
      ])
    apart(
      made('other side closed'),
      made('self-signed certificate'),
      made('getaddrinfo ENOTFOUND api.shop.test'),
    )
    apart(made('connect ECONNREFUSED 127.0.0.1:5432'), made('connect ECONNREFUSED 127.0.0.1:6379'))
    together(made('connect ECONNREFUSED 10.0.0.1:5432'), made('connect ECONNREFUSED ::1:5432'))
  })
})

describe('where a frame of the app is on the stack', () => {
  it('values vary and are one issue', () => {
    const made = (value: string) =>
      event('node', thrown('Error', value, [frame('load', '/app/src/orders.js')]))
    together(made('no order 17'), made('no such order'), made('Anna'))
  })

  it('the status of an answer counts', () => {
    const CLIENTS: readonly (readonly [type: string, (status: string) => string])[] = [
      ['AxiosError', (status) => `Request failed with status code ${status.slice(0, 3)}`],
      ['FetchError', (status) => `[GET] "/api/orders": ${status}`],
      ['HTTPError', (status) => `Response code ${status.slice(0, 3)} (${status.slice(4)})`],
      ['HttpErrorResponse', (status) => `Http failure response for https://api.shop.test/orders: ${status}`],
      ['HTTPError', (status) => `HTTP Error ${status.slice(0, 3)}: ${status.slice(4)}`],
      ['HTTPStatusError', (status) => `Client error '${status}' for url 'https://api.shop.test/orders'`],
      [
        'ClientResponseError',
        (status) => `${status.slice(0, 3)}, message='${status.slice(4)}', url='https://api.shop.test'`,
      ],
      ['HttpClientErrorException', (status) => `${status}: [no body]`],
      [
        'System.Net.Http.HttpRequestException',
        (status) =>
          `Response status code does not indicate success: ${status.slice(0, 3)} (${status.slice(4)}).`,
      ],
      ['Faraday::ResourceNotFound', (status) => `the server responded with status ${status.slice(0, 3)}`],
      [
        'ClientException',
        (status) => `Client error: \`GET https://api.shop.test\` resulted in a \`${status}\` response`,
      ],
      ['DioException', (status) => `The request returned an invalid status code of ${status.slice(0, 3)}.`],
      ['AFError', (status) => `Response status code was unacceptable: ${status.slice(0, 3)}.`],
      ['FeignException', (status) => `[${status}] during [GET] to [https://api.shop.test/orders]`],
      [
        'reqwest::Error',
        (status) => `HTTP status client error (${status}) for url (https://api.shop.test/orders)`,
      ],
      ['ApolloError', (status) => `Response not successful: Received status code ${status.slice(0, 3)}`],
      ['Error', (status) => `googleapi: Error ${status.slice(0, 3)}: refused`],
    ]
    for (const [type, text] of CLIENTS) {
      const made = (status: string) =>
        event('node', thrown(type, text(status), [frame('load', '/app/src/orders.js')]))
      apart(made('404 Not Found'), made('502 Bad Gateway'))
      together(made('404 Not Found'), made('404 Not Found'))
    }
  })
})

describe('what an engine makes of one failure is one issue', () => {
  const browser = (type: string, value: string, frames?: readonly Raw[]) =>
    event('javascript', thrown(type, value, frames))
  const minified = [frame('x', BUNDLE), frame('t', BUNDLE)]

  it('below await: Chrome tells the callers, Firefox and Safari do not', () => {
    const own = [frame('submitOrder', APP), frame('reserve', APP)]
    const all = frame('async Promise.all', 'index 0', { lineno: undefined, colno: undefined })
    together(
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
    apart(browser('Error', 'no stock', own), browser('Error', 'no stock', own.slice(0, 1)))
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
    apart(made('loadOrders'), made('loadUsers'))
    together(made('loadOrders'), made('loadOrders'))
  })

  it('callbacks of the engine, helpers of compilers, names without a name', () => {
    together(
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
      together(...told.map(([type, value]) => browser(type, value, minified)))
      together(...told.map(([type, value]) => browser(type, value)))
      together(...told.map(([type, value]) => browser(type, value, [frame('pay', APP)])))
    })
  }

  it('though not what names another thing of the program', () => {
    apart(
      browser('TypeError', "Cannot read properties of null (reading 'id')", minified),
      browser('TypeError', "Cannot read properties of null (reading 'to')", minified),
      browser('TypeError', "Cannot read properties of undefined (reading 'id')", minified),
    )
    apart(
      browser('TypeError', 'e.save is not a function', minified),
      browser('TypeError', 'e.load is not a function', minified),
    )
    apart(
      browser('TypeError', 'Failed to fetch (a.shop.test)'),
      browser('TypeError', 'Load failed (b.shop.test)'),
    )
    apart(
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
    together(
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
    together(python(990), python(700), python(120))
  })
})

describe('names that compilers number are one name', () => {
  const NAMES: readonly (readonly [name: string, platform: string, one: Raw, other: Raw])[] = [
    ['Rollup', 'javascript', frame('save$1', APP), frame('save$3', APP)],
    ['regenerator', 'javascript', frame('save$', APP), frame('save', APP)],
    [
      'PHP 8.4, closure of a file',
      'php',
      frame('{closure:/var/www/r1/routes/web.php:12}', '/var/www/r1/routes/web.php'),
      frame('{closure:/var/www/r2/routes/web.php:15}', '/var/www/r2/routes/web.php'),
    ],
    [
      'PHP 8.4, nested closure',
      'php',
      frame('A\\S::{closure:{closure:A\\S::load():12}:13}', '/srv/S.php'),
      frame('A\\S::{closure:{closure:A\\S::load():15}:16}', '/srv/S.php'),
    ],
    [
      'Twig',
      'php',
      frame('__TwigTemplate_9b1c2d3e4f506172aa::block_body', '/srv/cache/twig/9b/9b1c2d3e4f506172aa.php'),
      frame('__TwigTemplate_1a2b3c4d5e6f708192::block_body', '/srv/cache/twig/1a/1a2b3c4d5e6f708192.php'),
    ],
    [
      'jbuilder',
      'ruby',
      frame(
        '_app_views_orders_show_json_jbuilder___1111111111111111_222222',
        'app/views/orders/show.json.jbuilder',
      ),
      frame('_app_views_orders_show_json_jbuilder__3333333333_444444', 'app/views/orders/show.json.jbuilder'),
    ],
    [
      'ViewComponent in a block',
      'ruby',
      frame('block in _app_components_cart_html_slim__123456_789', 'app/components/cart.html.slim'),
      frame('block in _app_components_cart_html_slim___999_111', 'app/components/cart.html.slim'),
    ],
    [
      'C# lambda',
      'csharp',
      frame('<Run>b__3_0', 'S.cs', { module: 'Shop.Svc+<>c__DisplayClass3_0' }),
      frame('<Run>b__0', 'S.cs', { module: 'Shop.Svc+<>c__DisplayClass7_1' }),
    ],
    [
      'C# iterator',
      'csharp',
      frame('MoveNext', 'S.cs', { module: 'Shop.Svc+<Lines>d__12`1' }),
      frame('MoveNext', 'S.cs', { module: 'Shop.Svc+<Lines>d__4`1' }),
    ],
    [
      'Castle',
      'csharp',
      frame('Pay', '', { module: 'Castle.Proxies.ICartProxy_1' }),
      frame('Pay', '', { module: 'Castle.Proxies.ICartProxy_12' }),
    ],
    [
      'F#',
      'csharp',
      frame('Invoke', 'S.fs', { module: 'Shop+pay@12-3' }),
      frame('Invoke', 'S.fs', { module: 'Shop+pay@19' }),
    ],
    [
      'Kotlin',
      'java',
      frame('invokeSuspend', 'Cart.kt', { module: 'shop.Cart$pay$1$2' }),
      frame('invokeSuspend', 'Cart.kt', { module: 'shop.Cart$pay$3$1' }),
    ],
    [
      'Kotlin lambda',
      'java',
      frame('pay$lambda$3', 'Cart.kt', { module: 'shop.Cart' }),
      frame('pay$lambda-1', 'Cart.kt', { module: 'shop.Cart' }),
    ],
    [
      'Mockito',
      'java',
      frame('pay', '', { module: 'shop.Cart$MockitoMock$123456' }),
      frame('pay', '', { module: 'shop.Cart$MockitoMock$99' }),
    ],
    [
      'Scala',
      'scala',
      frame('$anonfun$pay$1', 'Cart.scala', { module: 'shop.Cart' }),
      frame('$anonfun$pay$12', 'Cart.scala', { module: 'shop.Cart' }),
    ],
    [
      'Groovy',
      'groovy',
      frame('doCall', 'Job.groovy', { module: 'shop.Job$_run_closure1$_closure3' }),
      frame('doCall', 'Job.groovy', { module: 'shop.Job$_run_closure2$_closure5' }),
    ],
    [
      'Clojure',
      'clojure',
      frame('invoke', 'core.clj', { module: 'shop.core$pay$fn__1234' }),
      frame('invoke', 'core.clj', { module: 'shop.core$pay$fn__5678' }),
    ],
    [
      'Go closure',
      'go',
      frame('Handle.func1.2', '', { module: 'shop/web', abs_path: '/src/web.go' }),
      frame('Handle.func3', '', { module: 'shop/web', abs_path: '/src/web.go' }),
    ],
    [
      'Go generics',
      'go',
      frame('Map[go.shape.int]', '', { module: 'shop/web', abs_path: '/src/web.go' }),
      frame('Map[...]', '', { module: 'shop/web', abs_path: '/src/web.go' }),
    ],
    [
      'Rust closure',
      'native',
      frame('shop::pay::{closure#0}::h0123456789abcdef', ''),
      frame('shop::pay::{closure#2}', ''),
    ],
    [
      'Rust, both manglings',
      'native',
      frame('shop::pay::{{closure}}', ''),
      frame('shop[3f2a9c1b7d8e45aa]::pay::{closure#1}', ''),
    ],
    [
      'C++ lambda',
      'native',
      frame('shop::pay()::$_0::operator()() const', ''),
      frame('shop::pay()::$_4::operator()() const', ''),
    ],
    [
      'MSVC lambda',
      'native',
      frame('shop::<lambda_3f2a9c1b>::operator()', ''),
      frame('shop::<lambda_9b1c2d3e>::operator()', ''),
    ],
    ['Swift closure', 'cocoa', frame('closure #1 in Cart.pay()', ''), frame('closure #3 in Cart.pay()', '')],
    [
      'Objective-C block',
      'cocoa',
      frame('__20-[Cart pay]_block_invoke', ''),
      frame('__20-[Cart pay]_block_invoke_2', ''),
    ],
    [
      'GCC',
      'native',
      frame('shop::pay(int) [clone .part.0]', ''),
      frame('shop::pay(int) [clone .isra.3]', ''),
    ],
    [
      'Erlang',
      'elixir',
      frame('-pay/1-fun-0-', 'lib/cart.ex', { module: 'Shop.Cart' }),
      frame('-pay/1-fun-3-', 'lib/cart.ex', { module: 'Shop.Cart' }),
    ],
    [
      'Perl',
      'perl',
      frame('Shop::__ANON__[/srv/r1/Cart.pm:12]', 'Cart.pm'),
      frame('Shop::__ANON__[/srv/r2/Cart.pm:19]', 'Cart.pm'),
    ],
    ['Lua', 'lua', frame('function <cart.lua:12>', 'cart.lua'), frame('function <cart.lua:19>', 'cart.lua')],
    [
      'Dart',
      'other',
      frame('_CartState.pay.<fn>', 'cart.dart', { platform: 'dart' }),
      frame('_CartState.pay.<fn>.<fn>', 'cart.dart', { platform: 'dart' }),
    ],
    [
      'notebooks',
      'python',
      frame('pay', '/tmp/ipykernel_123/2857.py'),
      frame('pay', '/tmp/ipykernel_99/11.py'),
    ],
    [
      'WebAssembly',
      'javascript',
      frame('wasm-function[173]', 'https://shop.test/app.wasm'),
      frame('wasm-function[199]', 'https://shop.test/app.wasm'),
    ],
  ]
  for (const [name, platform, one, other] of NAMES) {
    it(name, () => {
      together(
        event(platform, thrown('Boom', 'boom', [one])),
        event(platform, thrown('Boom', 'boom', [other])),
      )
    })
  }

  it('and two names of the program stay two', () => {
    const pairs: readonly (readonly [platform: string, one: Raw, other: Raw])[] = [
      [
        'csharp',
        frame('<Run>g__Load|0_1', '', { module: 'Shop.P' }),
        frame('<Run>g__Save|0_1', '', { module: 'Shop.P' }),
      ],
      ['native', frame('<shop::Cart as shop::Pay>::pay', ''), frame('<shop::Card as shop::Pay>::pay', '')],
      ['java', frame('pay2', 'C.java', { module: 'shop.C' }), frame('pay3', 'C.java', { module: 'shop.C' })],
      ['go', frame('Load', '', { module: 'shop/web' }), frame('Save', '', { module: 'shop/web' })],
      [
        'php',
        frame('A\\S::{closure:A\\S::load():12}', '/S.php'),
        frame('A\\S::{closure:A\\S::save():12}', '/S.php'),
      ],
      [
        'elixir',
        frame('-pay/1-fun-0-', '', { module: 'Shop.C' }),
        frame('-load/1-fun-0-', '', { module: 'Shop.C' }),
      ],
      ['other', frame('_Cart.pay.<fn>', 'c.dart'), frame('_Cart.load.<fn>', 'c.dart')],
      ['javascript', frame('step1', APP), frame('step2', APP)],
      [
        'csharp',
        frame('Load', '', {
          module: 'Repo`1[[Shop.Order, Shop, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null]]',
        }),
        frame('Load', '', {
          module: 'Repo`1[[Shop.User, Shop, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null]]',
        }),
      ],
    ]
    for (const [platform, one, other] of pairs)
      apart(event(platform, thrown('Boom', 'boom', [one])), event(platform, thrown('Boom', 'boom', [other])))
  })

  it('types that dart2js names again in every build', () => {
    const made = (type: string, value: string) =>
      event('javascript', thrown(type, value, [frame('aJ', 'https://shop.test/main.dart.js')]))
    together(made('minified:kP', 'no stock'), made('minified:a1', 'no stock'))
    together(made('StateError', "Instance of 'minified:hS'"), made('StateError', "Instance of 'minified:b2'"))
    apart(made('minified:kP', 'no stock'), made('minified:kP', 'no price'))
    const named = (name: string) =>
      event('javascript', thrown('StateError', 'no stock', [frame(name, 'https://shop.test/main.dart.js')]))
    together(named('aJ'), named('cew'))
  })

  it('crashes without symbols part by their place in the image', () => {
    const meta = {
      images: [
        {
          type: 'macho',
          code_file: '/Applications/Shop.app/Shop',
          debug_id: '3f2a9c1b-7d8e-45aa-3f2a-9c1b7d8e45aa',
          image_addr: '0x100000000',
          image_size: 1_000_000,
        },
      ],
    }
    const crash = (addresses: readonly string[], base = '0x100000000') =>
      event(
        'cocoa',
        thrown(
          'EXC_BAD_ACCESS',
          'KERN_INVALID_ADDRESS',
          addresses.map((address) => ({ instruction_addr: address, in_app: true })),
        ),
        {
          debug_meta: { images: meta.images.map((image) => ({ ...image, image_addr: base })) },
        },
      )
    apart(crash(['0x100001111', '0x100002222']), crash(['0x100007777', '0x100008888']))
    together(crash(['0x100001111', '0x100002222']), crash(['0x200001111', '0x200002222'], '0x200000000'))
  })
})
