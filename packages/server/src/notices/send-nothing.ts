/** Ways that lead nowhere, for the sample organisation: nothing leaves the machine, and every answer says so. Its issue tracker is in this process. */
import type { Clock } from '#base/clock.ts'
import { urlHost } from './channels/checked-addresses.ts'
import { sampleTracker } from './sample-tracker.ts'
import type { SendWays } from './send-ways.ts'

const SAYS = 'The demo sends nothing.'
/** Ending of sample addresses whose receiver is gone. */
const GONE = '.gone.example'

export function sendNothing(clock: Pick<Clock, 'now'>): SendWays {
  const tracker = sampleTracker(() => clock.now())
  return {
    sendMail: async () => ({ outcome: 'sent', says: SAYS }),
    call: async (call) => {
      const isGone = URL.canParse(call.url) && urlHost(new URL(call.url)).endsWith(GONE)
      const attempt = isGone
        ? ({ outcome: 'refused', says: 'The host name has no address.' } as const)
        : ({ outcome: 'sent', says: SAYS } as const)
      return tracker(call) ?? { isAnswered: false, attempt }
    },
  }
}
