/** Pushover. https://pushover.net/api */
import { isObject, parseJsonOrNull } from '#base/json.ts'
import { type ChannelType, secretField, serverField, serverOf, urgencyOf } from '../channel-type.ts'
import { attemptOf } from '../guarded-call.ts'
import { escapedWithin, linesWithin } from './within.ts'

const TITLE_CHARS_MAX = 250
const MESSAGE_CHARS_MAX = 1_024
const URL_CHARS_MAX = 512
const PRIORITIES = [-1, 0, 0, 1] as const

export const pushover: ChannelType = {
  kind: 'pushover',
  label: 'Pushover',
  about: 'Push to phones',
  fields: [
    secretField('token', 'API token', 'Of the application you created for Errata.'),
    secretField('user', 'User or group key', 'Who is notified.'),
    serverField('api.pushover.net'),
  ],
  call({ message, words, values }) {
    const [first] = words.links
    const link = first.url.length > URL_CHARS_MAX ? {} : { url: first.url, url_title: first.label }
    return {
      url: `${serverOf(values, 'https://api.pushover.net')}/1/messages.json`,
      body: {
        ...{ token: values.token ?? '', user: values.user ?? '' },
        title: escapedWithin(words.headline, TITLE_CHARS_MAX),
        message: linesWithin([words.short, ...words.lines], MESSAGE_CHARS_MAX),
        priority: PRIORITIES[urgencyOf(message)],
        timestamp: Math.floor(message.atMs / 1_000),
        ...link,
      },
    }
  },
  read(answer) {
    const body = answer.isAnswered ? parseJsonOrNull(answer.body) : null
    const errors = isObject(body) && Array.isArray(body.errors) ? body.errors.join('; ').slice(0, 120) : ''
    return { attempt: attemptOf(answer, errors) }
  },
}
