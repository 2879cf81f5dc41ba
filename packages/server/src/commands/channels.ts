import { ok, type Result, refuse } from '#base/result.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import type { ChannelField } from '#notices/channels/channel-type.ts'
import { CHANNEL_TYPES } from '#notices/channels/kinds/kinds.ts'
import { renderTemplate } from '#notices/channels/kinds/template.ts'
import { templateValues } from '#notices/channels/kinds/webhook.ts'
import { alertMail } from '#notices/channels/mail/alert-text.ts'
import { sampleAlert } from '#notices/sample-alert.ts'
import { channelInput } from '#notices/send-message.ts'
import { CHANNEL_KINDS, type ChannelKind } from '#ports/channels.ts'
import { type Asking, refusalOf } from './asking.ts'
import type { Changes } from './changes.ts'
import { GIVEN_CHANNEL, type GivenChannel, noChannel, sampleSending } from './channel-set-up.ts'
import type { AlertParts, CommandParts } from './parts.ts'
import { readInput } from './schemas.ts'

/** Forms by kind of channel, in the order people choose from. */
export const CHANNEL_FORMS: readonly {
  readonly kind: ChannelKind
  readonly label: string
  readonly about: string
  readonly fields: readonly ChannelField[]
}[] = CHANNEL_KINDS.map((kind) => {
  const { label, about, fields } = CHANNEL_TYPES[kind]
  return { kind, label, about, fields }
})

interface ChannelCommands {
  /** Sends one now; the outcome is honest. */
  testChannel(asking: Asking, id: number): Promise<Result<{ readonly sent: boolean; readonly says: string }>>
  /** Renders a sample alert as the service shows it, as it is when it is delivered; no secret is in it. */
  previewChannel(
    asking: Asking,
    channel: Pick<GivenChannel, 'kind' | 'values'>,
  ): Promise<Result<{ readonly body: unknown }>>
}

type Parts = Pick<
  CommandParts,
  'alerts' | 'issues' | 'accounts' | 'channelTestLimits' | 'publicAddress' | 'clock' | 'random'
> & { readonly changes: Changes }

const KEY_BYTES = 16
export function channelCommands(parts: Parts): ChannelCommands {
  return {
    testChannel: (asking, id) => ifAllowed(parts, asking, (alerts) => test(parts, asking, { alerts, id })),
    previewChannel: (asking, channel) =>
      ifAllowed(parts, asking, async () => preview(parts, asking, { ...channel, name: 'Preview' })),
  }
}

async function ifAllowed<T>(
  { alerts }: Parts,
  asking: Asking,
  run: (alerts: AlertParts) => Promise<Result<T>>,
): Promise<Result<T>> {
  const refusal = refusalOf(asking, 'alert.write')
  if (refusal !== null) return refusal
  return alerts === undefined ? refuse('conflict', 'This process sends no alerts.') : run(alerts)
}

async function preview(
  parts: Parts,
  asking: Asking,
  channel: GivenChannel,
): Promise<Result<{ readonly body: unknown }>> {
  const checked = readInput(GIVEN_CHANNEL, channel)
  if (!checked.ok) return checked
  const { kind, values } = checked.value
  const template = kind === 'webhook' && typeof values.template === 'string' ? values.template : ''
  const { slug, name } = await parts.accounts.organisation(asking.scope)
  const named = { url: parts.publicAddress.url, organisation: { slug, name }, nowMs: parts.clock.now() }
  if (template !== '') {
    const rendered = renderTemplate(template, templateValues(sampleSending({}, named)))
    if (!rendered.ok)
      return refuse('invalid_input', `template: ${rendered.rule}`, { template: [rendered.rule] })
  }
  const sample = sampleAlert(named.organisation, { atMs: named.nowMs, isTest: false })
  return ok({ body: alertBody(sample, { kind, template, url: named.url }) })
}

/**
 * Renders an alert for a service, by the renderer that delivers; for email, subject and text. Secrets are in
 * no body but those of PagerDuty and Pushover, which show their fields’ names instead.
 */
export function alertBody(
  message: AlertMessage,
  to: {
    readonly kind: ChannelKind
    readonly template: string
    readonly url: string
    /** Email to a member, who can turn it off. */
    readonly isPerson?: boolean
  },
): unknown {
  const { kind, template, url, isPerson = false } = to
  if (kind === 'email') {
    const { subject, text } = alertMail(message, { url, isPerson })
    return { subject, text }
  }
  const type = CHANNEL_TYPES[kind]
  const shown = Object.fromEntries(
    type.fields.map((field) => [field.name, field.isSecret ? `(${field.label})` : '']),
  )
  const channel = { id: 0, values: { ...shown, template } }
  const key = '0'.repeat(2 * KEY_BYTES)
  return (
    type.call(channelInput(message, { channel, url, key, thread: null, nowMs: message.atMs }))?.body ?? null
  )
}

async function test(
  parts: Parts,
  asking: Asking,
  { alerts, id }: { readonly alerts: AlertParts; readonly id: number },
): Promise<Result<{ readonly sent: boolean; readonly says: string }>> {
  const { orgId } = asking.scope
  const channel = await alerts.channels.channelTarget(orgId, id)
  if (channel === null) return noChannel()
  const attempt = parts.channelTestLimits.attempt(null, `channels of ${orgId}`)
  if (!attempt.ok)
    return refuse('rate_limited', `Too many tests: try again in ${attempt.retryAfterSeconds} seconds.`)
  const { slug, name } = await parts.accounts.organisation(asking.scope)
  const message = sampleAlert({ slug, name }, { atMs: parts.clock.now(), isTest: true })
  const { attempt: outcome } = await alerts.tests.sendMessage({
    ...{ to: { to: 'channel', channel, thread: null }, key: parts.random.hex(KEY_BYTES), tries: 1, message },
    signal: new AbortController().signal,
  })
  const isDelivered = outcome.outcome === 'sent'
  const answer = { isDelivered, says: outcome.says, atMs: parts.clock.now() }
  await parts.changes.own('noteAnswer', { orgId, id, answer })
  return ok({ sent: isDelivered, says: outcome.says })
}
