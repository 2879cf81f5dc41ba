/** PagerDuty, Events API v2. https://developer.pagerduty.com/docs/send-alert-event */

import { isObject, parseJsonOrNull } from '#base/json.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import { oneLine } from '../../rules/one-line.ts'
import { type ChannelSending, type ChannelType, secretField, serverField, serverOf } from '../channel-type.ts'
import { attemptOf } from '../guarded-call.ts'
import { escapedWithin } from './within.ts'

const SUMMARY_CHARS_MAX = 1_024
const GROUP_CHARS_MAX = 100
const SEVERITIES: Readonly<Record<AlertMessage['level'], string>> = {
  ...{ critical: 'critical', warning: 'warning', info: 'error', ok: 'info' },
}

export const pagerduty: ChannelType = {
  kind: 'pagerduty',
  label: 'PagerDuty',
  about: 'Triggers incidents and resolves them automatically',
  fields: [
    secretField('routingKey', 'Integration key', 'From an “Events API v2” integration of the service.'),
    serverField('events.pagerduty.com; events.eu.pagerduty.com in the EU'),
  ],
  call(sending) {
    const { message, values } = sending
    const { story, moment } = message
    const event = moment === 'resolved' ? { event_action: 'resolve' } : triggerEvent(sending)
    return {
      url: `${serverOf(values, 'https://events.pagerduty.com')}/v2/enqueue`,
      body: { routing_key: values.routingKey ?? '', dedup_key: `errata-${story}`, ...event },
    }
  },
  read(answer) {
    const body = answer.isAnswered ? parseJsonOrNull(answer.body) : null
    const errors = isObject(body) && Array.isArray(body.errors) ? body.errors.join('; ').slice(0, 120) : ''
    return { attempt: attemptOf(answer, errors) }
  },
}

function triggerEvent({ message, words, url }: ChannelSending) {
  const { project, organisation, issue, level } = message
  return {
    event_action: 'trigger',
    client: 'Errata',
    client_url: words.links[0].url,
    links: words.links.map(({ label, url: href }) => ({ href, text: label })),
    payload: {
      summary: escapedWithin(words.headline, SUMMARY_CHARS_MAX),
      source: URL.canParse(url) ? new URL(url).host : 'errata',
      severity: SEVERITIES[level],
      timestamp: new Date(message.atMs).toISOString(),
      component: project?.slug ?? organisation.slug,
      group: groupOf(issue),
      class: issue === null ? 'metric' : 'issue',
      custom_details: Object.fromEntries(words.facts.map(({ label, value }) => [label, value])),
    },
  }
}

function groupOf(issue: AlertMessage['issue']): string | undefined {
  const name = oneLine(issue?.environment ?? '', GROUP_CHARS_MAX)
  return name === '' ? undefined : name
}
