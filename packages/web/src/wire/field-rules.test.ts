import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ruleText } from './field-rules.ts'

describe('a rule that a field breaks', () => {
  const email = { label: 'Email', type: 'email' }
  const count = { label: 'Events', type: 'number', min: '1', max: '90' }

  it('is said in a sentence', () => {
    assert.equal(ruleText({ ...email, validity: { valueMissing: true } }), 'Email is required.')
    const mistyped = ruleText({ ...email, validity: { typeMismatch: true } })
    assert.equal(mistyped, 'Enter an email such as name@example.com.')
    const url = ruleText({ label: 'Address', type: 'url', validity: { typeMismatch: true } })
    assert.equal(url, 'Enter a URL such as https://example.com.')
    const short = { label: 'Password', type: 'password', minLength: 10 }
    assert.equal(ruleText({ ...short, validity: { tooShort: true } }), 'At least 10 characters.')
    assert.equal(ruleText({ ...count, validity: { rangeUnderflow: true } }), 'At least 1.')
    assert.equal(ruleText({ ...count, validity: { rangeOverflow: true } }), 'At most 90.')
    assert.equal(ruleText({ ...count, validity: { stepMismatch: true } }), 'Enter a whole number.')
    assert.equal(ruleText({ ...count, validity: { patternMismatch: true } }), 'Events isn’t valid.')
  })

  it('is that it is missing before all else', () => {
    assert.equal(
      ruleText({ ...email, validity: { valueMissing: true, typeMismatch: true } }),
      'Email is required.',
    )
  })
})
