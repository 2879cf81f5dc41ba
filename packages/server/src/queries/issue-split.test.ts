import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseGroupingRules } from '#model/grouping-rules.ts'
import { splitRule } from './issue-split.ts'

it('the rule of a split names type and function, whatever stands in them, and leaves numbers open', () => {
  assert.equal(
    splitRule({ type: 'ApiError', function: 'reportError' }),
    'error.type:"ApiError" stack.function:"reportError" -> {{ default }}, {{ message }}',
  )
  const NAMES = [
    '(*Srv).fail.func12',
    'a "b" \\ c',
    'x -> y # z',
    'Repo`1[[Shop.Order, Shop]]',
    'a\nb',
    'f1'.repeat(300),
    '*'.repeat(50),
    '🛒',
  ]
  for (const name of NAMES) {
    const rule = splitRule({ type: name, function: name })
    const { rules, problems } = parseGroupingRules(rule ?? '')
    assert.deepEqual(problems, [], rule ?? '')
    assert.equal(rules[0]?.text, rule)
    assert.equal(rules[0]?.matchers.length, 2)
    assert.deepEqual(rules[0]?.fingerprint, ['{{ default }}', '{{ message }}'])
  }
})

it('messages, and errors without a function, have none', () => {
  assert.equal(splitRule({ type: 'Message', function: 'log' }), null)
  assert.equal(splitRule({ type: 'ApiError', function: null }), null)
})
