import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { asking, openShop, send, unwrap } from '#testing/worlds/api.ts'
import { namesOf, withoutPeople, withoutPeopleIn } from './without-people.ts'

describe('a name that a text holds', () => {
  const texts: readonly [text: string, name: string, left: string][] = [
    ['张伟的订单失败', '张伟', '[user]的订单失败'],
    ['김철수님의 주문', '김철수', '[user]님의 주문'],
    ['สมชายสั่งซื้อ', 'สมชาย', '[user]สั่งซื้อ'],
    ['заказ Ивану', 'Иван', 'заказ [user]'],
    ['%E5%BC%A0%E4%BC%9F', '张伟', '[user]'],
    ['Annas order', 'Anna', 'Annas order'],
  ]
  for (const [text, name, left] of texts)
    it(`${name} is left out of ${text} as its script writes it`, () => {
      assert.equal(withoutPeople(text, namesOf({ name })), left)
    })
})

describe('a text without people', () => {
  const texts: readonly [text: string, left: string][] = [
    ['mail to Anna.B+x@shop.example.com now', 'mail to [email] now'],
    ['from 10.1.2.3:80 and 2001:db8::8', 'from [ip]:80 and [ip]'],
    ['at 2001:db8:0:0:0:0:0:1', 'at [ip]'],
    ['a::b at 12:30:45, version 1.2.3', 'a::b at 12:30:45, version 1.2.3'],
    ['@scope/package@1.2', '@scope/package@1.2'],
    ['shop@1.4.0-beta.rc', 'shop@1.4.0-beta.rc'],
    ['анна@почта.рф, 用户@例子.公司 and jörg@bücher.example', '[email], [email] and [email]'],
    ['/u?mail=anna%40shop.example.com&x=1', '/u?mail=[email]&x=1'],
    ['anna%2540shop.example.com', '[email]'],
    ['%61%6e%6e%61%40%73%68%6f%70%2e%64%65', '[email]'],
    ['anna＠shop．example．com', '[email]'],
    ['an\u200bna@sh\u00adop.example.com', '[email]'],
    ['&quot;anna&#64;shop.de&quot; anna\\u0040shop.de', '&quot;[email]&quot; [email]'],
    ['root@[10.0.0.1] x', '[email] x'],
    ['::ffff:10.1.2.3 and ::ffff:0a01:0203 and fe80::1%eth0', '[ip] and [ip] and [ip]'],
    ['[2001:db8::1]:443', '[[ip]]:443'],
    ['?ip=2001%3Adb8%3A%3A8', '?ip=[ip]'],
    ['10%2E1%2E2%2E3', '[ip]'],
    ['dsl-84-12-33-1.net on 2026-11-21', 'dsl-84-12-33-1.net on 2026-11-21'],
    ['/home/anna/shop/app.js', '/home/[user]/shop/app.js'],
    ['file:///Users/Anna/app.ts', 'file:///Users/[user]/app.ts'],
    ['C:\\Users\\AnnaB\\app', 'C:\\Users\\[user]\\app'],
    ['c:/users/anna/x', 'c:/users/[user]/x'],
    ['C:\\Users\\Anna Berg\\app', 'C:\\Users\\[user]\\app'],
    ['\\\\srv\\Users\\anna\\x', '\\\\srv\\Users\\[user]\\x'],
    ['/mnt/c/Users/anna/x and /var/home/anna/x', '/mnt/c/Users/[user]/x and /var/home/[user]/x'],
    ['/home/anna and /home/bob', '/home/[user] and /home/[user]'],
    ['webpack:///%2Fhome%2Fanna%2Fx.js', 'webpack:////home/[user]/x.js'],
    ['at ~anna/src/x.ts', 'at ~[user]/src/x.ts'],
    ['/home/[slug]', '/home/[slug]'],
    ['cursor=eyJlbWFpbCI6ImFubmFAc2hvcC5leGFtcGxlIiwibiI6MX0= sent', 'cursor=[user] sent'],
    ['616e6e614073686f702e6465 seen', '[user] seen'],
    [
      'integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg',
      'integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg',
    ],
    ['&#97;&#110;&#110;&#97;&#64;&#115;&#104;&#111;&#112;&#46;&#100;&#101;', '[email]'],
    ['anna&commat;shop&period;de and anna=40shop.de', '[email] and [email]'],
    ['\\u0061nna\\u0040shop.de', '[email]'],
    ['/users/42', '/users/42'],
  ]
  for (const [text, left] of texts) it(`of ${text}`, () => assert.equal(withoutPeople(text), left))

  it('leaves out what the event says of its user, by whole words', () => {
    const names = namesOf({
      id: '8847120',
      username: 'annab',
      name: 'Änna Berg',
      data: { nick: 'Bergziege' },
    })
    assert.equal(
      withoutPeople('Hello ÄNNA BERG (annab, 8847120), Berg of Bergen', names),
      'Hello [user] ([user], [user]), [user] of Bergen',
    )
    assert.equal(withoutPeople('cart of bergziege', names), 'cart of [user]')
    assert.deepEqual(namesOf({ id: 42, username: 'admin', geo: { city: 'Berlin' } }), [])
  })
})

