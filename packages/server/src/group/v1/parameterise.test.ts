import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { cpuMs } from '#testing/cpu-time.ts'
import { parameterise, withoutMinifiedNames } from './parameterise.ts'

describe('a message loses what varies', () => {
  const TABLE: readonly (readonly [text: string, plain: string])[] = [
    ['mail to anna.b+x@shop.example failed', 'mail to <email> failed'],
    [
      'GET https://api.shop.example/orders/7?token=1 failed',
      'GET https://api.shop.example/orders/<int> failed',
    ],
    ['cannot connect to postgres://db:5432/shop', 'cannot connect to postgres://db:5432/shop'],
    ['getaddrinfo ENOTFOUND db1.shop.com', 'getaddrinfo ENOTFOUND db1.shop.com'],
    ['connect ECONNREFUSED 10.0.0.12:5432', 'connect ECONNREFUSED <ip>:5432'],
    ['connect ECONNREFUSED ::1:5432', 'connect ECONNREFUSED <ip>:5432'],
    ['peer 2001:db8::8a2e:370:7334 closed', 'peer <ip> closed'],
    ['no method Shop::Orders in A::B', 'no method Shop::Orders in A::B'],
    ['trace 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'trace <traceparent>'],
    ['trace 1-67891233-abcdef012345678912345678', 'trace <traceparent>'],
    ['order 6F9619FF-8B86-D011-B42D-00CF4FC964FF gone', 'order <uuid> gone'],
    ['blob da39a3ee5e6b4b0d3255bfef95601890afd80709', 'blob <sha1>'],
    ['etag d41d8cd98f00b204e9800998ecf8427e', 'etag <md5>'],
    ['due 2026-11-21', 'due <date>'],
    ['due 2026-11-21T05:26:17.123456Z', 'due <date>'],
    ['due 2026-11-21 05:26:17,123', 'due <date>'],
    ['due 2026-11-21T05:26:17+01:00', 'due <date>'],
    ['due Sat, 21 Nov 2026 05:26:17 GMT', 'due <date>'],
    ['due Saturday, 21-Nov-26 05:26:17 GMT', 'due <date>'],
    ['due Sat Nov 21 2026 05:26:17 GMT+0100 (Central European Standard Time)', 'due <date>'],
    ['due Sat Nov 21 05:26:17 UTC 2026', 'due <date>'],
    ['due Nov 21, 2026', 'due <date>'],
    ['am Mo., 21. Nov 2026 belegt', 'am <date> belegt'],
    ['am Do, 3. Dez 2026 belegt', 'am <date> belegt'],
    ['em 10 out. 2026 fechado', 'em <date> fechado'],
    ['em 10 de out de 2026 fechado', 'em <date> fechado'],
    ['sabato, 10 mag 2026 chiuso', '<date> chiuso'],
    ['il 10 ott 2026 chiuso', 'il <date> chiuso'],
    ['processed 10 out 2048 rows', 'processed <int> out <int> rows'],
    ['retry 12 set 2000 ms', 'retry <int> set <duration>'],
    ['What to do 3 set 2000', 'What to do <int> set <int>'],
    ['do 3 november 2000', 'do <date>'],
    ['due 21/Nov/2026:05:26:17 +0000', 'due <date>'],
    ['due 21.11.2026', 'due <date>'],
    ['due 11/21/2026 05:26', 'due <date>'],
    ['due datetime.datetime(2026, 11, 21, 5, 26)', 'due <date>'],
    ['due 20261121T052617Z', 'due <date>'],
    ['at 05:26:17', 'at <date>'],
    ['at 3:04PM', 'at <date>'],
    ['at 5pm', 'at <date>'],
    ['at 05PM', 'at <date>'],
    ['at 12 PM', 'at <date>'],
    ['at 0 PM', 'at <int> PM'],
    ['at 1 AM sharp', 'at <date> sharp'],
    ['at 13 PM', 'at <int> PM'],
    ['at 5 PMs', 'at <int> PMs'],
    ['exit code 5 am Host', 'exit code 5 am Host'],
    ['Fehler in Zeile 7 am Ende', 'Fehler in Zeile <int> am Ende'],
    ['worker 12 am stopping', 'worker <int> am stopping'],
    ['99 am x', '<int> am x'],
    ['I am 5 amps', 'I am <int> amps'],
    ['in 2 weeks', 'in <duration>'],
    ['3 years after 1 month', '<duration> after <duration>'],
    ['1st is not 2nd nor 3rd', '<int> is not <int> nor <int>'],
    ['4th is not 11th nor 22nd', '<int> is not <int> nor <int>'],
    ['2st is no place', '2st is no place'],
    [
      '٠ ٩ ۰ ۹ ० ९ ০ ৯ ๐ ๙ ０ ９ rows',
      '<int> <int> <int> <int> <int> <int> <int> <int> <int> <int> <int> <int> rows',
    ],
    ['HTTP ٤٠٤', 'HTTP 404'],
    ['用户「张三」不存在', '用户<quoted_str>不存在'],
    ['属性「total」不存在', '属性「total」不存在'],
    ['属性「items」不存在', '属性「items」不存在'],
    ['属性「张三」不存在', '属性<quoted_str>不存在'],
    ['用户「alice」不存在', '用户<quoted_str>不存在'],
    ['表《orders》不存在', '表《orders》不存在'],
    ['列表《orders》为空', '列表<quoted_str>为空'],
    ['「total」プロパティがありません', '「total」プロパティがありません'],
    ['『total』というメソッドがありません', '『total』というメソッドがありません'],
    ['「靴下」という商品がありません', '<quoted_str>という商品がありません'],
    ['商品『靴』《新》が ‹x y› ‚z w‘', '商品<quoted_str><quoted_str>が <quoted_str> <quoted_str>'],
    ['timeout of 1200ms exceeded', 'timeout of <duration> exceeded'],
    ['took 3.5s', 'took <duration>'],
    ['took 10 seconds', 'took <duration>'],
    ['body of 12.5MB refused', 'body of <size> refused'],
    ['at 0xDEADBEEF', 'at <hex>'],
    ['object 507f1f77bcf86cd799439011', 'object <id>'],
    ['number 123456789', 'number <hex>'],
    ['commit 1a2b3c4 missing', 'commit <git_sha> missing'],
    ['charge ch_3MqLx92eZvKYlo2C failed', 'charge ch_<id> failed'],
    ['charge pi_3MqLx92e failed', 'charge pi_<id> failed'],
    ['key clh3x9v7k0000qzrm8d1f2abc', 'key <id>'],
    ['ratio 0.25', 'ratio <float>'],
    ['user 17 not found', 'user <int> not found'],
    ['temperature -5 degrees', 'temperature <int> degrees'],
    ['ORD-2231 is locked', 'ORD-<int> is locked'],
    ['user_42 is locked', 'user_<int> is locked'],
    ['items[0].name is empty', 'items[<int>].name is empty'],
    ['items.0.name is empty', 'items.<int>.name is empty'],
    ["name='Bob' is taken", 'name=<quoted_str> is taken'],
    ['force=true is refused', 'force=<bool> is refused'],
    [
      "ENOENT: no such file, open '/srv/a/releases/9/config.json'",
      "ENOENT: no such file, open '<path>/config.json'",
    ],
    [
      'Failed to load chunk /_next/static/chunks/0ab12cd34ef56.js from module 77',
      'Failed to load chunk <asset> from module <int>',
    ],
    ['Minified React error #418; visit https://react.dev/errors/418?args[]=x', 'Minified React error #418'],
    ['first line\n\n second line\nthird', 'first line\nsecond line...'],
    // What a person typed, in whatever marks.
    ['User "Alice" not found', 'User <quoted_str> not found'],
    ['User "Bob Builder" not found', 'User <quoted_str> not found'],
    ["coupon 'SUMMER24' has expired", 'coupon <quoted_str> has expired'],
    ["coupon 'it's' has expired", 'coupon <quoted_str> has expired'],
    ['coupon `X` has expired', 'coupon <quoted_str> has expired'],
    ['coupon “X y” has expired', 'coupon <quoted_str> has expired'],
    ['coupon „X y“ has expired', 'coupon <quoted_str> has expired'],
    ['coupon «X y» has expired', 'coupon <quoted_str> has expired'],
    ['coupon ‘X y’ has expired', 'coupon <quoted_str> has expired'],
    ['search for "12 roses" failed', 'search for <quoted_str> failed'],
    ['invalid input syntax for type integer: "abc"', 'invalid input syntax for type integer: <quoted_str>'],
    ["Duplicate entry 'alice' for key 'users.email'", "Duplicate entry <quoted_str> for key 'users.email'"],
    // No quotation marks: an apostrophe, one that is never closed.
    ["can't open the user's list", "can't open the user's list"],
    ['it is 5" wide', 'it is <int>" wide'],
    // Nothing else is said.
    ["'amount'", "'amount'"],
    ['"Alice"', '"Alice"'],
    ['{"error":"declined"}', '{"error":"declined"}'],
    ['HTTP 400: {"error":"declined"}', 'HTTP 400: {"error":"declined"}'],
    // Another status is another cause.
    ['Request failed with status code 404', 'Request failed with status code 404'],
    ['Request failed with status code 500', 'Request failed with status code 500'],
    [
      'the server responded with a status of 404 (Not Found)',
      'the server responded with a status of 404 (Not Found)',
    ],
    ['HTTP 503', 'HTTP 503'],
    ['HTTP Error 403: Forbidden', 'HTTP Error 403: Forbidden'],
    ['HTTP/1.1 502 Bad Gateway', 'HTTP/<float> 502 Bad Gateway'],
    ['HTTP/2 502', 'HTTP/<int> 502'],
    [
      '404 Client Error: Not Found for url: https://a.example/x',
      '404 Client Error: Not Found for url: https://a.example/x',
    ],
    ['statusCode=401 for user 7', 'statusCode=401 for user <int>'],
    ['status: "429"', 'status: "429"'],
    ['upstream returned 504 after 3 tries', 'upstream returned 504 after <int> tries'],
    // Numbers that are none.
    ['order 404 not found', 'order <int> not found'],
    ['returned 500 rows', 'returned <int> rows'],
    ['status 7', 'status <int>'],
    ['status code 4040', 'status code <int>'],
    ['HTTP 200 items 301', 'HTTP 200 items <int>'],
    // What names a cause stays.
    ["'NoneType' object has no attribute 'total'", "'NoneType' object has no attribute 'total'"],
    ["name 'total' is not defined", "name 'total' is not defined"],
    ["Cannot find module './cart'", "Cannot find module './cart'"],
    ['relation "orders" does not exist', 'relation "orders" does not exist'],
    ["Cannot access 'total' before initialization", "Cannot access 'total' before initialization"],
    ["undefined method 'total' for nil", "undefined method 'total' for nil"],
    ["Failed to execute 'removeChild' on 'Node'", "Failed to execute 'removeChild' on 'Node'"],
    [
      "Cannot read properties of undefined (reading 'total')",
      "Cannot read properties of undefined (reading 'total')",
    ],
    ['E11000 duplicate key', 'E11000 duplicate key'],
    ['error TS2322 in build', 'error TS2322 in build'],
    ['needs node 1.2.3', 'needs node 1.2.3'],
    ['console.info is not a function', 'console.info is not a function'],
    ['getServerSideProps2 failed', 'getServerSideProps2 failed'],
    ['utf8 is required', 'utf8 is required'],
  ]
  for (const [text, plain] of TABLE) {
    it(`${JSON.stringify(text)} is ${JSON.stringify(plain)}`, () => assert.equal(parameterise(text), plain))
  }

  it('never lets an int of a template differ', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (one, other) => {
        const word = (value: number) => parameterise(`a ${value} b`).replace(/<(?:int|hex)>/, '<number>')
        assert.equal(word(one), word(other))
      }),
    )
  })

  it('changes nothing a second time', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TABLE.map(([text]) => text)), (text) => {
        assert.equal(parameterise(parameterise(text)), parameterise(text))
      }),
    )
  })

  it('stays linear on hostile text', () => {
    const parts = [
      'a',
      '1',
      '0',
      '.',
      ':',
      '-',
      '/',
      '@',
      'a.',
      '1.',
      '1:',
      'a@',
      '/a',
      '1-',
      'f',
      "='",
      " 'a",
      "'a",
      '“',
      '"a',
      '{"',
      'HTTP 404 ',
      'Mon ',
      '<',
      'x_',
      'A1',
    ]
    for (const part of parts) {
      const text = part.repeat(8_192)
      const start = cpuMs()
      parameterise(text)
      assert.ok(cpuMs() - start < 2_000, `${part}: ${cpuMs() - start} ms`)
    }
  })
})

describe('a message of minified code', () => {
  it('loses the names that the minifier gave', () => {
    assert.equal(withoutMinifiedNames('t is not a function'), '<name> is not a function')
    assert.equal(withoutMinifiedNames('e.map is not a function'), '<name>.map is not a function')
    assert.equal(withoutMinifiedNames("(evaluating 't.items')"), "(evaluating '<name>.items')")
    assert.equal(withoutMinifiedNames('order is not defined'), 'order is not defined')
  })
})
