/** Ways that lead nowhere, for the sample organisation: nothing leaves the machine, and every answer says so. */
import { hostOf } from './channels/checked-addresses.ts'
import type { SendWays } from './send-ways.ts'

const SAYS = 'The demo sends nothing.'
/** Of the sample's own: what a receiver that is gone looks like. */
const GONE = '.gone.example'

export const SEND_NOTHING: SendWays = {
  sendMail: async () => ({ outcome: 'sent', says: SAYS }),
  call: async ({ url }) => {
    const isGone = URL.canParse(url) && hostOf(new URL(url)).endsWith(GONE)
    const attempt = isGone
      ? ({ outcome: 'refused', says: 'The host name has no address.' } as const)
      : ({ outcome: 'sent', says: SAYS } as const)
    return { isAnswered: false, attempt }
  },
}
