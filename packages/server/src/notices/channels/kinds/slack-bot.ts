/** Slack by bot token: a thread for each story, buttons that act. https://docs.slack.dev/reference/methods/chat.postMessage */
import { isObject, parseJsonOrNull } from '#base/json.ts'
import { type ChannelAnswer, type ChannelType, secretField, serverField, serverOf } from '../channel-type.ts'
import { attemptOf, type CallAnswer } from '../guarded-call.ts'
import { type SlackButton, slackMessage } from './slack-blocks.ts'

export const SLACK_API = 'https://slack.com/api'

const BUTTONS: readonly SlackButton[] = [
  { action: 'resolve', label: 'Resolve', style: 'primary' },
  { action: 'archive', label: 'Archive' },
  { action: 'assign', label: 'Assign to me' },
]
/** Waiting may help with these. */
const PASSING = new Set([
  'ratelimited',
  'service_unavailable',
  'internal_error',
  'request_timeout',
  'fatal_error',
])

export const slackBot: ChannelType = {
  kind: 'slack-bot',
  label: 'Slack, bot',
  about: 'One thread per issue, with buttons to resolve, archive and assign',
  fields: [
    secretField('token', 'Bot token', 'Begins with xoxb-. Scope: chat:write.'),
    secretField('signingSecret', 'Signing secret', 'From “Basic Information”. It verifies button presses.'),
    {
      ...{ name: 'channel', label: 'Channel ID', isSecret: false, isRequired: true, check: 'text' },
      hint: 'Such as C024BE91L, at the end of the channel’s details. Invite the bot to it.',
      pattern: { source: '[A-Z][A-Z0-9]{4,20}', rule: 'A channel ID such as C024BE91L.' },
    },
    serverField('slack.com'),
  ],
  call(sending) {
    const { values, message, thread } = sending
    const buttons = message.issue === null || message.moment === 'resolved' ? [] : BUTTONS
    return {
      url: `${serverOf(values, SLACK_API)}/chat.postMessage`,
      headers: { authorization: `Bearer ${values.token ?? ''}` },
      body: {
        channel: values.channel ?? '',
        ...slackMessage(sending, buttons),
        ...(thread === null ? {} : { thread_ts: thread, reply_broadcast: message.level === 'critical' }),
      },
    }
  },
  read: readSlackAnswer,
}

/** Slack answers 200 to what it refuses, with `ok: false`. */
function readSlackAnswer(answer: CallAnswer): ChannelAnswer {
  const body = answer.isAnswered ? parseJsonOrNull(answer.body) : null
  if (!answer.isAnswered || answer.status >= 300 || !isObject(body)) return { attempt: attemptOf(answer) }
  if (body.ok === true) {
    const thread = typeof body.ts === 'string' ? { thread: body.ts } : {}
    return { attempt: attemptOf(answer), ...thread }
  }
  const error = typeof body.error === 'string' ? body.error.slice(0, 80) : 'it gave no reason'
  const outcome = PASSING.has(error) ? 'failed' : 'refused'
  return { attempt: { outcome, says: `Slack refused it: ${error}.` } }
}
