import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readStackText } from './stack-text.ts'

const THROWN = { type: 'ValueError', value: 'card refused' }

/** `[type, value, 'function file:line', …]`, oldest call first. */
function read(platform: string, text: string) {
  return readStackText(text, platform, THROWN).map(({ type, value, frames }) => [
    ...[type, value],
    ...frames.map(
      (frame) => `${frame.module ?? ''}|${frame.function ?? ''} ${frame.filename}:${frame.lineno ?? ''}`,
    ),
  ])
}

describe('a printed stack', () => {
  it('of Python has its newest call last, source lines, and what it was caused by', () => {
    const text = `Traceback (most recent call last):
  File "/app/shop/stock.py", line 3, in take
    return stock[sku]
KeyError: 'lamp'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/shop/web.py", line 90, in checkout
    pay(order)
    ^^^^^^^^^^
  File "/app/shop/pay.py", line 17, in pay
    raise ValueError("card refused")
ValueError: card refused`
    assert.deepEqual(read('python', text), [
      ['KeyError', "'lamp'", '|take stock.py:3'],
      ['ValueError', 'card refused', '|checkout web.py:90', '|pay pay.py:17'],
    ])
    assert.equal(
      readStackText(text, 'python', THROWN)[1]?.frames[1]?.context_line,
      'raise ValueError("card refused")',
    )
  })

  it('of Java has its causes, and classes as modules', () => {
    const text = `java.lang.IllegalStateException: card refused
\tat com.shop.Pay.pay(Pay.java:17)
\tat java.base/java.lang.Thread.run(Thread.java:840)
\tat com.shop.Cart$$Lambda.run(Unknown Source)
Caused by: java.io.IOException: broken: pipe
\tat com.shop.Bank.call(Bank.java:9)
\t... 12 more`
    assert.deepEqual(read('java', text), [
      ['java.io.IOException', 'broken: pipe', 'com.shop.Bank|call Bank.java:9'],
      [
        ...['ValueError', 'card refused', 'com.shop.Cart$$Lambda|run Unknown Source:'],
        ...['java.lang.Thread|run Thread.java:840', 'com.shop.Pay|pay Pay.java:17'],
      ],
    ])
  })

  for (const [platform, text, expected] of [
    [
      'node',
      'Error: x\n    at pay (/app/pay.js:17:9)\n    at async /app/web.js:3:1\n    at Array.map (<anonymous>)',
      ['| web.js:3', '|pay pay.js:17'],
    ],
    [
      'javascript',
      'pay@https://shop.test/a.js:1:200\n@https://shop.test/b.js:2:3',
      ['| https://shop.test/b.js:2', '|pay https://shop.test/a.js:1'],
    ],
    [
      'go',
      'goroutine 1 [running]:\nshop/web.(*Cart).Pay(0xc000010000, 0x2)\n\t/src/web/cart.go:31 +0x1d\nmain.main()\n\t/src/main.go:9 +0x20',
      ['main|main main.go:9', 'shop/web|(*Cart).Pay cart.go:31'],
    ],
    [
      'csharp',
      'System.InvalidOperationException: x\n   at Shop.Cart.Pay(Order order) in /src/Cart.cs:line 31\n   at Shop.Program.Main()',
      ['Shop.Program|Main undefined:', 'Shop.Cart|Pay Cart.cs:31'],
    ],
    [
      'ruby',
      "app/models/cart.rb:31:in `pay'\n\tfrom app/web.rb:9:in 'Web#call'",
      ['|Web#call web.rb:9', '|pay cart.rb:31'],
    ],
    [
      'php',
      '#0 /app/Cart.php(31): Shop\\Cart->pay(Object(Order))\n#1 {main}',
      ['|Shop\\Cart->pay Cart.php:31'],
    ],
    [
      'elixir',
      '    (shop 0.1.0) lib/shop/cart.ex:31: Shop.Cart.pay/1\n    lib/web.ex:9: Web.call/2',
      ['|Web.call/2 web.ex:9', '|Shop.Cart.pay/1 cart.ex:31'],
    ],
  ] as const)
    it(`of ${platform} has its frames, oldest call first`, () => {
      assert.deepEqual(read(platform, text), [['ValueError', 'card refused', ...expected]])
    })

  it('of an unknown language is the exception alone', () => {
    assert.deepEqual(read('other', 'at a (b:1:2)'), [['ValueError', 'card refused']])
    assert.deepEqual(read('constructor', 'x'), [['ValueError', 'card refused']])
  })

  it('costs no more than its length, whatever it says', () => {
    for (const platform of ['python', 'java', 'node', 'go', 'csharp', 'ruby', 'php', 'elixir'])
      for (const line of [
        'at '.repeat(20_000),
        `at ${'a.'.repeat(20_000)}(`,
        `File "${'"'.repeat(30_000)}`,
        '('.repeat(60_000),
        `${'a '.repeat(20_000)}\n`.repeat(3),
      ]) {
        const beganMs = process.cpuUsage().user
        readStackText(line, platform, THROWN)
        assert.ok(process.cpuUsage().user - beganMs < 500_000, `${platform}: ${line.slice(0, 20)}`)
      }
  })
})
