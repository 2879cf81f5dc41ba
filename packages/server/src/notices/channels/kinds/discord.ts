/** Discord webhook with an embed. https://discord.com/developers/docs/resources/webhook#execute-webhook */
import { type ChannelType, COLOURS, urlField } from '../channel-type.ts'
import { codeText, markdownText } from './escapes.ts'

const DESCRIPTION_CHARS_MAX = 4_000
const TITLE_CHARS_MAX = 256
const FIELD_CHARS_MAX = 1_024

export const discord: ChannelType = {
  kind: 'discord',
  label: 'Discord',
  about: 'Webhook of a channel',
  fields: [urlField('url', 'Webhook URL', 'From the channel’s settings, “Integrations”.')],
  call({ message, words, values }) {
    const [first, ...others] = words.links
    const links = others.map(({ label, url }) => `[${label}](${url})`).join(' · ')
    const description = [
      ...(words.place === null ? [] : [codeText(words.place)]),
      ...words.lines.map((line) => `• ${markdownText(line)}`),
      ...(links === '' ? [] : [links]),
    ].join('\n')
    return {
      url: values.url ?? '',
      body: {
        username: 'Errata',
        // Whatever a text says, nobody is called.
        allowed_mentions: { parse: [] },
        embeds: [
          {
            title: markdownText(words.title).slice(0, TITLE_CHARS_MAX),
            url: first.url,
            description: description.slice(0, DESCRIPTION_CHARS_MAX),
            color: Number.parseInt(COLOURS[message.level].slice(1), 16),
            fields: words.facts.map(({ label, value }) => ({
              name: markdownText(label).slice(0, TITLE_CHARS_MAX),
              value: markdownText(value).slice(0, FIELD_CHARS_MAX),
              inline: true,
            })),
            footer: { text: words.lead },
            timestamp: new Date(message.atMs).toISOString(),
          },
        ],
      },
    }
  },
}
