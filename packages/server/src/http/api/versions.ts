/**
 * Versions of what is changed whole. An answer has its version as `ETag`; a change that names it in `If-Match` is
 * refused with 412 once somebody else has changed the settings, so that of two people neither undoes the other.
 */
import { createHash } from 'node:crypto'
import type { Refusal } from '#base/result.ts'
import { type ApiAnswer, answerOk, type OrgCall } from './call.ts'
import { apiRefusal, grantedOrThrow } from './refusals.ts'

const CHARS = 22

/** Answers the body with the version of the settings in it. */
export function answerVersioned<Body>(body: Body, settings: object): ApiAnswer<Body> {
  return { ...answerOk(body), etag: settingsVersion(settings) }
}

function settingsVersion(settings: object): string {
  const hash = createHash('sha256').update(JSON.stringify(settings)).digest('base64url')
  return `"${hash.slice(0, CHARS)}"`
}

/** Returns the settings, which the change must still find; `undefined` if the request names no version. */
export function seenBy<Settings extends object>(
  { header }: Pick<OrgCall, 'header'>,
  settings: Settings,
): Settings | undefined {
  const match = header('if-match')
  if (match === null || match.trim() === '*') return undefined
  // Proxies that compress an answer make its version a weak one.
  const versions = match.split(',').map((each) => each.trim().replace(/^W\//, ''))
  if (!versions.includes(settingsVersion(settings))) throw changedMeanwhile()
  return settings
}

/** Returns the value, or throws the refusal: 412 if what was seen changed while the call ran. */
export function grantedAsSeen<Value>(
  result: { readonly ok: true; readonly value: Value } | Refusal,
  seen: object | undefined,
): Value {
  if (!result.ok && seen !== undefined && result.code === 'conflict' && result.fields === undefined)
    throw changedMeanwhile()
  return grantedOrThrow(result)
}

function changedMeanwhile() {
  return apiRefusal('version_changed', 'Somebody else changed it. Read it again, then send the change anew.')
}
