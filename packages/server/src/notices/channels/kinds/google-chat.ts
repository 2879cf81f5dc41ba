/** Google Chat by a space's webhook, with a card; one thread a story. https://developers.google.com/workspace/chat/api/reference/rest/v1/cards */
import { type ChannelType, urlField } from '../channel-type.ts'
import { htmlText } from './escapes.ts'

export const googleChat: ChannelType = {
  kind: 'google-chat',
  label: 'Google Chat',
  about: 'Webhook of a space, one thread per issue',
  fields: [urlField('url', 'Webhook URL', 'From the space’s settings, “Apps & integrations”.')],
  call({ message, words, values }) {
    const widgets = [
      ...(words.place === null ? [] : [{ textParagraph: { text: htmlText(words.place) } }]),
      ...words.lines.map((line) => ({ textParagraph: { text: `• ${htmlText(line)}` } })),
      ...words.facts.map(({ label, value }) => ({
        decoratedText: { topLabel: label, text: htmlText(value), wrapText: true },
      })),
      {
        buttonList: {
          buttons: words.links.map(({ label, url }) => ({ text: label, onClick: { openLink: { url } } })),
        },
      },
    ]
    const card = { header: { title: words.title, subtitle: words.lead }, sections: [{ widgets }] }
    return {
      url: inThread(values.url ?? ''),
      body: {
        // Of notifications: beside a card, `text` would be shown once more. Plain, but for mentions.
        fallbackText: `${words.lead}: ${words.title}`.replace(/</g, '‹'),
        cardsV2: [{ cardId: 'alert', card }],
        thread: { threadKey: message.story },
      },
    }
  },
}

/** Otherwise each message begins a thread of its own. */
function inThread(url: string): string {
  if (!URL.canParse(url)) return url
  const whole = new URL(url)
  whole.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
  return whole.href
}
