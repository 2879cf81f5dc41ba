/** Secrets whose name stands in another line, another record or another place of a list. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CANARY, scrubFields } from '#testing/builders/scrubbing.ts'

const APART: readonly (readonly string[])[] = [
  ['  password=', `    "${CANARY}",`, ')'],
  ['const settings = {', '  apiSecret:', `    '${CANARY}',`],
  ['  token = (', `    "${CANARY}"`, '  )'],
  ['  headers.put(', '    "X-Api-Key",', `    "${CANARY}"`],
  ['  key: process.env.API_KEY ||', `    '${CANARY}',`, ''],
  ['  :password =>', `    "${CANARY}",`, ''],
  ["child.expect('Password:')", `child.sendline('${CANARY}')`, ''],
  ['expect "*?assword:*"', `send -- "${CANARY}\\r"`, 'expect eof'],
]

test('a name that ends a line of source tells what the next one holds', () => {
  for (const [before = '', line = '', ...after] of APART) {
    for (const at of ['context', 'before'] as const) {
      const frame =
        at === 'context'
          ? { pre_context: [before], context_line: line, post_context: after }
          : { pre_context: [before, line], context_line: after[0] ?? '' }
      const stored = scrubFields({ stacktrace: { frames: [frame] } }).stacktrace?.frames[0]
      assert.ok(!JSON.stringify(stored).includes(CANARY), `${before}\n${line}`)
      assert.equal(stored?.pre_context?.[0], before)
    }
  }
})

const TOGETHER: readonly (readonly string[])[] = [
  ['const fields = [', '  "password",', '  "newPassword2",', '  "token",', ']'],
  ['  token:', '    "auth.login.title",', '  x'],
  ['  password:', '    "Enter your password",', '  x'],
  ['  label: "password",', '  hint: "8 letters or more",', '  x'],
  ['if (token ===', '  "bearer")', 'x'],
  ['child.expect("Continue?")', 'child.sendline("yes please")', 'x'],
]

test('lists of fields, titles and hints below a name stay', () => {
  for (const lines of TOGETHER) {
    const frame = {
      pre_context: lines.slice(0, 1),
      context_line: lines[1] ?? '',
      post_context: lines.slice(2),
    }
    assert.deepEqual(scrubFields({ stacktrace: { frames: [frame] } }).stacktrace?.frames[0], frame)
  }
})

const crumb = (message: string) => ({ type: 'default', level: 'info', message }) as const

test('a bound parameter is told by the statement in the record before it', () => {
  const values = [
    'insert into users (email, password, id) values (?, ?, ?)',
    'binding parameter (1:VARCHAR) <- [anna@example.com]',
    `binding parameter (2:VARCHAR) <- [${CANARY}]`,
    'binding parameter (3:BIGINT) <- [4211]',
    'select u.id from users u where u.name=? and u.reset_token=?',
    'binding parameter [1] as [VARCHAR] - [anna-2211]',
    `binding parameter [2] as [VARCHAR] - [${CANARY}]`,
  ]
  const stored = scrubFields({ breadcrumbs: { values: values.map(crumb) } }).breadcrumbs?.values
  assert.deepEqual(
    stored?.map(({ message }) => message),
    values.map((message) => message.replace(CANARY, '[Filtered]')),
  )
})

const LISTS: readonly (readonly string[])[] = [
  ['x-api-key', CANARY, 'x-tenant', '4'],
  ['host', 'x', 'authorization', `Bearer ${CANARY}`],
  ['GET', '/orders', 'x-auth-token', 'Zk3uQ9rT2mX7vB1n'],
]

test('the name of a header in a list tells its value, with capitals or without', () => {
  for (const list of LISTS) {
    const stored = scrubFields({ extra: { list } }).extra?.list
    assert.ok(Array.isArray(stored) && stored.includes('[Filtered]'), list.join(' '))
  }
  const words = ['user-token', 'token', 'api-key', 'session-token']
  assert.deepEqual(scrubFields({ extra: { words } }).extra?.words, words)
})

const DIALOGS = [
  `expect -c 'spawn ssh anna@x; expect "password:"; send "${CANARY}\\r"; interact'`,
  `spawn su -\nexpect "*?assword: "\nsend -- "${CANARY}\\r"\nexpect eof`,
  `expect { "yes/no" { send "yes\\r" } "password:" { send "${CANARY}\\r" } }`,
  `p.expect('Password: '); p.sendline('${CANARY}')`,
  'S: 334 UGFzc3dvcmQ6\nC: Y0FuNHJ5LTdmM2U=',
]

test('what answers a question for a password goes, and what answers another stays', () => {
  for (const message of DIALOGS) {
    const stored = scrubFields({ message }).message ?? ''
    assert.ok(!stored.includes(CANARY) && !stored.includes('Y0FuNHJ5LTdmM2U='), message)
    assert.match(stored, /(?:send(?:line)?(?: --)?[ (]["']|C: )\[Filtered\]/)
  }
  const other = 'expect "yes/no"; send "yes\\r"; expect "$ "; send "uptime 2\\r"'
  assert.equal(scrubFields({ message: other }).message, other)
})
