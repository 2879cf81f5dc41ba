/** A webhook of one's own: signed JSON, in the usual body or in one from a template. docs/chat.md, "Webhook". */
import type { AlertMessage } from '#model/alert-message.ts'
import type { ChannelSending, ChannelType } from '../channel-type.ts'
import { signatureOf } from '../webhook/webhook-body.ts'
import { renderTemplate } from './template.ts'

/** Raised when a field changes its meaning; fields may be added without. */
const BODY_VERSION = 2

export const webhook: ChannelType = {
  kind: 'webhook',
  label: 'Webhook',
  about: 'Signed JSON, with a custom body if you like',
  fields: [
    {
      ...{ name: 'url', label: 'URL', isSecret: false, isRequired: true, check: 'url' },
      hint: 'Receives a POST for each alert.',
    },
    {
      ...{ name: 'secret', label: 'Signing secret', isSecret: true, isRequired: true, check: 'text' },
      signs: true,
      hint: 'A long random text that your receiver also has. It signs the Errata-Signature header.',
      pattern: { source: '.{16,}', rule: 'At least 16 characters.' },
    },
    {
      ...{ name: 'template', label: 'Body', isSecret: false, isRequired: false, check: 'template' },
      hint: 'JSON with fields of the default body in quotes, such as "{{title}}" or "{{issue.events}}". Leave empty for the default body.',
    },
  ],
  call(sending) {
    const { values, key, nowMs } = sending
    const body = webhookAlert(sending)
    const text = JSON.stringify(body)
    const signature = signatureOf(text, { secret: values.secret ?? '', nowMs })
    const headers = { 'errata-alert': key, 'errata-signature': signature }
    return { url: values.url ?? '', headers, body }
  },
}

/** The body as it is sent; also what previews show. */
function webhookAlert(sending: ChannelSending) {
  const template = sending.values.template ?? ''
  const values = templateValues(sending)
  if (template === '') return values
  const rendered = renderTemplate(template, values)
  // Templates are checked when they are saved; the usual body is better than none.
  return rendered.ok ? rendered.body : values
}

/** Everything a template may name. */
export function templateValues({ message, words, key }: ChannelSending) {
  const { moment, level, organisation, project, rule, headline, because, issue, metric, gathered } = message
  return {
    version: BODY_VERSION,
    id: key,
    at: new Date(message.atMs).toISOString(),
    ...{ moment, level, headline, because, story: message.story },
    title: words.title,
    lead: words.lead,
    place: words.place,
    url: words.links[0].url,
    organisation: { ...organisation },
    project: project === null ? null : { ...project },
    rule: rule === null ? null : { ...rule },
    issue: issue === null ? null : issueValues(issue),
    metric:
      metric === null
        ? null
        : {
            ...metric,
            mostly: metric.mostly === null ? null : { ...metric.mostly },
            action: metric.action ?? null,
          },
    gathered: gathered === null ? null : { total: gathered.total, headlines: [...gathered.headlines] },
  }
}

function issueValues(issue: NonNullable<AlertMessage['issue']>) {
  const { kinds, firstSeenMs, lastSeenMs, eventCount, userCount, ...rest } = issue
  return {
    ...rest,
    kinds: [...kinds],
    events: eventCount,
    users: userCount,
    firstSeen: new Date(firstSeenMs).toISOString(),
    lastSeen: new Date(lastSeenMs).toISOString(),
  }
}
