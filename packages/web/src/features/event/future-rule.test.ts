import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Issue } from '#parts/issue-types.ts'
import { futureRule } from './future-rule.ts'

// Of an issue, the rule looks at these alone.
const issue = (change: Partial<Issue>) =>
  ({ type: 'Error', value: '', title: '', function: null, shortId: 'SHOP-7', ...change }) as Issue // as above

it('a rule for future events names type, function and message, ids left open', () => {
  assert.equal(
    futureRule(issue({ type: 'PayError', value: 'order 4711 of "Rosa" failed', function: 'pay' })),
    'error.type:"PayError" stack.function:"pay" message:"order * of \\"Rosa\\" failed" -> "from-shop-7"',
  )
  assert.equal(futureRule(issue({ type: 'Message', title: 'Hi' })), 'message:"Hi" -> "from-shop-7"')
  const many = futureRule(issue({ value: Array.from({ length: 30 }, (_, n) => `a ${n}`).join(' ') }))
  assert.ok(many.split('*').length <= 9, many)
  assert.match(futureRule(issue({ value: 'first\nsecond' })), /message:"first\*" ->/)
  assert.match(futureRule(issue({ value: 'x'.repeat(500) })), /x\*" ->/)
})
