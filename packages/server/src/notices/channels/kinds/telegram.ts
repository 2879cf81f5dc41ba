/** Telegram bot. https://core.telegram.org/bots/api#sendmessage */
import { isObject, parseJsonOrNull } from '#base/json.ts'
import { type ChannelAnswer, type ChannelType, secretField, serverField, serverOf } from '../channel-type.ts'
import { attemptOf, type CallAnswer } from '../guarded-call.ts'
import { htmlText } from './escapes.ts'
import { linesWithin } from './within.ts'

const TEXT_CHARS_MAX = 3_900

export const telegram: ChannelType = {
  kind: 'telegram',
  label: 'Telegram',
  about: 'Messages from a bot, updates as replies',
  fields: [
    secretField('token', 'Bot token', 'From @BotFather, such as 110201543:AAHd….'),
    {
      ...{ name: 'chat', label: 'Chat ID', isSecret: false, isRequired: true, check: 'text' },
      hint: 'Of a person, group or channel, such as -1001234567890 or @my_channel.',
      pattern: { source: '-?\\d{1,20}|@\\w{1,64}', rule: 'A number such as -1001234567890, or @my_channel.' },
    },
    serverField('api.telegram.org'),
  ],
  call({ message, words, values, thread }) {
    const [first] = words.links
    const text = [
      `<b>${htmlText(words.lead)}</b>`,
      `<a href="${htmlText(first.url)}">${htmlText(words.title)}</a>`,
      ...(words.place === null ? [] : [`<code>${htmlText(words.place)}</code>`]),
      ...words.lines.map((line) => `• ${htmlText(line)}`),
      ...words.facts.map(({ label, value }) => `${htmlText(label)}: ${htmlText(value)}`),
    ]
    const reply =
      thread === null
        ? {}
        : { reply_parameters: { message_id: Number(thread), allow_sending_without_reply: true } }
    return {
      url: `${serverOf(values, 'https://api.telegram.org')}/bot${encodeURIComponent(values.token ?? '').replace(/%3A/gi, ':')}/sendMessage`,
      body: {
        chat_id: values.chat ?? '',
        text: linesWithin(text, TEXT_CHARS_MAX),
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        disable_notification: message.level === 'ok' || message.moment === 'held',
        ...reply,
      },
    }
  },
  read: readTelegramAnswer,
}

function readTelegramAnswer(answer: CallAnswer): ChannelAnswer {
  const body = answer.isAnswered ? parseJsonOrNull(answer.body) : null
  if (!answer.isAnswered || !isObject(body)) return { attempt: attemptOf(answer) }
  const says = typeof body.description === 'string' ? body.description.slice(0, 120) : ''
  const asked = isObject(body.parameters) ? body.parameters.retry_after : null
  const retryAfterMs = typeof asked === 'number' ? asked * 1_000 : answer.retryAfterMs
  const attempt = attemptOf({ ...answer, retryAfterMs }, says)
  const id = isObject(body.result) ? body.result.message_id : null
  return typeof id === 'number' ? { attempt, thread: String(id) } : { attempt }
}
