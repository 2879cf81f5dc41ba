import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anIssueRule } from '#testing/builders/alert-rule.ts'
import { alertWords } from './alert-words.ts'
import { sampleOfRule } from './sample-alert.ts'

describe('the sample message of an alert rule', () => {
  it('leads to the rule once it is saved', () => {
    const organisation = { slug: 'acme', name: 'Acme' }
    const sample = sampleOfRule(anIssueRule({ on: 'new' }), { organisation, atMs: 0, ruleId: 7 })
    const { links } = alertWords(sample, 'https://errata.example')
    assert.ok(links.some(({ url }) => url === 'https://errata.example/acme/alerts/rules/7'))
  })
})
