/** Slack by incoming webhook. https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
import { type ChannelType, urlField } from '../channel-type.ts'
import { attemptOf } from '../guarded-call.ts'
import { slackMessage } from './slack-blocks.ts'

export const slack: ChannelType = {
  kind: 'slack',
  label: 'Slack, incoming webhook',
  about: 'One channel, with links as buttons',
  fields: [urlField('url', 'Webhook URL', 'From the Slack app’s page “Incoming Webhooks”.')],
  call: (sending) => ({ url: sending.values.url ?? '', body: slackMessage(sending, []) }),
  // Slack says in words what it refuses, such as `no_service` or `invalid_blocks`.
  read: (answer) => ({
    attempt: attemptOf(answer, answer.isAnswered && answer.status >= 400 ? answer.body.slice(0, 80) : ''),
  }),
}
