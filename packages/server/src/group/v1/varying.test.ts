/** Pairs of messages: those that differ by values and are one failure, and those that are two. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parameterise } from './parameterise.ts'

const ONE: readonly (readonly [string, ...string[]])[] = [
  ['#PID<0.9201.0> running Shop.Endpoint terminated', '#PID<0.32001.7> running Shop.Endpoint terminated'],
  ['process <0.123.0> is gone', 'process <0.99.1> is gone'],
  ['no reply for #Reference<0.1234.5678.90>', 'no reply for #Reference<0.3456.1111.2>'],
  ['port #Port<0.5> closed', 'port #Port<0.17> closed'],
  ['bad #Function<6.128620087/0 in :erl_eval.expr/5>', 'bad #Function<43.3316493/1 in :erl_eval.expr/6>'],
  [
    'Key (a, b)=(1, x y) is not present in table "orders".',
    'Key (a, b)=(2, z) is not present in table "orders".',
  ],
  [
    'ERROR: duplicate key value violates unique constraint "u"\n  Detail: Key (lower(name))=(anna (b)) already exists.',
    'ERROR: duplicate key value violates unique constraint "u"\n  Detail: Key (lower(name))=(ben) already exists.',
  ],
  ['Failing row contains (1, Anna, null, 2026-11-21).', 'Failing row contains (22, Ben B., x, null).'],
  [
    '(Connection: mysql, SQL: select * from `users` where `name` = Anna Smith limit 1)',
    '(Connection: mysql, SQL: select * from `users` where `name` = Ben limit 1)',
  ],
  [
    'SQL: update `users` set `name` = Anna, `age` = 3 where `id` = 9',
    'SQL: update `users` set `name` = Ben Bo, `age` = 44 where `id` = 10',
  ],
  [
    'SQL: select * from `users` where `name` in (Anna, Ben) and `age` > 3',
    'SQL: select * from `users` where `name` in (Cleo) and `age` > 9',
  ],
  ['insert into users (name) values (Anna), (Ben (B))', 'insert into users (name) values (Cleo)'],
  [
    'An exception occurred while executing \'INSERT INTO a (b) VALUES (?)\' with params ["Anna", 12]:',
    'An exception occurred while executing \'INSERT INTO a (b) VALUES (?)\' with params ["Ben"]:',
  ],
  [
    "(sqlite3.IntegrityError) failed [parameters: ('Anna', 1)]",
    "(sqlite3.IntegrityError) failed [parameters: ('Ben', 2, 3)]",
  ],
  [
    'No such customer: cus_NffrFeUfNV2Hib',
    'No such customer: cus_Q1a2b3C4d5E6f7',
    'No such customer: cus_NffrFeUfNVHibQ',
  ],
  ['No such price: price_1MqLx92eZvKYlo2C', 'No such price: price_1NabcDEfGhIjKlMn'],
  ['bad key sk_test_4eC39HqLyjWDarjtT1zdp7dc', 'bad key sk_test_BQokikJOvBiI2HlWgH4olfQ2'],
  [
    'Cart kXyPqRsTuVwXyZaBcDe_f missing',
    'Cart AbCdEfGhIjKlMnOpQrStU missing',
    'Cart V1StGXR8_Z5jdHi6B-myT missing',
  ],
  ['order 01ARZ3NDEKTSV4RRFFQ69G5FAV gone', 'order 01BX5ZZKBKACTAV9WEVGEMMVRZ gone'],
  ['missing ids [1, 2, 3]', 'missing ids [4, 5]', 'missing ids [6]'],
  ['missing 1, 2 and 3', 'missing 4'],
  [
    'missing 7f1c2d3e-1111-4222-8333-444455556666, 7f1c2d3e-1111-4222-8333-444455556667',
    'missing 9f1c2d3e-1111-4222-8333-444455556677',
  ],
  ['no users "anna", "ben"', 'no users "cleo"'],
  ['Invalid Order(id=12, name=Anna, status=OPEN)', 'Invalid Order(id=13, name=Ben Bo, status=PAID)'],
  ['Invalid Order[id=12, customer=Customer[name=Anna]]', 'Invalid Order[id=1, customer=Customer[name=Ben]]'],
  ['Invalid Order{id=12, name=Anna}', 'Invalid Order{id=7, name=Ben}'],
  ["Invalid Order(id=12, name='Anna')", "Invalid Order(id=9, name='Ben B')"],
  ['Invalid Order { Id = 12, Name = Anna }', 'Invalid Order { Id = 3, Name = Ben }'],
  ['invalid &{ID:12 Name:Anna}', 'invalid &{ID:3 Name:Ben}'],
  [
    'Unable to lock com.shop.Order@5e9f',
    'Unable to lock com.shop.Order@1c4a2',
    'Unable to lock com.shop.Order@7b23ec81',
  ],
  ['<Order object at 0x7f9697eb2405> is closed', '<Order object at 0x7f96aa112233> is closed'],
  ['#<Order:0x000078e1a2b3c4d8> is closed', '#<Order:0x000011e1a2b3c4d8> is closed'],
  ['Bad redirect to /search?q=shoes', 'Bad redirect to /search?q=red%20hat&page=2'],
  [
    'GET https://api.shop.test/orders/17/items?x=1 failed',
    'GET https://api.shop.test/orders/9f1c2d3e4b5a/items failed'.replace('9f1c2d3e4b5a', '23'),
  ],
  ['GET https://anna:pw@api.shop.test/orders failed', 'GET https://api.shop.test/orders failed'],
  ['Disk 91% full', 'Disk 97.5% full', 'Disk 100 % full'],
  [
    'Charge of €12.50 refused',
    'Charge of €1,249.00 refused',
    'Charge of 12,50 € refused',
    'Charge of 1.249,00 EUR refused',
    'Charge of $5 refused',
    'Charge of USD 12 refused',
    'Charge of £1,000 refused',
    "Charge of CHF 1'249.50 refused",
    'Charge of ¥1200 refused',
    'Charge of R$ 12,50 refused',
    'Charge of 100 kr refused',
    'Charge of 12,50 zł refused',
  ],
  ['Could not run worker index-DbQ2xY9p.js: bad state', 'Could not run worker index-CkT7_aa1.js: bad state'],
  ['Could not load main.3f2a9c1b.css', 'Could not load main.77aa0012.css'],
  [
    'cannot load https://cdn.shop.test/assets/widget-DbQ2xY9p.js',
    'cannot load https://cdn.shop.test/assets/widget-Zx81aaQ0.js',
  ],
  [
    'bad token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdef-_1',
    'bad token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIyMiJ9.zzz',
  ],
  ['cannot call +49 170 1234567', 'cannot call +1 (555) 123-4567'],
  ['bad account DE89370400440532013000', 'bad account GB29NWBK60161331926819'],
  ['read tcp 10.0.0.1:44556->10.0.0.2:5432: timeout', 'read tcp 10.0.0.1:51234->10.0.0.9:5432: timeout'],
  ['pod web-7d9f8b6c5-x2x4z.shop.internal is gone', 'pod web-5c4d9f7b8-abc12.shop.internal is gone'],
  ['getaddrinfo ENOTFOUND ip-10-0-1-23.ec2.internal', 'getaddrinfo ENOTFOUND ip-10-0-9-1.ec2.internal'],
  ['data:image/png;base64,iVBORw0KGgo= is refused', 'data:image/gif;base64,R0lGODlhAQ== is refused'],
]

const TWO: readonly (readonly [string, ...string[]])[] = [
  [
    'Failed to call https://api.shop.test/orders',
    'Failed to call https://api.shop.test/users',
    'Failed to call https://mail.shop.test/orders',
  ],
  ["Failed to call 'https://api.shop.test/orders'", "Failed to call 'https://api.shop.test/users'"],
  [
    'getaddrinfo ENOTFOUND db.internal',
    'getaddrinfo ENOTFOUND cache.internal',
    'getaddrinfo ENOTFOUND db.shop.test',
  ],
  ['connect ECONNREFUSED 10.0.0.1:5432', 'connect ECONNREFUSED 10.0.0.1:6379'],
  ['cannot reach redis://cache:6379/0', 'cannot reach postgres://db:5432/shop'],
  [
    'duplicate key value violates unique constraint "users_email_key"',
    'duplicate key value violates unique constraint "orders_no_key"',
  ],
  ['column "total" does not exist', 'column "price" does not exist'],
  ['null value in column "email" of relation "users"', 'null value in column "email" of relation "orders"'],
  ['Key (email)=(a b) already exists.', 'Key (slug)=(a b) already exists.'],
  ["Duplicate entry 'a' for key 'users.email'", "Duplicate entry 'a' for key 'users.slug'"],
  ['UNIQUE constraint failed: users.email', 'UNIQUE constraint failed: users.slug'],
  ['SQLSTATE[23000]: failed', 'SQLSTATE[42000]: failed'],
  ['ORA-00942: failed', 'ORA-00001: failed'],
  ['ERROR 1062 (23000): failed', 'ERROR 1205 (41000): failed'],
  ['(1146, "failed")', '(2013, "failed")'],
  ["[Errno 2] failed: '/srv/a/x.csv'", "[Errno 13] failed: '/srv/a/x.csv'"],
  ['process exited with code 137', 'process exited with code 1'],
  ['COM failed with HRESULT: 0x80070005', 'COM failed with HRESULT: 0x80004005'],
  ['could not determine data type of parameter $1', 'could not determine data type of parameter $2'],
  ['SQL: select * from `users` where `name` = Anna', 'SQL: select * from `users` where `slug` = Anna'],
  ['SQL: select * from `users` where `name` = Anna', 'SQL: select * from `orders` where `name` = Anna'],
  ['GET /orders/17 failed', 'GET /users/17 failed'],
  ["Missing parameter 'email'", "Missing parameter 'name'"],
  ['no topic "orders"', 'no topic "users"'],
  ['invalid (column=email)', 'invalid (column=name)'],
]

describe('what varies in a message', () => {
  for (const texts of ONE) {
    it(`is no other message: ${texts[0].slice(0, 60).replaceAll('\n', ' ')}`, () => {
      assert.deepEqual([...new Set(texts.map(parameterise))], [parameterise(texts[0])])
    })
  }
})

describe('what matters in a message', () => {
  for (const texts of TWO) {
    it(`is another message: ${texts[0].slice(0, 60)}`, () => {
      assert.equal(new Set(texts.map(parameterise)).size, texts.length, texts.map(parameterise).join('\n'))
    })
  }
})
