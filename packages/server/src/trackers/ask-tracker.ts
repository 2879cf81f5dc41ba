/** The way to a tracker: every call as JSON, through the guard of outside calls. */
import { max } from '#limits/limits.ts'
import type { SendWays } from '#notices/send-ways.ts'
import type { TrackerTarget } from '#ports/trackers.ts'
import type { TrackerAsked } from './tracker-type.ts'

export interface TrackerWays {
  readonly call: SendWays['call']
  readonly version: string
}

export function askTracker(
  { call, version }: TrackerWays,
  { values }: Pick<TrackerTarget, 'values'>,
  signal: AbortSignal,
): TrackerAsked {
  return {
    values,
    call: ({ method, url, headers, body }) =>
      call({
        method,
        url,
        body: body === undefined ? '' : JSON.stringify(body),
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
          'user-agent': `Errata/${version}`,
          ...headers,
        },
        reads: true,
        answerBytesMax: max('trackerAnswerBytesMax'),
        signal,
      }),
  }
}
