/** Pairs after public reports, of which people say that they are one failure. */
import { describe, it } from 'node:test'
import { varied } from '#testing/builders/failure.ts'
import { assertJoined, FAILURES, type FailurePair } from '#testing/failure-pairs.ts'

const { INLINE, NULL_READ, NODE, PYTHON, JAVA, GO, PHP, RUBY } = FAILURES

const ONE: readonly FailurePair[] = [
  [
    'an inline script of every page of a static site',
    ...varied(
      INLINE,
      { stack: ['track@https://shop.test/about.html:12'] },
      { stack: ['track@https://shop.test/news/2026/prices.html:12'] },
    ),
  ],
  [
    'an inline script without a function, at the same line of two pages',
    ...varied(
      INLINE,
      { stack: ['@https://shop.test/about.html:12'] },
      { stack: ['@https://shop.test/contact.html:12'] },
    ),
  ],
  [
    'an inline script of pages with and without an extension',
    ...varied(
      INLINE,
      { stack: ['track@https://shop.test/about:12'] },
      { stack: ['track@https://shop.test/index.php?page=2:12'] },
    ),
  ],
  [
    'an inline script whose place in the page moved, below a script that has a file',
    ...varied(
      NULL_READ,
      { stack: ['mount@https://shop.test/js/menu.js:3', '@https://shop.test/a.html:80'] },
      { stack: ['mount@https://shop.test/js/menu.js:3', '@https://shop.test/b.html:91'] },
    ),
  ],
  [
    'a request without an answer, in Chrome and Firefox',
    { type: 'TypeError', value: 'Failed to fetch (api.shop.test)' },
    { type: 'TypeError', value: 'NetworkError when attempting to fetch resource. (api.shop.test)' },
  ],
  [
    'a request without an answer, in Chrome and Safari',
    { type: 'TypeError', value: 'Failed to fetch' },
    { type: 'TypeError', value: 'Load failed' },
  ],
  [
    'a chunk that is gone, whatever its hash',
    {
      type: 'ChunkLoadError',
      value: 'Loading chunk 482 failed. (error: https://shop.test/js/482.3f2a9c1b.js)',
    },
    {
      type: 'ChunkLoadError',
      value: 'Loading chunk 77 failed. (error: https://shop.test/js/77.00ff12ab.js)',
    },
  ],
  [
    'a style sheet that is gone, whatever its hash',
    { type: 'Error', value: 'Loading CSS chunk 12 failed. (/css/12.a1b2c3d4.css)' },
    { type: 'Error', value: 'Loading CSS chunk 9 failed. (/css/9.0011ffee.css)' },
  ],
  [
    'a module that is gone, in Chrome after two builds',
    {
      type: 'TypeError',
      value: 'Failed to fetch dynamically imported module: https://shop.test/assets/Cart-DbQ2xY9p.js',
    },
    {
      type: 'TypeError',
      value: 'Failed to fetch dynamically imported module: https://shop.test/assets/Cart-Bk81_zQa.js',
    },
  ],
  [
    'hashed files of a webpack build',
    ...varied(
      { value: 'x' },
      { stack: ['Checkout@https://shop.test/static/js/main.3f2a9c1b.chunk.js:1'] },
      { stack: ['Checkout@https://shop.test/static/js/main.77aa0012.chunk.js:1'] },
    ),
  ],
  [
    'what eval made',
    ...varied(
      { type: 'ReferenceError', value: 'x is not defined' },
      { stack: ['run@https://shop.test/app.js:1', '@<anonymous>:1'] },
      { stack: ['run@https://shop.test/app.js:1', '@<anonymous>:44'] },
    ),
  ],
  [
    'an async function with and without the frames behind it',
    ...varied(
      { value: 'x' },
      { stack: ['load@https://shop.test/app.js:1', 'async open@https://shop.test/app.js:9'] },
      { stack: ['load@https://shop.test/app.js:1'] },
    ),
  ],
  [
    'an anonymous function that a bundler named after its place',
    ...varied(
      { ...NODE, value: 'x' },
      { stack: ['Server.<anonymous>@/app/server.js:10'] },
      { stack: ['Server.<anonymous>@/app/server.js:14'] },
    ),
  ],
  ...(
    [
      ['German', 'Termin am Samstag, 21. November 2026 belegt', 'Termin am Montag, 2. März 2027 belegt'],
      ['German, short', 'Termin am 21. Nov. 2026 belegt', 'Termin am 2. Mrz. 2027 belegt'],
      ['French', 'le samedi 21 novembre 2026 est complet', 'le dimanche 1er août 2027 est complet'],
      ['French, short', 'le 21 nov. 2026 est complet', 'le 2 févr. 2027 est complet'],
      ['Spanish', 'el sábado, 21 de noviembre de 2026 no', 'el lunes, 2 de enero de 2027 no'],
      ['Portuguese', 'em 21 de novembro de 2026 fechado', 'em 2 de março de 2027 fechado'],
      ['Italian', 'il 21 novembre 2026 chiuso', 'il 2 luglio 2027 chiuso'],
      ['Dutch', 'op zaterdag 21 november 2026 dicht', 'op maandag 2 maart 2027 dicht'],
      ['Polish', 'dnia 21 listopada 2026 brak', 'dnia 2 października 2027 brak'],
      ['Russian', 'нет на 21 ноября 2026 г. мест', 'нет на 2 марта 2027 г. мест'],
      ['Japanese', '2026年11月21日の在庫', '2027年3月2日の在庫'],
      ['Korean', '2026년 11월 21일 재고', '2027년 3월 2일 재고'],
    ] as const
  ).map(([language, one, other]): FailurePair => [`a date in ${language}`, { value: one }, { value: other }]),
  [
    'a UUID in a message',
    { value: 'no cart 6f9619ff-8b86-d011-b42d-00cf4fc964ff' },
    { value: 'no cart 0af76519-16cd-43dd-8448-eb211c80319c' },
  ],
  [
    'an address in memory',
    { ...NODE, value: 'bad pointer 0x7ffdeadbeef0' },
    { ...NODE, value: 'bad pointer 0x7ffd00112233' },
  ],
  [
    'an email in a message',
    { value: 'mail to anna@shop.test bounced' },
    { value: 'mail to bo.b+x@mail.test bounced' },
  ],
  [
    'a path of a user',
    {
      ...PYTHON,
      type: 'FileNotFoundError',
      value: "[Errno 2] No such file or directory: '/home/anna/export.csv'",
    },
    {
      ...PYTHON,
      type: 'FileNotFoundError',
      value: "[Errno 2] No such file or directory: '/home/bob/export.csv'",
    },
  ],
  [
    'a port that the client was given',
    {
      ...GO,
      type: '*net.OpError',
      value: 'read tcp 10.0.0.12:51544->10.0.0.7:5432: read: connection reset by peer',
    },
    {
      ...GO,
      type: '*net.OpError',
      value: 'read tcp 10.0.0.12:38122->10.0.0.7:5432: read: connection reset by peer',
    },
  ],
  [
    'a quoted value',
    { ...JAVA, type: 'java.lang.NumberFormatException', value: 'For input string: "12,50"' },
    { ...JAVA, type: 'java.lang.NumberFormatException', value: 'For input string: "n/a"' },
  ],
  [
    'Java’s generated proxies',
    ...varied(
      { ...JAVA, type: 'java.lang.NullPointerException' },
      { stack: ['pay@Orders$$EnhancerBySpringCGLIB$$1a2b3c4d.java', 'run@Till.java'] },
      { stack: ['pay@Orders$$EnhancerBySpringCGLIB$$99ffee00.java', 'run@Till.java'] },
    ),
  ],
  [
    'a cause under a framework’s wrapper, whatever its id',
    {
      ...JAVA,
      type: 'jakarta.servlet.ServletException',
      value: 'Request processing failed: no order 17',
      causes: [{ type: 'shop.NoOrder', value: 'no order 17' }],
    },
    {
      ...JAVA,
      type: 'jakarta.servlet.ServletException',
      value: 'Request processing failed: no order 23',
      causes: [{ type: 'shop.NoOrder', value: 'no order 23' }],
    },
  ],
  [
    'PHP’s closures',
    ...varied(
      { ...PHP, type: 'TypeError' },
      { stack: ['{closure:/app/Pay.php:12}@/app/Pay.php'] },
      { stack: ['{closure:/app/Pay.php:17}@/app/Pay.php'] },
    ),
  ],
  [
    'a compiled Blade view',
    ...varied(
      { ...PHP, type: 'ErrorException', value: 'Undefined variable $total' },
      { stack: ['include@/app/storage/framework/views/3f2a9c1b7d8e450177aa00129b8c7d6e.php'] },
      { stack: ['include@/app/storage/framework/views/00129b8c7d6e3f2a9c1b7d8e450177aa.php'] },
    ),
  ],
  [
    'Ruby’s objects',
    { ...RUBY, type: 'NoMethodError', value: "undefined method `total' for #<Cart:0x00007f8b1c0a2b38>" },
    { ...RUBY, type: 'NoMethodError', value: "undefined method `total' for #<Cart:0x00007f8b1c0fffff>" },
  ],
  [
    'Ruby’s blocks',
    ...varied(
      { ...RUBY, type: 'KeyError' },
      { stack: ['block in pay@app/models/cart.rb', 'pay@app/models/cart.rb'] },
      { stack: ['block (2 levels) in pay@app/models/cart.rb', 'pay@app/models/cart.rb'] },
    ),
  ],
  [
    'a deadlock between processes',
    {
      ...PYTHON,
      type: 'psycopg2.errors.DeadlockDetected',
      value:
        'deadlock detected\nDETAIL:  Process 1234 waits for ShareLock on transaction 5678; blocked by process 9.',
    },
    {
      ...PYTHON,
      type: 'psycopg2.errors.DeadlockDetected',
      value:
        'deadlock detected\nDETAIL:  Process 77 waits for ShareLock on transaction 91; blocked by process 4.',
    },
  ],
  [
    'Python’s objects',
    { ...PYTHON, type: 'TypeError', value: 'cannot pickle <Cart object at 0x7f8b1c0a2b38>' },
    { ...PYTHON, type: 'TypeError', value: 'cannot pickle <Cart object at 0x7f8b1c0fffff>' },
  ],
  [
    'Go’s index',
    { ...GO, type: 'runtime.boundsError', value: 'runtime error: index out of range [5] with length 3' },
    { ...GO, type: 'runtime.boundsError', value: 'runtime error: index out of range [9] with length 8' },
  ],
  [
    'a page that a browser translated',
    {
      type: 'NotFoundError',
      value: "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
    },
    { type: 'NotFoundError', value: 'The object can not be found here.' },
  ],
  [
    'a page that a browser translated, where a node was added',
    {
      type: 'NotFoundError',
      value:
        "Failed to execute 'insertBefore' on 'Node': The node before which the new node is to be inserted is not a child of this node.",
    },
    { type: 'NotFoundError', value: 'Node.insertBefore: Child to insert before is not a child of this node' },
  ],
]

describe('one failure is one issue', () => {
  for (const pair of ONE) it(pair[0], () => assertJoined(pair))
})
