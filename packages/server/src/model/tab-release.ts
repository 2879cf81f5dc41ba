/**
 * The build that a tab ran, as the envelope of the server that answered it says: the head of the trace is the browser's, the
 * payload the server's. docs/wire.md, section "Deploy skew".
 */
import { isObject } from '#base/json.ts'
import { releaseNameRule } from './release-rules.ts'

/**
 * Returns the release that a tab was loaded with, where its envelope says another than its event. `trace`: of the
 * envelope's header, as it came. `null` where it says nothing else than `release`, who sent it.
 */
export function tabReleaseOf(trace: unknown, release: string | null): string | null {
  const said = isObject(trace) ? trace.release : null
  if (release === null || typeof said !== 'string' || said === release) return null
  return releaseNameRule(said) === null ? said : null
}

/** True if the envelope says that a tab of the very build that answered asked. */
export function isOfOneBuild(trace: unknown, release: string | null): boolean {
  return release !== null && isObject(trace) && trace.release === release
}
