/** The user of an event, and where a missing address may be taken from. docs/wire.md, section "User". */

import { canonicalIp } from '#base/ip-text.ts'
import { isObject } from '#base/json.ts'
import type { EventRequest, EventUser } from '#model/event.ts'
import { readBag } from './bag.ts'
import { type Building, type EventReader, type RawObject, scalarText } from './reader.ts'

const DATA_LIMITS = { depth: 5, bytes: 8_192 }
const GEO_LIMITS = { depth: 2, bytes: 1_024 }
const KNOWN: ReadonlySet<string> = new Set(['id', 'username', 'email', 'name', 'ip_address', 'geo', 'data'])
const AUTO = '{{auto}}'
/** Platforms whose older SDKs expect the server to fill the address in. */
const FILLED: ReadonlySet<string> = new Set(['javascript', 'cocoa', 'objc'])

export interface AddressSources {
  readonly platform: string
  readonly request: EventRequest | undefined
  /** Behind trusted proxies; `null` when unknown. */
  readonly clientAddress: string | null
  /** `sdk.settings.infer_ip` as sent. */
  readonly inferIp: unknown
}

export function readUser(
  reader: EventReader,
  value: unknown,
  sources: AddressSources,
): EventUser | undefined {
  const raw = reader.object(value, 'user') ?? {}
  reader.enter('user')
  const user: Building<EventUser> = {}
  for (const key of ['id', 'username', 'email', 'name'] as const) {
    const text = reader.trimmed(raw[key], key, key === 'id' ? 128 : 256)
    if (text !== undefined) user[key] = text
  }
  const address = readAddress(reader, raw.ip_address, sources)
  if (address !== undefined) user.ip_address = address
  const geo = readBag(reader, raw.geo, 'geo', GEO_LIMITS)
  if (geo !== undefined && Object.keys(geo).length > 0) user.geo = geo
  const data = readBag(reader, unknownUserFields(raw), 'data', DATA_LIMITS)
  if (data !== undefined && Object.keys(data).length > 0) user.data = data
  reader.leave()
  return Object.keys(user).length === 0 ? undefined : user
}

/** Fields that SDKs' users add beside the known ones belong to `data`. */
function unknownUserFields(raw: RawObject): RawObject {
  const fields: Record<string, unknown> = isObject(raw.data) ? { ...raw.data } : {}
  for (const key of Object.keys(raw)) {
    if (KNOWN.has(key) || raw[key] === null || raw[key] === undefined) continue
    Object.defineProperty(fields, key, {
      value: raw[key],
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  if (!isObject(raw.data) && raw.data !== null && raw.data !== undefined) fields.data = raw.data
  return fields
}

function readAddress(reader: EventReader, value: unknown, sources: AddressSources): string | undefined {
  const sent = scalarText(value)?.trim()
  if (sent !== undefined && sent !== '' && sent.toLowerCase().replaceAll(' ', '') !== AUTO) {
    const address = readIp(sent)
    if (address === undefined) reader.problem('ip_address', 'invalid_value')
    return address
  }
  const asked = sent !== undefined && sent !== ''
  if (!asked && sent === undefined && value !== undefined && value !== null)
    reader.problem('ip_address', 'invalid_type')
  if (sources.inferIp === 'never') return undefined
  const isWanted =
    asked || sources.inferIp === 'auto' || (sources.inferIp === undefined && FILLED.has(sources.platform))
  return isWanted ? inferAddress(sources) : undefined
}

function inferAddress({ request, clientAddress }: AddressSources): string | undefined {
  const remote = request?.env?.REMOTE_ADDR
  const fromServer = typeof remote === 'string' ? readIp(remote) : undefined
  return fromServer ?? (clientAddress === null ? undefined : readIp(clientAddress))
}

/** An address without port and zone, in the one spelling that people are found by; `undefined` when it is none. */
function readIp(text: string): string | undefined {
  if (text.length > 64) return undefined
  const bare = text.trim().replace(/%\w{1,16}$/, '')
  const candidate =
    /^\[([0-9a-f:.]{2,45})\](?::\d{1,5})?$/i.exec(bare)?.[1] ??
    /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(bare)?.[1] ??
    bare
  return canonicalIp(candidate) ?? undefined
}
