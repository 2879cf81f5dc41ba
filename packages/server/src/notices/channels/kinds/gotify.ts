/** Gotify. https://gotify.net/docs/msgextras */
import { type ChannelType, secretField, urgencyOf } from '../channel-type.ts'

const PRIORITIES = [2, 5, 6, 9] as const

export const gotify: ChannelType = {
  kind: 'gotify',
  label: 'Gotify',
  about: 'Push from your own server',
  fields: [
    {
      ...{ name: 'server', label: 'Server', isSecret: false, isRequired: true, check: 'url' },
      hint: 'Such as https://gotify.example.com.',
    },
    secretField('token', 'Application token', 'Of the application you created for Errata.'),
  ],
  call({ message, words, values }) {
    const [first] = words.links
    return {
      url: `${(values.server ?? '').replace(/\/+$/, '')}/message`,
      headers: { 'x-gotify-key': values.token ?? '' },
      body: {
        title: words.headline,
        message: [words.short, ...words.lines, first.url].join('\n'),
        priority: PRIORITIES[urgencyOf(message)],
        extras: {
          'client::display': { contentType: 'text/plain' },
          'client::notification': { click: { url: first.url } },
        },
      },
    }
  },
}
