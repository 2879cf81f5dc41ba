/**
 * State of a sign-in at an identity provider, sealed in a cookie: state, nonce and PKCE verifier come back
 * with the browser that began, and with no other. The key lives as long as the process; a sign-in during a
 * restart begins again.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type UserId, userId } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import type { ProviderKind } from '#ports/single-sign-on.ts'
import type { Named } from './claims.ts'

export interface Flow {
  readonly orgId: number
  readonly kind: ProviderKind
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Page the person was going to. */
  readonly next: string
  readonly expiresMs: number
  /** The session that is confirmed, where nobody signs in anew. */
  readonly confirms?: number
}

/** Identity whose account is not joined yet, until the account's owner confirms it. */
export interface Unjoined {
  readonly orgId: number
  readonly kind: ProviderKind
  readonly named: Named
  readonly userId: UserId
  readonly next: string
  readonly expiresMs: number
}

export interface FlowSeal {
  sealUnjoined(unjoined: Unjoined): string
  /** `null`: not ours, changed, too old, or of another kind. */
  openUnjoined(text: string, nowMs: number): Unjoined | null
  seal(flow: Flow): string
  /** `null`: not ours, changed, or too old. */
  open(text: string | null, nowMs: number): Flow | null
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const TICKET_CHARS_MAX = 8_000

export function createFlowSeal(): FlowSeal {
  const key = randomBytes(32)
  return {
    seal: (flow) => sealText(key, flow),
    sealUnjoined: (unjoined) => sealText(key, { unjoined }),
    openUnjoined(text, nowMs) {
      const opened = text.length > TICKET_CHARS_MAX ? null : unsealText(key, text)
      const unjoined = isObject(opened) ? readUnjoined(opened.unjoined) : null
      return unjoined === null || unjoined.expiresMs <= nowMs ? null : unjoined
    },
    open(text, nowMs) {
      const flow = text === null ? null : readFlow(unsealText(key, text))
      return flow === null || flow.expiresMs <= nowMs ? null : flow
    },
  }
}

function sealText(key: Buffer, what: object): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv)
  const text = Buffer.concat([cipher.update(JSON.stringify(what), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
}

function unsealText(key: Buffer, text: string): unknown {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
    return JSON.parse(plain.toString('utf8'))
  } catch {
    return null // sealed by another process, or changed
  }
}

function readUnjoined(value: unknown): Unjoined | null {
  if (!isObject(value) || !isObject(value.named)) return null
  const { orgId, kind, userId: user, next, expiresMs } = value
  const { subject, email, name, groups } = value.named
  const isKind = kind === 'oidc' || kind === 'github'
  if (typeof orgId !== 'number' || !isKind || typeof user !== 'number') return null
  if (typeof expiresMs !== 'number' || typeof next !== 'string') return null
  if (typeof subject !== 'string' || typeof email !== 'string' || typeof name !== 'string') return null
  const known = Array.isArray(groups) ? groups.filter((one): one is string => typeof one === 'string') : []
  const named = { subject, email, name, groups: known }
  return { orgId, kind, named, userId: userId(user), next, expiresMs }
}

function readFlow(value: unknown): Flow | null {
  if (!isObject(value)) return null
  const { orgId, kind, state, nonce, verifier, next, expiresMs, confirms } = value
  const isKind = kind === 'oidc' || kind === 'github'
  if (typeof orgId !== 'number' || !isKind || typeof expiresMs !== 'number') return null
  if (typeof state !== 'string' || typeof nonce !== 'string') return null
  if (typeof verifier !== 'string' || typeof next !== 'string') return null
  const flow: Flow = { orgId, kind, state, nonce, verifier, next, expiresMs }
  if (confirms === undefined) return flow
  return typeof confirms === 'number' ? { ...flow, confirms } : null
}
