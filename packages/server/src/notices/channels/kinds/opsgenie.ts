/** Opsgenie, and what speaks its alert API, such as Jira Service Management. https://docs.opsgenie.com/docs/alert-api */
import { type ChannelType, secretField, serverField, serverOf, urgencyOf } from '../channel-type.ts'
import { escapedWithin, linesWithin } from './within.ts'

const MESSAGE_CHARS_MAX = 130
const DESCRIPTION_CHARS_MAX = 15_000
const TAG_CHARS_MAX = 50
const PRIORITIES = ['P5', 'P3', 'P2', 'P1'] as const

export const opsgenie: ChannelType = {
  kind: 'opsgenie',
  label: 'Opsgenie',
  about: 'Creates alerts and closes them automatically',
  fields: [
    secretField('key', 'API key', 'From an “API” integration.'),
    serverField('api.opsgenie.com; api.eu.opsgenie.com in the EU'),
  ],
  call({ message, words, values }) {
    const alerts = `${serverOf(values, 'https://api.opsgenie.com')}/v2/alerts`
    const headers = { authorization: `GenieKey ${values.key ?? ''}` }
    const alias = `errata-${message.story}`
    if (message.moment === 'resolved') {
      const url = `${alerts}/${encodeURIComponent(alias)}/close?identifierType=alias`
      return { url, headers, body: { source: 'Errata', note: words.headline } }
    }
    const links = words.links.map(({ label, url }) => `${label}: ${url}`)
    const description = [words.lead, words.title, ...words.lines, ...links]
    return {
      url: alerts,
      headers,
      body: {
        message: escapedWithin(words.headline, MESSAGE_CHARS_MAX),
        alias,
        description: linesWithin(description, DESCRIPTION_CHARS_MAX),
        priority: PRIORITIES[urgencyOf(message)],
        source: 'Errata',
        entity: message.project?.slug ?? message.organisation.slug,
        tags: ['errata', ...(message.project === null ? [] : [message.project.slug.slice(0, TAG_CHARS_MAX)])],
        details: Object.fromEntries(words.facts.map(({ label, value }) => [label, value])),
      },
    }
  },
}
