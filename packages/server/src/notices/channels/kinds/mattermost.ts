/** Mattermost incoming webhook. https://developers.mattermost.com/integrate/reference/message-attachments/ */
import { type ChannelType, COLOURS, urlField } from '../channel-type.ts'
import { codeText, markdownText } from './escapes.ts'

export const mattermost: ChannelType = {
  kind: 'mattermost',
  label: 'Mattermost',
  about: 'Incoming webhook',
  fields: [
    urlField('url', 'Webhook URL', 'From “Integrations”, “Incoming Webhooks”.'),
    {
      ...{ name: 'channel', label: 'Channel', isSecret: false, isRequired: false, check: 'text' },
      hint: 'Leave empty for the webhook’s default.',
    },
  ],
  call({ message, words, values }) {
    const [first, ...others] = words.links
    const links = others.map(({ label, url }) => `[${label}](${url})`).join(' · ')
    const text = [
      ...(words.place === null ? [] : [codeText(words.place)]),
      ...words.lines.map((line) => `- ${markdownText(line)}`),
      ...(links === '' ? [] : [links]),
    ].join('\n')
    const channel = values.channel ?? ''
    return {
      url: values.url ?? '',
      body: {
        username: 'Errata',
        ...(channel === '' ? {} : { channel }),
        attachments: [
          {
            ...{ fallback: `${words.lead}: ${words.title}`, color: COLOURS[message.level] },
            pretext: markdownText(words.lead),
            ...{ title: markdownText(words.title), title_link: first.url, text },
            fields: words.facts.map(({ label, value }) => ({
              ...{ title: label, value: markdownText(value), short: true },
            })),
          },
        ],
      },
    }
  },
}
