/**
 * Microsoft Teams by a workflow's webhook, with an adaptive card. Text blocks read Markdown, rich text does not: what
 * comes from events is rich text or escaped. https://adaptivecards.microsoft.com/ ; version 1.5 is what Teams shows.
 */
import type { AlertMessage } from '#model/alert-message.ts'
import { type ChannelType, urlField } from '../channel-type.ts'
import { markdownText } from './escapes.ts'

const ACTIONS_MAX = 4
const TONES: Readonly<Record<AlertMessage['level'], string>> = {
  ...{ critical: 'Attention', warning: 'Warning', info: 'Attention', ok: 'Good' },
}

export const teams: ChannelType = {
  kind: 'teams',
  label: 'Microsoft Teams',
  about: 'Workflow webhook, adaptive card',
  fields: [
    urlField(
      'url',
      'Workflow URL',
      'From the workflow “Post to a channel when a webhook request is received”.',
    ),
  ],
  call({ message, words, values }) {
    const { title, lead, place, lines, facts, links } = words
    const text = (value: string, style: object) => ({
      type: 'RichTextBlock',
      inlines: [{ type: 'TextRun', text: value, ...style }],
    })
    const body = [
      text(lead, { color: TONES[message.level], weight: 'Bolder', size: 'Small' }),
      text(title, { weight: 'Bolder', size: 'Medium' }),
      ...(place === null ? [] : [text(place, { isSubtle: true, fontType: 'Monospace' })]),
      ...lines.map((line) => text(`• ${line}`, {})),
      ...(facts.length === 0 ? [] : [{ type: 'FactSet', facts: facts.map(fact) }]),
    ]
    const actions = links
      .slice(0, ACTIONS_MAX)
      .map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url }))
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      ...{ type: 'AdaptiveCard', version: '1.5', fallbackText: `${lead}: ${title}`, body, actions },
      msteams: { width: 'Full' },
    }
    const contentType = 'application/vnd.microsoft.card.adaptive'
    return {
      url: values.url ?? '',
      body: { type: 'message', attachments: [{ contentType, contentUrl: null, content }] },
    }
  },
}

function fact({ label, value }: { readonly label: string; readonly value: string }) {
  return { title: markdownText(label), value: markdownText(value) }
}
