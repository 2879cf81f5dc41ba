/** Each channel speaks to a receiver on loopback, as the service documents its format. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { isObject } from '#base/json.ts'
import { PublicAddress } from '#base/public-address.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import type { ChannelKind, ChannelValues } from '#ports/channels.ts'
import { CHANNEL_KINDS } from '#ports/channels.ts'
import { anAlert, anAlertIssue } from '#testing/builders/alert-message.ts'
import { NOW } from '#testing/builders/times.ts'
import { ERRATA_URL, type Hook, KEY, openHook, openPost } from '#testing/notices/receivers.ts'
import { createSendWays } from '../../deliver.ts'
import { createSendMessage } from '../../send-message.ts'
import { CHANNEL_TYPES } from './kinds.ts'

const signal = new AbortController().signal
const open: { close(): Promise<void> }[] = []
after(() => Promise.all(open.map((one) => one.close())))

/** Hostile in every service's markup at once. */
const HOSTILE = '<!channel> @everyone [x](http://evil.example) `*_~ <b>hi</b> | & "quote" ]]'
const ISSUE = anAlert({ issue: anAlertIssue(), story: 'issue-12' })
const METRIC = anAlert({
  level: 'critical',
  headline: 'Checkout action fails: 15.0 %, critical',
  because: 'failure rate of /checkout action over 10 % for 5 min',
  metric: {
    ...{ name: 'failure rate of /checkout action', value: '15.0 %', condition: 'over 10 % for 5 min' },
    detail: '842 of 5,611 requests failed',
    mostly: { shortId: 'SHOP-12', title: 'OutOfStockError' },
    action: 'placeOrder, 612 of 842 failed',
  },
})

async function hookAnswering(status: number, body: unknown = {}, headers = {}): Promise<Hook> {
  const hook = await openHook((_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body)),
  )
  open.push(hook)
  return hook
}

function sender(smtp: Parameters<typeof createSendWays>[0]['smtp'] = null) {
  const publicAddress = new PublicAddress({ url: ERRATA_URL, port: 0 })
  const parts = { smtp, privateTargets: true, publicAddress, version: '1.2.3', clock: manualClock(NOW) }
  return createSendMessage({ ...parts, ...createSendWays(parts) })
}

interface Said {
  readonly kind: ChannelKind
  readonly values: ChannelValues
  readonly message?: AlertMessage
  readonly thread?: string
}

const say = ({ kind, values, message = ISSUE, thread }: Said) =>
  sender()({
    to: { to: 'channel', channel: { id: 3, kind, name: 'x', values }, thread: thread ?? null },
    ...{ key: KEY, tries: 1, message, signal },
  })

/** Returns what the receiver was sent, parsed. */
function bodyOf(hook: Hook): Record<string, unknown> {
  const body: unknown = JSON.parse(hook.calls.at(-1)?.body ?? 'null')
  assert.ok(isObject(body))
  return { ...body }
}

/** Every text of a body, however deep. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return isObject(value) ? Object.values(value).flatMap(textsOf) : []
}

/** The values that make a kind call this address, whatever it asks for beside. */
function valuesFor(kind: ChannelKind, base: string): ChannelValues {
  const values = Object.fromEntries(
    CHANNEL_TYPES[kind].fields.map(({ name, check }) => [name, check === 'url' ? base : '12345']),
  )
  return kind === 'webhook' ? { ...values, template: '' } : values
}

