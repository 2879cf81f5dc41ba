/** Formats of services: what is sent is what each says it takes, whatever people and events called things. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as v from 'valibot'
import type { AlertMessage } from '#model/alert-message.ts'
import type { ChannelKind, ChannelValues } from '#ports/channels.ts'
import { anAlert, anAlertIssue } from '#testing/builders/alert-message.ts'
import { NOW } from '#testing/builders/times.ts'
import { ERRATA_URL, KEY } from '#testing/notices/receivers.ts'
import { cardFaults, SERVICE_FORMATS } from '#testing/notices/service-formats.ts'
import { alertWords } from '../../alert-words.ts'
import { CHANNEL_TYPES } from './kinds.ts'

/** Each makes something of the services' markup, of JSON, or of what is cut. */
const HOSTILE: Readonly<Record<string, string>> = {
  marks: '<!channel> @everyone [x](http://evil.example) `*_~ <b>hi</b> | & "quote" ]] <users/all>',
  ampersands: '&'.repeat(5_000),
  'marks without end': '*_`~|<>['.repeat(1_000),
  quotes: '"\\'.repeat(3_000),
  'characters of two units': '🙂'.repeat(5_000),
  'a half character': `${'x'.repeat(300)}\ud83d`,
  'characters of three bytes': '漢'.repeat(5_000),
  controls: '\u0000\u0007\u202e\n\r\u2028',
  nothing: '   ',
  plain: 'TypeError: total is undefined',
}

function messagesOf(text: string): readonly AlertMessage[] {
  const issue = anAlertIssue({
    ...{ title: text, function: text, place: text, culprit: text, route: text, environment: text },
    ...{ release: text, firstRelease: `${text}1`, assignee: text, suspect: text },
  })
  const rule = { id: 1, name: text }
  const gathered = { headlines: Array.from({ length: 10 }, () => text), total: 4_120 }
  const metric = {
    ...{ name: text, value: text, condition: text, detail: text },
    mostly: { shortId: 'SHOP-12', title: text },
  }
  const base = anAlert({ rule, headline: text, because: text })
  return [
    { ...base, issue },
    { ...base, issue, gathered },
    { ...base, metric, level: 'critical' },
    { ...base, metric, level: 'ok', moment: 'resolved' },
    { ...base, gathered, moment: 'storm', project: null },
    { ...base, rule: null, project: null, moment: 'test' },
  ]
}

function valuesFor(kind: ChannelKind): ChannelValues {
  const fields = CHANNEL_TYPES[kind].fields
  return Object.fromEntries(fields.map(({ name, check }) => [name, check === 'url' ? ERRATA_URL : '12345']))
}

function bodyOf(kind: ChannelKind, message: AlertMessage): unknown {
  const call = CHANNEL_TYPES[kind].call({
    ...{
      message,
      words: alertWords(message, ERRATA_URL),
      values: valuesFor(kind),
      url: ERRATA_URL,
      key: KEY,
    },
    ...{ thread: null, channelId: 3, nowMs: NOW },
  })
  assert.ok(call !== null)
  return JSON.parse(JSON.stringify(call.body))
}

describe('formats of services', () => {
  for (const kind of Object.keys(SERVICE_FORMATS) as (keyof typeof SERVICE_FORMATS)[]) // its own keys
    it(`${kind} takes what is sent, with hostile and long texts too`, () => {
      for (const [name, text] of Object.entries(HOSTILE))
        for (const message of messagesOf(text)) {
          const read = v.safeParse(SERVICE_FORMATS[kind], bodyOf(kind, message))
          const faults = read.issues?.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`)
          assert.equal(faults, undefined, `${name}, ${message.moment}: ${faults?.join('; ')}`)
        }
    })

  it('are asked of a reader that finds faults', () => {
    const card = { type: 'AdaptiveCard', version: '1.5', body: [{ type: 'TextBlok', text: 'x' }] }
    assert.equal(cardFaults(card).length, 1)
    const alone = { content: 'hello', embeds: [] }
    assert.equal(v.is(SERVICE_FORMATS.discord, alone), false)
  })

  it('has text in Slack that names nobody and links nowhere by itself', () => {
    const [message] = messagesOf(HOSTILE.marks ?? '')
    assert.ok(message)
    const sent = JSON.stringify(bodyOf('slack', message))
    assert.doesNotMatch(sent, /<!channel>|<users/)
    const verbatim = sent.match(/"type":"mrkdwn"/g)?.length
    assert.equal(sent.match(/"verbatim":true/g)?.length, verbatim)
  })
})
