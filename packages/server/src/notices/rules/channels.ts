/** Rules of channels that hold whatever store keeps them, and what is said when one is broken. */
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'

export const CHANNEL_REFUSALS = {
  noChannel: () => refuse('not_found', 'The channel does not exist.'),
  nameTaken: () =>
    refuse('conflict', 'Another channel of this kind has this name.', {
      name: ['Another channel of this kind has this name.'],
    }),
  noSlackLink: () => refuse('not_found', 'This connection to Slack doesn’t exist.'),
} as const

export function refuseSlackLinks(count: number): Refusal | null {
  const most = max('slackLinksPerPersonMax')
  if (count < most) return null
  return refuse(
    'conflict',
    `You have ${most} connections to Slack, the most there can be. Disconnect one first.`,
  )
}

export function refuseChannels(count: number): Refusal | null {
  const most = max('channelsPerOrgMax')
  if (count < most) return null
  return refuse('conflict', `An organisation has at most ${most} channels. Delete one first.`)
}
