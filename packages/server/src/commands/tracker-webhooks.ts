/** Webhooks of issue trackers. Nobody who cannot sign learns whether a tracker exists. */
import { parseJsonOrNull } from '#base/json.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { TRACKER_TYPES } from '#trackers/kinds/kinds.ts'
import type { Delivery } from '#trackers/tracker-type.ts'
import type { Changes } from './changes.ts'
import type { CommandParts } from './parts.ts'

interface TrackerWebhookCommands {
  /** Taken twice, or late, it changes nothing. Answers how many issues it resolved. */
  takeTrackerWebhook(
    tracker: number,
    delivery: Pick<Delivery, 'header' | 'body'>,
  ): Promise<Result<{ readonly resolved: number }>>
}

type Parts = Pick<CommandParts, 'trackers' | 'clock' | 'mailRoom'> & { readonly changes: Changes }

export function trackerWebhookCommands({
  trackers,
  clock,
  mailRoom,
  changes,
}: Parts): TrackerWebhookCommands {
  return {
    async takeTrackerWebhook(id, delivery) {
      const target = trackers === undefined ? null : await trackers.read.trackerForCallback(id)
      const secret = target?.values.secret ?? ''
      if (trackers === undefined || target === null || secret === '') return refuseTrackerSignature()
      const type = TRACKER_TYPES[target.kind]
      if (!type.isSigned({ ...delivery, nowMs: clock.now() }, secret)) return refuseTrackerSignature()
      const news = type.newsOf(target.values, parseJsonOrNull(Buffer.from(delivery.body).toString('utf8')))
      if (news === null) return ok({ resolved: 0 })
      const resolved = await changes.own('takeNews', { tracker: id, news, nowMs: clock.now() })
      if (resolved.length > 0) {
        mailRoom?.wake()
        trackers.wake()
      }
      return ok({ resolved: resolved.length })
    },
  }
}

function refuseTrackerSignature() {
  return refuse('forbidden', 'The signature doesn’t match.')
}