describe('somebody whom no field names', () => {
  const texts: readonly [text: string, left: string][] = [
    ['Order of customer Maria Schmidt failed', 'Order of customer [user] failed'],
    ['Dear Mr. van der Berg, your order', 'Dear Mr. [user], your order'],
    ['Failed for user "Zbigniew Nowak"', 'Failed for user "[user]"'],
    ['Benutzer Jürgen Groß gesperrt', 'Benutzer [user] gesperrt'],
    ['пациент Иванова Мария Петровна не найдена', 'пациент [user] не найдена'],
    ['Заказ: Пётр Иванов не оплачен', 'Заказ: [user] не оплачен'],
    ['用户王小明的订单失败', '用户[user]的订单失败'],
    ['山田太郎様のご注文', '[user]様のご注文'],
    ['김철수님의 주문이 실패', '[user]님의 주문이 실패'],
    ['العميل محمد أحمد غير موجود', 'العميل [user] غير موجود'],
    ['לקוח דוד כהן', 'לקוח [user]'],
    ['firstName=Lena&lastName=Ott', 'firstName=[user]&lastName=[user]'],
    [`{"customerName":"Zoë O'Neil","total":3}`, '{"customerName":"[user]","total":3}'],
    ['Γιώργος Παπαδόπουλος απέτυχε', '[user] απέτυχε'],
    ['M&uuml;ller', 'M&uuml;ller'],
    [
      'User Not Found, Client Error 404, Customer Service',
      'User Not Found, Client Error 404, Customer Service',
    ],
    ['const customerName = order.customer.name', 'const customerName = order.customer.name'],
    ['at UserRepository.findOne (/app/src/user.ts:3:4)', 'at UserRepository.findOne (/app/src/user.ts:3:4)'],
  ]
  for (const [text, left] of texts)
    it(`is left out of ${text}, and nothing else is`, () => assert.equal(withoutPeople(text), left))

  it('is known by the address of another text', async () => {
    const texts = { mail: 'to maria.schmidt@shop.example', said: 'Schmidt cancelled, Schmidts did not' }
    const left = await withoutPeopleIn(texts, { names: [], turn: async () => {} })
    assert.deepEqual(left, { mail: 'to [email]', said: '[user] cancelled, Schmidts did not' })
  })

  it('is left out of a name that is written in entities', () => {
    assert.equal(withoutPeople('M&uuml;ller failed', namesOf({ name: 'Jo Müller' })), '[user] failed')
  })
})

describe('an event with much code', () => {
  it('has its people left out in turns, a text that repeats once, and keeps its shape', async () => {
    const line = `${'x '.repeat(2_000)}ada@shop.example`
    const lines = Array.from({ length: 30 }, (_, number) => ({ number, text: `${line} ${number % 10}` }))
    let turns = 0
    const left = await withoutPeopleIn({ lines, none: null }, { names: [], turn: async () => void turns++ })
    assert.equal(turns, 3)
    assert.equal(left.none, null)
    assert.deepEqual(left.lines[13], { number: 13, text: `${'x '.repeat(2_000)}[email] 3` })
  })
})

describe('a shared issue', () => {
  it('has nobody in any of its texts, wherever an app puts them', async () => {
    const shop = await openShop()
    try {
      const people = 'anna%40shop.example.com jörg@bücher.example 203.0.113.9 ::ffff:203.0.113.9 Annegret'
      const home = '/home/annegretb/app'
      await send(
        shop,
        shop.dsn,
        anError({
          user: {
            id: '8847120',
            username: 'annegretb',
            email: 'jörg@bücher.example',
            name: 'Annegret Bauer',
          },
          transaction: `/orders/${people}`,
          release: `web@${people}`.slice(0, 100),
          environment: 'anna@shop.example.com',
          exception: {
            values: [
              {
                type: `Err${people}`,
                value: people,
                stacktrace: {
                  frames: [
                    {
                      ...{ function: `f ${people}`, filename: `${home}/${people}.ts`, module: people },
                      ...{ lineno: 2, in_app: true, pre_context: [people], context_line: people },
                      post_context: [`${people} ${home}`],
                    },
                  ],
                },
              },
            ],
          },
          breadcrumbs: { values: [{ category: people, message: people, level: 'info', timestamp: 1 }] },
          tags: { route: people, browser: people, 'device.family': people, handled: people },
        }),
      )
      const { owner } = shop.people
      const who = asking(await owner.viewer(), await owner.scope())
      unwrap(await shop.commands.run('shareIssue', who, { ref: 'SHOP-1' }))
      const share = await shop.queries.issueShare(who.scope, 'SHOP-1')
      const shared = unwrap(await shop.queries.sharedIssue(share?.token ?? '', '192.0.2.1'))
      const texts: string[] = []
      const walk = (one: unknown): void => {
        if (typeof one === 'string') texts.push(one)
        else if (typeof one === 'object' && one !== null) Object.values(one).forEach(walk)
      }
      walk(shared)
      assert.ok(texts.length > 15, texts.join())
      for (const text of texts)
        assert.doesNotMatch(text, /shop\.example|bücher|xn--|203[.-]0|annegret|bauer|8847120/i)
    } finally {
      await shop.close()
    }
  })
})
