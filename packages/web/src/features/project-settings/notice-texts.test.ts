import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deliveryText, heldBackText, restText } from './notice-texts.ts'

const NOW = 1_800_000_000_000
const at = { nowMs: NOW, triesMax: 10 }
const group = {
  channel: 'webhook',
  state: 'waiting',
  count: 1,
  tries: 2,
  says: 'Answered 503.',
  nextMs: NOW + 60_000,
  settledMs: null,
  receivers: [],
} as const

describe('deliveries in words', () => {
  it('says what a try came to and when the next is', () => {
    assert.equal(deliveryText(group, at), 'webhook, try 2 of 10 failed: Answered 503. Next try in 1 min.')
    assert.equal(
      deliveryText({ ...group, nextMs: NOW }, at),
      'webhook, try 2 of 10 failed: Answered 503. Next try now.',
    )
    assert.equal(deliveryText({ ...group, tries: 0, says: null }, at), 'webhook waiting')
  })

  it('counts emails, and says how a webhook answered', () => {
    const mail = { ...group, channel: 'mail', state: 'sent', count: 12 } as const
    const failed = { ...mail, state: 'failed', tries: 1, says: 'No such person.' } as const
    assert.equal(
      deliveryText({ ...failed, receivers: ['ada@example.com', 'bo@example.com'] }, at),
      '12 emails failed after 1 try: No such person. To ada@example.com, bo@example.com and 10 more.',
    )
    assert.equal(deliveryText(failed, at), '12 emails failed after 1 try: No such person.')
    assert.equal(deliveryText(mail, at), '12 emails sent')
    assert.equal(deliveryText({ ...mail, state: 'sending', count: 1 }, at), '1 email sending')
    assert.equal(
      deliveryText({ ...group, state: 'sent', says: 'Answered 204.' }, at),
      'webhook called: Answered 204.',
    )
    assert.equal(
      deliveryText({ ...group, state: 'failed', tries: 1, says: 'Answered 404.' }, at),
      'webhook failed after 1 try: Answered 404.',
    )
    assert.equal(
      deliveryText({ ...group, state: 'cancelled', says: 'The webhook was removed.' }, at),
      'webhook cancelled: The webhook was removed.',
    )
  })
})

describe('what was not told one by one', () => {
  it('names each reason once', () => {
    assert.equal(
      heldBackText({ quiet: 0, mirror: 0, summarised: 0, dropped: 0 }),
      'Nothing held back in 24 h',
    )
    assert.equal(
      heldBackText({ quiet: 1, mirror: 2, summarised: 412, dropped: 3 }),
      'Held back in 24 h: 1 regression of issues alerted recently, 2 browser copies, 412 issues in summaries, 3 changes dropped because too many were waiting',
    )
  })

  it('leaves out of a summary what there is none of', () => {
    assert.equal(restText({ newIssues: 412, returnedIssues: 0, echoIssues: 0 }), '412 more new issues')
    assert.equal(
      restText({ newIssues: 1, returnedIssues: 2, echoIssues: 30 }),
      '1 more new issue, 2 more regressions, 30 more browser copies',
    )
  })
})
