/** Discord webhook with an embed. https://discord.com/developers/docs/resources/webhook#execute-webhook */
import { type ChannelType, COLOURS, urlField } from '../channel-type.ts'
import { codeText, markdownText } from './escapes.ts'
import { escapedWithin, linesWithin } from './within.ts'

const DESCRIPTION_CHARS_MAX = 4_096
/** Most characters of all texts of the embeds together. */
const EMBED_CHARS_MAX = 6_000
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
    const title = escapedWithin(words.title, TITLE_CHARS_MAX, markdownText)
    const fields = words.facts.map(({ label, value }) => ({
      name: escapedWithin(label, TITLE_CHARS_MAX, markdownText),
      value: escapedWithin(value, FIELD_CHARS_MAX, markdownText),
      inline: true,
    }))
    const taken = fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0)
    const left = EMBED_CHARS_MAX - title.length - words.lead.length - taken
    const description = [
      ...(words.place === null ? [] : [codeText(words.place)]),
      ...words.lines.map((line) => `• ${markdownText(line)}`),
      ...(links === '' ? [] : [links]),
    ]
    return {
      url: values.url ?? '',
      body: {
        username: 'Errata',
        // Whatever a text says, nobody is called.
        allowed_mentions: { parse: [] },
        embeds: [
          {
            title,
            url: first.url,
            description: linesWithin(description, Math.min(left, DESCRIPTION_CHARS_MAX)),
            color: Number.parseInt(COLOURS[message.level].slice(1), 16),
            fields,
            footer: { text: words.lead },
            timestamp: new Date(message.atMs).toISOString(),
          },
        ],
      },
    }
  },
}
