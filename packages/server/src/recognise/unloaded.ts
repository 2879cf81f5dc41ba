/**
 * Parts of a page that did not load, where no deploy can be the reason: in development, or where no other build than the
 * tab's own is known to have run. The same words as those of deploy skew. docs/wire.md, section "Deploy skew".
 */
import type { NormalizedEvent } from '#model/event.ts'
import type { Skew, SkewFailure, Unloaded, UnloadedReason } from '#model/recognised.ts'

/** Failures that only another build's answer can cause. Any network may cause the rest. */
const PROOF: ReadonlySet<SkewFailure> = new Set(['action', 'key', 'reload'])
const DEVELOPMENT = /^(?:dev|devel|development|local|localhost)$/i
const LOCAL_HOST =
  /^https?:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|[\w-]{1,63}\.(?:local|localhost|test))(?::\d{1,5})?(?:\/|$)/i
/** A variable that was not set became a step of the address. */
const BROKEN_STEP = /\/(?:undefined|null|NaN|\[object(?:%20| )Object\])(?:[/?#)\s]|$)/
const ADDRESS = /\((?:error|timeout|missing|load): ([^\s)]{1,500})\)/

/** True if what was recognised as skew needs a deploy to be that. */
export function needsDeploy({ failure }: Skew): boolean {
  return !PROOF.has(failure)
}

/** True for an event of a developer's own machine, where builds come and go without a deploy. */
export function isDevelopment({
  environment,
  request,
}: Pick<NormalizedEvent, 'environment' | 'request'>): boolean {
  if (environment !== undefined) return DEVELOPMENT.test(environment)
  return LOCAL_HOST.test(request?.url ?? '')
}

/** Says what did not load, and why as far as the text tells. */
export function recogniseUnloaded(
  event: Pick<NormalizedEvent, 'environment' | 'request'>,
  { skew, text }: { readonly skew: Skew; readonly text: string },
): Unloaded {
  const address = ADDRESS.exec(text)?.[1]
  const path =
    address === undefined ? null : address.replace(/^https?:\/\/[^/]{0,300}/i, '').replace(/[?#].*$/s, '')
  const reason = reasonOf(text, path ?? skew.subject)
  return {
    ...{ category: 'client', kind: 'unloaded', failure: skew.failure, reason },
    isDevelopment: isDevelopment(event),
    subject: withoutHash(reason === 'broken address' ? (path ?? skew.subject) : skew.subject),
  }
}

function reasonOf(text: string, path: string | null): UnloadedReason {
  if (path !== null && BROKEN_STEP.test(path)) return 'broken address'
  if (text.includes('(timeout:')) return 'time-out'
  return text.includes('(missing:') ? 'missing' : 'unknown'
}

/** `Hours.CTqYYKGj.js` is `Hours.js` in every build. */
function withoutHash(subject: string | null): string | null {
  return (
    subject?.replace(/([.-])(?=[\w-]{0,31}\d|[\w-]{0,31}[A-Z])[\w-]{6,32}(?=\.(?:m?js|css)$)/, '') ?? null
  )
}