describe('channels', () => {
  for (const kind of CHANNEL_KINDS.filter((one) => one !== 'email')) {
    it(`tells ${kind} of an issue, a metric, a storm and an end, in JSON with a link`, async () => {
      const hook = await hookAnswering(200, { ok: true, ts: '1.2', result: { message_id: 7 } })
      const storm = anAlert({ moment: 'storm', gathered: { headlines: ['one', 'two'], total: 412 } })
      const ended: AlertMessage = { ...METRIC, moment: 'resolved', level: 'ok' }
      for (const message of [ISSUE, METRIC, storm, ended]) {
        const { attempt } = await say({ kind, values: valuesFor(kind, hook.url('')), message })
        assert.equal(attempt.outcome, 'sent', attempt.says)
      }
      assert.equal(hook.calls.length, 4)
      const [first] = hook.calls
      assert.match(String(first?.headers['content-type']), /^application\/json/)
      assert.ok(first?.body.includes(`${ERRATA_URL}/acme/issues/SHOP-12`))
    })

    it(`says why ${kind} refused, and tries again when it is busy`, async () => {
      const refusing = await hookAnswering(404, 'no_such_thing')
      const { attempt: refused } = await say({ kind, values: valuesFor(kind, refusing.url('')) })
      assert.equal(refused.outcome, 'refused')
      const busy = await hookAnswering(429, '{}', { 'retry-after': '30' })
      const { attempt } = await say({ kind, values: valuesFor(kind, busy.url('')) })
      assert.deepEqual(
        [attempt.outcome, 'retryAfterMs' in attempt && attempt.retryAfterMs],
        ['failed', 30_000],
      )
    })
  }

  it('puts hostile text into no service’s markup', async () => {
    const hook = await hookAnswering(200, { ok: true, ts: '1.2' })
    const issue = anAlertIssue({ title: HOSTILE, function: HOSTILE, route: HOSTILE, environment: HOSTILE })
    const message = anAlert({ issue, headline: HOSTILE })
    const sent = async (kind: ChannelKind) => {
      await say({ kind, values: valuesFor(kind, hook.url('')), message })
      return textsOf(bodyOf(hook))
    }
    for (const kind of ['slack', 'slack-bot'] as const)
      for (const text of await sent(kind)) assert.doesNotMatch(text, /<!channel>/)
    for (const kind of ['discord', 'mattermost'] as const) {
      const texts = await sent(kind)
      // Footers and fallbacks are plain text.
      for (const text of texts.filter((one) => one.includes('\\[')))
        assert.doesNotMatch(text, /@everyone|(?<!\\)\[x\]/)
    }
    for (const kind of ['telegram', 'google-chat'] as const)
      for (const text of (await sent(kind)).filter((one) => one.includes('&lt;')))
        assert.doesNotMatch(text, /<b>hi/)
  })

  it('keeps every text within what the services take', async () => {
    const hook = await hookAnswering(200, { ok: true, ts: '1.2' })
    const long = 'x'.repeat(20_000)
    const issue = anAlertIssue({ title: long, function: long, place: long, route: long, release: long })
    const headlines = Array.from({ length: 10 }, () => long)
    const message = anAlert({ issue, headline: long, gathered: { headlines, total: 10 } })
    for (const kind of CHANNEL_KINDS.filter((one) => one !== 'email' && one !== 'webhook')) {
      await say({ kind, values: valuesFor(kind, hook.url('')), message })
      for (const text of textsOf(bodyOf(hook))) assert.ok(text.length <= 4_096 || kind === 'opsgenie', kind)
    }
  })
})

describe('Slack', () => {
  it('answers in the thread of the story, and says what Slack calls the first', async () => {
    const hook = await hookAnswering(200, { ok: true, ts: '1700000000.000100' })
    const values = { token: 'xoxb-1', signingSecret: 's', channel: 'C024BE91L', server: hook.url('/api') }
    const { thread } = await say({ kind: 'slack-bot', values })
    assert.equal(thread, '1700000000.000100')
    assert.deepEqual(
      [hook.calls[0]?.url, hook.calls[0]?.headers.authorization],
      ['/api/chat.postMessage', 'Bearer xoxb-1'],
    )
    assert.equal(bodyOf(hook).thread_ts, undefined)
    await say({ kind: 'slack-bot', values, thread: '1700000000.000100' })
    assert.equal(bodyOf(hook).thread_ts, '1700000000.000100')
    assert.ok(hook.calls[1]?.body.includes('"action_id":"resolve"'))
  })

  it('is refused with 200 and a reason', async () => {
    const values = (server: string) => ({ token: 'x', signingSecret: 's', channel: 'C024BE91L', server })
    const gone = await hookAnswering(200, { ok: false, error: 'channel_not_found' })
    const { attempt } = await say({ kind: 'slack-bot', values: values(gone.url('')) })
    assert.deepEqual(attempt, { outcome: 'refused', says: 'Slack refused it: channel_not_found.' })
    const busy = await hookAnswering(200, { ok: false, error: 'ratelimited' })
    const again = await say({ kind: 'slack-bot', values: values(busy.url('')) })
    assert.equal(again.attempt.outcome, 'failed')
  })
})

