/** Pairs after public reports, of which people say that they are two failures. */
import { describe, it } from 'node:test'
import { varied } from '#testing/builders/failure.ts'
import { assertParted, FAILURES, type FailurePair } from '#testing/failure-pairs.ts'

const { INLINE, NULL_READ, NODE, PYTHON, JAVA, GO, PHP, RUBY } = FAILURES

const TWO: readonly FailurePair[] = [
  [
    'two inline scripts that fail otherwise',
    { ...INLINE, stack: ['init@https://shop.test/a.html:12'] },
    { ...NULL_READ, stack: ['init@https://shop.test/a.html:12'] },
  ],
  [
    'two inline scripts with the same function, which say otherwise',
    ...varied(
      { type: 'ReferenceError', stack: ['init@https://shop.test/a.html:12'] },
      { value: 'gtag is not defined' },
      { value: 'fbq is not defined' },
    ),
  ],
  [
    'two inline scripts without functions, at two places',
    ...varied(
      NULL_READ,
      { stack: ['@https://shop.test/a.html:12'] },
      { stack: ['@https://shop.test/a.html:340'] },
    ),
  ],
  [
    'an inline script and a file',
    ...varied(
      INLINE,
      { stack: ['track@https://shop.test/a.html:12'] },
      { stack: ['track@https://shop.test/js/track.js:12'] },
    ),
  ],
  [
    'two scripts that PHP puts together',
    ...varied(
      { value: 'x' },
      { stack: ['run@https://shop.test/load-scripts.php'] },
      { stack: ['run@https://shop.test/other-scripts.php'] },
    ),
  ],
  [
    'two hosts that do not answer',
    { type: 'TypeError', value: 'Failed to fetch (api.shop.test)' },
    { type: 'TypeError', value: 'Failed to fetch (pay.shop.test)' },
  ],
  [
    'two modules that are gone',
    {
      type: 'TypeError',
      value: 'Failed to fetch dynamically imported module: https://shop.test/assets/Cart-DbQ2xY9p.js',
    },
    {
      type: 'TypeError',
      value: 'Failed to fetch dynamically imported module: https://shop.test/assets/Login-DbQ2xY9p.js',
    },
  ],
  ...['set', 'mag', 'gen', 'ago', 'may', 'mar', 'lis', 'dec', 'sep', 'oct'].map(
    (word): FailurePair => [
      `counts before “out” and before “${word}”, which are months elsewhere`,
      { value: 'processed 10 out 2048 rows' },
      { value: `processed 10 ${word} 2048 rows` },
    ],
  ),
  [
    'scripts with an address without an extension, whose functions differ',
    ...varied(
      { value: 'x' },
      { stack: ['mount@https://js.stripe.com/v3:1'] },
      { stack: ['confirm@https://js.stripe.com/v3:1'] },
    ),
  ],
  [
    'two statuses',
    { value: 'Request failed with status code 404' },
    { value: 'Request failed with status code 502' },
  ],
  [
    'two ports of one host',
    { ...NODE, value: 'connect ECONNREFUSED 10.0.0.12:5432' },
    { ...NODE, value: 'connect ECONNREFUSED 10.0.0.12:6379' },
  ],
  [
    'two properties',
    { type: 'TypeError', value: "Cannot read properties of undefined (reading 'total')" },
    { type: 'TypeError', value: "Cannot read properties of undefined (reading 'items')" },
  ],
  [
    'two causes under one wrapper',
    {
      ...JAVA,
      type: 'jakarta.servlet.ServletException',
      value: 'Request processing failed',
      causes: [{ type: 'shop.NoOrder', value: 'x' }],
    },
    {
      ...JAVA,
      type: 'jakarta.servlet.ServletException',
      value: 'Request processing failed',
      causes: [{ type: 'shop.NoStock', value: 'x' }],
    },
  ],
  [
    'two chains with one root, by their functions',
    {
      ...PYTHON,
      type: 'ValueError',
      stack: ['pay@shop/pay.py'],
      causes: [{ type: 'KeyError', value: "'id'", stack: ['read@shop/pay.py'] }],
    },
    {
      ...PYTHON,
      type: 'ValueError',
      stack: ['ship@shop/ship.py'],
      causes: [{ type: 'KeyError', value: "'id'", stack: ['read@shop/ship.py'] }],
    },
  ],
  [
    'two tables',
    {
      ...PHP,
      type: 'PDOException',
      value: "SQLSTATE[42S02]: Base table or view not found: 1146 Table 'shop.carts' doesn't exist",
    },
    {
      ...PHP,
      type: 'PDOException',
      value: "SQLSTATE[42S02]: Base table or view not found: 1146 Table 'shop.users' doesn't exist",
    },
  ],
  [
    'two constraints',
    {
      ...RUBY,
      type: 'PG::UniqueViolation',
      value: 'ERROR:  duplicate key value violates unique constraint "users_email_key"',
    },
    {
      ...RUBY,
      type: 'PG::UniqueViolation',
      value: 'ERROR:  duplicate key value violates unique constraint "carts_pkey"',
    },
  ],
  [
    'two keys of a dict',
    { ...PYTHON, type: 'KeyError', value: "'price'" },
    { ...PYTHON, type: 'KeyError', value: "'stock'" },
  ],
  [
    'two modules that Node does not find',
    { ...NODE, value: "Cannot find module 'sharp'" },
    { ...NODE, value: "Cannot find module 'canvas'" },
  ],
  [
    'two reasons of Go',
    { ...GO, type: '*errors.errorString', value: 'context deadline exceeded' },
    { ...GO, type: '*errors.errorString', value: 'unexpected EOF' },
  ],
  [
    'two routes of a built app',
    ...varied(
      { value: 'x' },
      { stack: ['page@app:///_next/static/chunks/app/cart/page-3f2a9c1b.js'] },
      { stack: ['page@app:///_next/static/chunks/app/login/page-3f2a9c1b.js'] },
    ),
  ],
  [
    'two minified functions that say otherwise',
    ...varied(
      { type: 'TypeError', stack: ['t@https://shop.test/main.3f2a9c1b.js:1'] },
      { value: "Cannot read properties of undefined (reading 'total')" },
      { value: 'e.map is not a function' },
    ),
  ],
  [
    'two React errors',
    { value: 'Minified React error #418; visit https://react.dev/errors/418' },
    { value: 'Minified React error #423; visit https://react.dev/errors/423' },
  ],
  ['a month that is a name', { value: 'no user 3 de Mayo' }, { value: 'no user 3 de Abril' }],
  [
    'two fields that are required',
    {
      ...JAVA,
      type: 'java.lang.NullPointerException',
      value: 'Cannot invoke "shop.Cart.total()" because "cart" is null',
    },
    {
      ...JAVA,
      type: 'java.lang.NullPointerException',
      value: 'Cannot invoke "shop.User.name()" because "user" is null',
    },
  ],
]

describe('two failures are two issues', () => {
  for (const pair of TWO) it(pair[0], () => assertParted(pair))
})
