/** Rules of channels that hold whatever store keeps them, and what is said when one is broken. */
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'

export const CHANNEL_REFUSALS = {
  noChannel: () => refuse('not_found', 'The channel does not exist.'),
  nameTaken: () =>
    refuse('conflict', 'Another channel of this kind has this name.', {
      name: ['Another channel of this kind has this name.'],
    }),
} as const

export function refuseChannels(count: number): Refusal | null {
  const most = max('channelsPerOrgMax')
  if (count < most) return null
  return refuse('conflict', `An organisation has at most ${most} channels. Delete one first.`)
}
