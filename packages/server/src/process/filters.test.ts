import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { FilterOptions } from '#ports/projects.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import {
  anEnvelope,
  blocksOf,
  envelopeOf,
  eventsOf,
  outcomesOf,
  processRecords,
} from '#testing/builders/records.ts'

const filters = (change: Partial<FilterOptions>) => ({
  filters: { ...PROJECT_OPTIONS_DEFAULT.filters, ...change },
})

/** A browser's event as `@sentry/nextjs` sent it from a page of 127.0.0.1. */
const CAPTURED = new URL('../../../../tests/fixtures/captured/next11-07.json', import.meta.url)
const { envelope } = JSON.parse(readFileSync(CAPTURED, 'utf8')) as { envelope: string } // a capture

describe('a filtered event', () => {
  it('is an outcome with the rule’s name and is not stored', () => {
    const batch = processRecords([anEnvelope(envelope)], filters({ localhost: true }))
    assert.deepEqual([eventsOf(batch).length, blocksOf(batch).length], [0, 0])
    assert.deepEqual(outcomesOf(batch), ['filtered localhost error 1'])
    assert.equal(batch.outcomes[0]?.example, 'a page of a loopback address')
  })

  it('is stored when the project wants it', () => {
    const batch = processRecords([anEnvelope(envelope)], filters({ crawlers: true, browserExtensions: true }))
    assert.deepEqual([eventsOf(batch).length, outcomesOf(batch).length], [1, 0])
  })

  it('harms no neighbour, and each rule is counted apart', () => {
    const send = (event: object, clientAddress = '203.0.113.9') =>
      anEnvelope(envelopeOf(['event', event]), { clientAddress })
    const batch = processRecords(
      [
        send({ message: 'kept' }),
        send({ message: 'noise 1' }),
        send({ message: 'noise 2' }),
        send({ message: 'x', release: 'shop@0.9' }),
        send({ message: 'y' }, '10.1.2.3'),
      ],
      filters({ messages: ['noise*'], releases: ['shop@0.*'], addresses: ['10.0.0.0/8'] }),
    )
    assert.equal(eventsOf(batch).length, 1)
    assert.deepEqual(outcomesOf(batch).sort(), [
      'filtered error-message error 2',
      'filtered ip-address error 1',
      'filtered release-version error 1',
    ])
  })

  it('meets the sender’s user agent as the request said it', () => {
    const event = { platform: 'javascript', message: 'hi' }
    const userAgent = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
    const record = anEnvelope(envelopeOf(['event', event]), { userAgent })
    assert.deepEqual(outcomesOf(processRecords([record], filters({ crawlers: true }))), [
      'filtered web-crawlers error 1',
    ])
  })
})

describe('a project’s period', () => {
  it('is kept in the smallest class of files that holds it', () => {
    const record = anEnvelope(envelopeOf(['event', { message: 'hi' }]))
    const classOf = (retentionDays: number) =>
      eventsOf(processRecords([record], { retentionDays }))[0]?.row.retentionDays
    assert.deepEqual([1, 30, 31, 90, 91, 365].map(classOf), [30, 30, 90, 90, 365, 365])
  })
})
