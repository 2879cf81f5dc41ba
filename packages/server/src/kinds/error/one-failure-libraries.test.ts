/** Instances of many libraries, languages and engines: one failure is one issue, two failures are two. */
import { describe, it } from 'node:test'
import { assertApart, assertTogether, event, frame, library, type Raw, thrown } from '#testing/one-failure.ts'

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
      assertApart(made(one), made(other))
      assertTogether(made(one), made(one))
    })
  }

  it('though the SDK calls the library’s frames the app’s own, or says nothing', () => {
    const FRAMES: readonly (readonly [platform: string, frame: Raw])[] = [
      ['go', frame('Query', '', { abs_path: '/root/go/pkg/mod/github.com/jackc/pgx/v5@v5.6.0/conn.go' })],
      ['php', frame('App\\Db::run', '/var/www/vendor/doctrine/dbal/src/Connection.php')],
      ['ruby', frame('exec', '/app/vendor/bundle/ruby/3.3.0/gems/pg-1.5.6/lib/pg/connection.rb')],
      ['python', frame('execute', '/venv/lib/python3.12/site-packages/psycopg/cursor.py')],
      ['javascript', frame('fail', 'http://localhost:5173/node_modules/.vite/deps/zod.js')],
      ['javascript', frame('fail', 'https://shop.test/assets/vendor-D2f9x1Ab.js')],
      [
        'java',
        frame('execute', 'PgStatement.java', {
          module: 'org.postgresql.jdbc.PgStatement',
          in_app: undefined,
        }),
      ],
    ]
    for (const [platform, each] of FRAMES) {
      const made = (value: string, own: readonly Raw[] = []) =>
        event(platform, thrown('DbError', value, [...own, each]))
      assertApart(made('relation "orders" does not exist'), made('deadlock detected'))
      const own = [frame('load', '/app/src/orders.x', { module: 'com.shop.Orders' })]
      assertTogether(made('relation "orders" does not exist', own), made('deadlock detected', own))
    }
  })

  it('and values vary in it all the same', () => {
    const made = (value: string) =>
      event(
        'node',
        thrown('error', value, [library('parse', '/app/node_modules/pg-protocol/dist/parser.js')]),
      )
    assertTogether(made('order 17 is locked by 3f2a9c1b7d8e'), made('order 23 is locked by 9b1c2d3e4f50'))
    assertTogether(
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
    assertApart(made('23505'), made('40P01'))
    const failed = (code: number) =>
      event(
        'php',
        thrown('PDOException', 'failed', undefined, { mechanism: { type: 'generic', data: { code } } }),
      )
    assertApart(failed(1_045), failed(2_002))
  })

  it('by the causes that are told', () => {
    const made = (value: string) =>
      event('node', [
        thrown('Error', value, [library('connect', 'node:net')]),
        thrown('TypeError', 'fetch failed', [library('fetch', 'node:internal/deps/undici/undici')]),
      ])
    assertApart(
      made('other side closed'),
      made('self-signed certificate'),
      made('getaddrinfo ENOTFOUND api.shop.test'),
    )
    assertApart(made('connect ECONNREFUSED 127.0.0.1:5432'), made('connect ECONNREFUSED 127.0.0.1:6379'))
    assertTogether(made('connect ECONNREFUSED 10.0.0.1:5432'), made('connect ECONNREFUSED ::1:5432'))
  })
})

describe('where a frame of the app is on the stack', () => {
  it('values vary and are one issue', () => {
    const made = (value: string) =>
      event('node', thrown('Error', value, [frame('load', '/app/src/orders.js')]))
    assertTogether(made('no order 17'), made('no such order'), made('Anna'))
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
      assertApart(made('404 Not Found'), made('502 Bad Gateway'))
      assertTogether(made('404 Not Found'), made('404 Not Found'))
    }
  })
})
