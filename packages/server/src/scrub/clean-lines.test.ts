/** Lines of source that event after event holds: looked at once, whatever stands around them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NormalizedEvent } from '#model/event.ts'
import { SharedParts } from '#model/shared-parts.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { CANARY, DEFAULTS } from '#testing/builders/scrubbing.ts'
import { createScrubber, scrubEvent } from './scrub.ts'

const LINES = [
  'const total = await load(order.sum)',
  `const password = "${CANARY}"`,
  '// the password is hunter2-hunter2',
  'const server = "203.0.113.9"',
  'const encoded = "203.0.113%2E9"',
  `const token = "${CANARY}"`,
  '-----BEGIN PRIVATE KEY-----',
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
  '-----END PRIVATE KEY-----',
  'const theme = "dark-mode-of-the-shop"',
]

const eventOf = (lines: readonly string[], address: string | null): NormalizedEvent => ({
  ...aScrubbedEvent({
    platform: 'javascript',
    ...(address === null ? {} : { user: { ip_address: address } }),
  }),
  stacktrace: {
    frames: lines.map((line, at) => ({
      filename: 'a.ts',
      lineno: at + 1,
      pre_context: [line],
      context_line: line,
    })),
  },
})

describe('a line that was seen before', () => {
  it('comes out as it does when nobody remembers anything', () => {
    const shared = new SharedParts()
    const scrubbers = [
      createScrubber({ ...DEFAULTS, clientAddress: 'drop' }),
      createScrubber({ ...DEFAULTS, extraKeys: ['theme'] }),
      createScrubber({ ...DEFAULTS, allowedKeys: ['password'] }),
    ]
    for (let round = 0; round < 3; round++) {
      for (const scrubber of scrubbers) {
        for (const address of [null, '203.0.113.9']) {
          const event = eventOf(LINES, address)
          const remembered = scrubEvent(event, scrubber, { clientAddress: null, shared })
          assert.deepEqual(remembered, scrubEvent(event, scrubber, { clientAddress: null }))
        }
      }
    }
  })

  it('is not paid for again', () => {
    const [shared, scrubber] = [new SharedParts(), createScrubber(DEFAULTS)]
    const event = eventOf(['const total = await load(order.sum)'], null)
    scrubEvent(event, scrubber, { clientAddress: null, shared })
    assert.equal(shared.lines.of('const total = await load(order.sum)').cleanFor, scrubber.keys)
    assert.equal(shared.lines.of(`const password = "${CANARY}"`).cleanFor, null)
  })
})
