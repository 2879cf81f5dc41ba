/** Text on a browser's copy whose server half is missing. Said by the server: a first load has no room for all of them. */
import type { IssueView } from '@errata/server/queries'
import { untilText } from '#ui/time-text.ts'

type Lone = NonNullable<IssueView['lone']>

const MISSING: Readonly<Record<Lone['missing'], string>> = {
  kept_apart: 'Split off by',
  full: 'The server’s issue already has the maximum number of groups.',
  silent:
    'No server in this organisation has reported a failed request recently. Check that the SDK runs on the server.',
  unnamed:
    'Its events carry neither a digest nor a trace ID, and no single failure on its route matches in time.',
  digest_unseen:
    'No server has reported a failure with its digest. It may be sampled out, filtered, or sent elsewhere.',
  maybe_deferred:
    'React Router doesn’t report promises of loaders that fail later. Report them in the loader: promise.catch(Sentry.captureException).',
  trace_unseen:
    'No server has reported a failure in its trace. It may be sampled out, filtered, or sent elsewhere.',
}

export function loneTexts({ missing, waitsUntilMs }: Lone, nowMs: number) {
  return {
    missing: MISSING[missing],
    waiting: waitsUntilMs === null ? null : waitingText(waitsUntilMs, nowMs),
  }
}

export function waitingText(untilMs: number, nowMs: number): string {
  const left = untilMs <= nowMs ? 'shortly' : untilText(untilMs, nowMs)
  return `It becomes a separate issue ${left} if the server doesn’t report the failure.`
}
