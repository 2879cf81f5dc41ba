/** Secrets without a name beside them, and names without a sign behind them: seeds, lines of settings, packed bytes, cut texts. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { DEFAULTS } from '#testing/builders/scrubbing.ts'
import { createScrubber, scrubEvent } from './scrub.ts'

const SCRUBBER = createScrubber(DEFAULTS)
const FILTERED = '[Filtered]'

/** A text as an extra of an event, after it was scrubbed. */
function scrubbed(note: string): unknown {
  const event = { ...aScrubbedEvent({}), extra: { note } }
  return scrubEvent(event, SCRUBBER, { clientAddress: null }).extra?.note
}

describe('secrets that no name tells', () => {
  const seed = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

  it('are twelve words in a row that wallets draw, and no other words', () => {
    assert.equal(scrubbed(seed), FILTERED)
    assert.equal(scrubbed(`restored: ${seed}!`), `restored: ${FILTERED}!`)
    const others = 'several small words in a row that nobody would call any kind of seed at all here'
    assert.equal(scrubbed(others), others)
    const eleven = seed.replace(' yellow', '')
    assert.equal(scrubbed(eleven), eleven)
  })

  it('are the parameters of a statement that the message of their event is', () => {
    const { extra } = scrubEvent(
      {
        ...aScrubbedEvent({}),
        message: 'INSERT INTO users (name, password) VALUES (?, ?)',
        extra: { bindings: ['bob', 'hazel'] },
      },
      SCRUBBER,
      { clientAddress: null },
    )
    assert.deepEqual(extra, { bindings: ['bob', FILTERED] })
  })
})

describe('names without a sign', () => {
  const rows: readonly (readonly [text: string, expected: string])[] = [
    ['SmtpHost m\nSmtpPassword hunter2\nSmtpPort 25', `SmtpHost m\nSmtpPassword ${FILTERED}\nSmtpPort 25`],
    ['ServerPassword "moby dick"', `ServerPassword "${FILTERED}"`],
    ['UserPassword mismatch', 'UserPassword mismatch'],
    ['ResetPassword failed', 'ResetPassword failed'],
    ['ApiToken expired', 'ApiToken expired'],
    ['jenkins initialAdminPassword 0a1b2c3d4e5f60718293', `jenkins initialAdminPassword ${FILTERED}`],
    ['setting MYSQL_ROOT_PASSWORD to apricot', `setting MYSQL_ROOT_PASSWORD to ${FILTERED}`],
    ['set API_KEY to enable maps', 'set API_KEY to enable maps'],
  ]
  for (const [text, expected] of rows)
    it(`${JSON.stringify(text)} is ${expected === text ? 'left' : 'scrubbed'}`, () =>
      assert.equal(scrubbed(text), expected))
})

describe('values that end where they end', () => {
  const rows: readonly (readonly [text: string, expected: string])[] = [
    ['Server=db;Password=Chess Knight;Encrypt=true', `Server=db;Password=${FILTERED};Encrypt=true`],
    ['Driver=x;UID=sa;PWD=Queen Anne', `Driver=x;UID=sa;PWD=${FILTERED}`],
    ['Driver=x;UID=sa;PWD=queen failed', `Driver=x;UID=sa;PWD=${FILTERED} failed`],
    ['ssword":"willow","user":"bob"}', `ssword":"${FILTERED}","user":"bob"}`],
    ['word":"hello","user":"bob"}', 'word":"hello","user":"bob"}'],
    [
      '\u0082\u00a4user\u00a3bob\u00a8password\u00a6willow',
      `\u0082\u00a4user\u00a3bob\u00a8password\u00a6${FILTERED}`,
    ],
    ['\ufffduser\ufffdbob\ufffdpassword\ufffdwillow', `\ufffduser\ufffdbob\ufffdpassword\ufffd${FILTERED}`],
    [Buffer.from('user=a&password=willow').toString('base64'), FILTERED],
    [
      Buffer.from('user=a&city=Bonn&zip=53111').toString('base64'),
      Buffer.from('user=a&city=Bonn&zip=53111').toString('base64'),
    ],
  ]
  for (const [text, expected] of rows)
    it(`${JSON.stringify(text)} is ${expected === text ? 'left' : 'scrubbed'}`, () =>
      assert.equal(scrubbed(text), expected))
})
