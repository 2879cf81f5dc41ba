/** The request and the user of an event: where most secrets and every address are. */

import { mapChanged } from '#base/mapped.ts'
import type { EventRequest, EventUser } from '#model/event.ts'
import type { ScrubOptions } from '#ports/projects.ts'
import { reduceAddress } from './addresses.ts'
import { isPlainCookie } from './cookies.ts'
import { isEnvelopeText } from './envelope-text.ts'
import { FILTERED } from './filtered.ts'
import type { SecretKeys } from './keys.ts'
import { looksIssued } from './random.ts'
import type { ScrubWalk } from './walk.ts'
import { isSecret } from './worth.ts'

export interface RequestRules {
  readonly options: ScrubOptions
  readonly keys: SecretKeys
}

export type Pair = readonly [string, string]

export function scrubPairs(walk: ScrubWalk, list: readonly Pair[]): readonly Pair[] {
  return mapChanged(list, (pair) => walk.pair(pair))
}

export function scrubRequest(walk: ScrubWalk, rules: RequestRules, request: EventRequest): EventRequest {
  const { query_string: query, headers, cookies, data, ...rest } = request
  const scrubbed: { -readonly [Key in keyof EventRequest]: EventRequest[Key] } = {
    ...walk.fields(rest),
  }
  if (query !== undefined)
    scrubbed.query_string = inside(walk, 'query_string', () =>
      typeof query === 'string' ? walk.text(`?${query}`).slice(1) : queryPairs(walk, query),
    )
  if (headers !== undefined) scrubbed.headers = inside(walk, 'headers', () => scrubPairs(walk, headers))
  if (cookies !== undefined)
    scrubbed.cookies = inside(walk, 'cookies', () => cookiePairs(walk, rules, cookies))
  if (data !== undefined) scrubbed.data = inside(walk, 'data', () => requestData(walk, data))
  return scrubbed
}

/** The state of a sign-in that goes through another site is a secret until it is back. */
function queryPairs(walk: ScrubWalk, list: readonly Pair[]): readonly Pair[] {
  const pairs = scrubPairs(walk, list)
  const least = list.some(([name]) => name === 'code') ? 8 : STATE_CHARS_MIN
  return mapChanged(pairs, (pair) => {
    const [name, value] = pair
    if (name !== 'state' || value.length < least || !looksIssued(value)) return pair
    return [name, inside(walk, name, () => walk.take('token', value))]
  })
}

const STATE_CHARS_MIN = 16

function inside<T>(walk: ScrubWalk, key: string, read: () => T): T {
  walk.enter(key)
  const value = read()
  walk.leave()
  return value
}

/** Names stay, values go, but those of plain kinds: what other cookies mean only their application knows. */
function cookiePairs(walk: ScrubWalk, { keys }: RequestRules, cookies: readonly Pair[]): readonly Pair[] {
  return cookies.map(([name, value]): Pair => {
    if (keys.isAllowed(name) || isPlainCookie(name, value, keys)) return [walk.text(name), walk.text(value)]
    return [
      walk.text(name),
      isSecret(name, value) ? inside(walk, name, () => walk.take('cookie', value)) : value,
    ]
  })
}

/** A body: any JSON, or text. An envelope that an app's own relay carried is telemetry, with the key in it. */
function requestData(walk: ScrubWalk, data: unknown): unknown {
  if (typeof data !== 'string') return walk.value(data)
  if (isEnvelopeText(data)) return walk.take('relayed_envelope', null)
  // A form begins without `?` or `&`; with one, its first name is a query's like the others.
  const isForm = /^[\w%.[\]+-]{1,128}=/.test(data) && !/[\s{]/.test(data)
  return isForm ? walk.text(`&${data}`).replace(/^&/, '') : walk.text(data)
}

export function scrubUser(walk: ScrubWalk, { options }: RequestRules, user: EventUser): EventUser {
  const { ip_address: address, geo, data, ...texts } = user
  // A project may name `email` a secret; bags stay bags.
  const scrubbed: EventUser = {
    ...walk.bag(texts),
    ...walk.fields({ ...(geo && { geo }), ...(data && { data }) }),
  }
  if (address === undefined) return scrubbed
  const kept = reduceAddress(address, options.clientAddress)
  if (kept === address) return { ...scrubbed, ip_address: address }
  inside(walk, 'ip_address', () => walk.note('client_address'))
  return kept === FILTERED ? scrubbed : { ...scrubbed, ip_address: kept }
}
