/**
 * Buttons of Slack messages. Slack calls this address; what proves it is the signature over time and body with the
 * channel's signing secret. Who pressed is who connected their account to whom Slack names, and may do what they may.
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
import { max } from '#limits/limits.ts'
import { SLACK_ANSWER } from './answers/alert.ts'
import { type ApiRoute, answerOk } from './call.ts'
import { grantedOrThrow } from './refusals.ts'

export const SLACK_ROUTES: readonly ApiRoute[] = [
  {
    method: 'POST',
    pattern: '/alert-channels/{channel}/slack/',
    permission: 'anyone',
    what: 'takes the buttons of Slack messages; signed by Slack',
    answer: SLACK_ANSWER,
    bodyBytesMax: max('slackActionBytesMax'),
    async run(call) {
      const { body } = await call.bytes()
      const id = /^\d{1,15}$/.test(call.params.channel ?? '') ? Number(call.params.channel) : 0
      const signed = {
        signature: call.header('x-slack-signature') ?? '',
        timestamp: call.header('x-slack-request-timestamp') ?? '',
        body: Buffer.from(body).toString('utf8'),
      }
      const { text } = grantedOrThrow(await call.commands.slackAction(call, { channel: id, signed }))
      return answerOk({ response_type: 'ephemeral', replace_original: false, text })
    },
  },
]
