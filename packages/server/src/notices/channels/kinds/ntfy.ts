/** ntfy, published as JSON. https://docs.ntfy.sh/publish/#publish-as-json */
import { type ChannelType, serverField, serverOf, urgencyOf } from '../channel-type.ts'
import { linesWithin } from './within.ts'

const PRIORITIES = [2, 3, 4, 5] as const
const TAGS = ['white_check_mark', 'beetle', 'warning', 'rotating_light'] as const
const ACTIONS_MAX = 3
/** A longer one becomes a file: 4,096 bytes; twice as many of the whole body, in which quotes take two. */
const MESSAGE_BYTES_MAX = 3_000

export const ntfy: ChannelType = {
  kind: 'ntfy',
  label: 'ntfy',
  about: 'Push to phones and desktops',
  fields: [
    {
      ...{ name: 'topic', label: 'Topic', isSecret: false, isRequired: true, check: 'text' },
      hint: 'Anyone who knows the name of a public topic can read it. Choose one that is hard to guess.',
      pattern: { source: '[A-Za-z0-9_-]{1,64}', rule: 'Letters, digits, hyphens and underscores.' },
    },
    {
      ...{ name: 'token', label: 'Access token', isSecret: true, isRequired: false, check: 'text' },
      hint: 'If the topic is protected.',
    },
    serverField('ntfy.sh'),
  ],
  call({ message, words, values }) {
    const urgency = urgencyOf(message)
    const [first, ...others] = words.links
    const token = values.token ?? ''
    return {
      url: `${serverOf(values, 'https://ntfy.sh')}/`,
      ...(token === '' ? {} : { headers: { authorization: `Bearer ${token}` } }),
      body: {
        topic: values.topic ?? '',
        title: words.headline,
        message: linesWithin([words.short, ...words.lines], MESSAGE_BYTES_MAX, Buffer.byteLength),
        priority: PRIORITIES[urgency],
        tags: [TAGS[urgency]],
        click: first.url,
        actions: others.slice(0, ACTIONS_MAX).map(({ label, url }) => ({ action: 'view', label, url })),
      },
    }
  },
}
