import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aNotice } from '#testing/builders/notice.ts'
import { webhookBody } from './channels/webhook/webhook-body.ts'
import { restText } from './rules/notice-words.ts'

const none = { newIssues: 0, returnedIssues: 0, echoIssues: 0 }

describe('a summary', () => {
  it('says how many issues of which kind there were', () => {
    assert.equal(restText({ ...none, newIssues: 1 }), '1 more new issue')
    assert.equal(restText({ ...none, returnedIssues: 2 }), '2 more regressions')
    assert.equal(restText({ ...none, echoIssues: 30 }), '30 more browser copies of server failures')
    assert.equal(
      restText({ newIssues: 400, returnedIssues: 12, echoIssues: 30 }),
      '442 more issues: 400 new, 12 regressed, 30 browser copies of server failures',
    )
  })

  it('gives webhooks the same numbers', () => {
    const rest = { newIssues: 400, returnedIssues: 12, echoIssues: 30 }
    const notice = aNotice({ kind: 'summary', issue: null, rest })
    const { more } = JSON.parse(webhookBody(notice, { key: 'k', url: 'https://errata.example.com' }))
    assert.deepEqual(more, { new: 400, returned: 12, echoes: 30 })
  })
})