describe('pagers', () => {
  it('resolve in PagerDuty what they triggered', async () => {
    const hook = await hookAnswering(202, { status: 'success' })
    const values = { routingKey: 'r'.repeat(32), server: hook.url('') }
    await say({ kind: 'pagerduty', values, message: METRIC })
    const triggered = bodyOf(hook)
    await say({ kind: 'pagerduty', values, message: { ...METRIC, moment: 'resolved', level: 'ok' } })
    const resolved = bodyOf(hook)
    assert.deepEqual([triggered.event_action, resolved.event_action], ['trigger', 'resolve'])
    assert.equal(triggered.dedup_key, resolved.dedup_key)
    assert.ok(isObject(triggered.payload))
    const { summary, severity, source, timestamp } = triggered.payload
    assert.deepEqual([summary, severity, source], [METRIC.headline, 'critical', 'errata.example.com'])
    assert.equal(timestamp, new Date(NOW).toISOString())
  })

  it('close in Opsgenie by the alias of what they created', async () => {
    const hook = await hookAnswering(202, { result: 'Request will be processed' })
    const values = { key: 'k', server: hook.url('') }
    await say({ kind: 'opsgenie', values, message: METRIC })
    const { alias, priority } = bodyOf(hook)
    assert.equal(priority, 'P1')
    await say({ kind: 'opsgenie', values, message: { ...METRIC, moment: 'resolved', level: 'ok' } })
    assert.equal(hook.calls[1]?.url, `/v2/alerts/${alias}/close?identifierType=alias`)
    assert.equal(hook.calls[1]?.headers.authorization, 'GenieKey k')
  })
})

describe('Teams', () => {
  it('takes an adaptive card whose hostile texts are no Markdown', async () => {
    const hook = await hookAnswering(202)
    await say({ kind: 'teams', values: { url: hook.url() } })
    const { type, attachments } = bodyOf(hook)
    assert.equal(type, 'message')
    assert.ok(Array.isArray(attachments) && isObject(attachments[0]) && isObject(attachments[0].content))
    const { content, contentType } = attachments[0]
    assert.equal(contentType, 'application/vnd.microsoft.card.adaptive')
    assert.ok(isObject(content))
    assert.deepEqual([content.type, content.version], ['AdaptiveCard', '1.5'])
  })
})

describe('Telegram', () => {
  it('answers the first message of the story', async () => {
    const hook = await hookAnswering(200, { ok: true, result: { message_id: 42 } })
    const values = { token: '110:AAH', chat: '-100123', server: hook.url('') }
    assert.equal((await say({ kind: 'telegram', values })).thread, '42')
    await say({ kind: 'telegram', values, thread: '42' })
    assert.deepEqual(bodyOf(hook).reply_parameters, { message_id: 42, allow_sending_without_reply: true })
    assert.equal(hook.calls[0]?.url, '/bot110:AAH/sendMessage')
  })

  it('waits as long as it asks for', async () => {
    const hook = await hookAnswering(429, {
      ok: false,
      description: 'Too Many',
      parameters: { retry_after: 7 },
    })
    const values = { token: '110:AAH', chat: '-100123', server: hook.url('') }
    const { attempt } = await say({ kind: 'telegram', values })
    assert.deepEqual(attempt, { outcome: 'failed', says: 'Answered 429: Too Many.', retryAfterMs: 7_000 })
  })
})

describe('email', () => {
  it('goes to an address, and to a person with the way to turn it off', async () => {
    const post = await openPost()
    open.push(post)
    const send = sender(post.smtp)
    const channel = { id: 1, kind: 'email', name: 'Ops', values: { address: 'ops@example.com' } } as const
    const rest = { key: KEY, tries: 1, message: ISSUE, signal }
    const first = await send({ ...rest, to: { to: 'channel', channel, thread: null } })
    assert.equal(first.attempt.outcome, 'sent')
    await send({ ...rest, to: { to: 'person', email: 'ada@example.com', name: 'Ada' } })
    const [list, person] = post.letters
    assert.deepEqual([list?.to, person?.to], [['ops@example.com'], ['ada@example.com']])
    assert.ok(!list?.raw.includes('/account/alerts'))
    assert.ok(person?.raw.includes('/account/alerts'))
  })
})
