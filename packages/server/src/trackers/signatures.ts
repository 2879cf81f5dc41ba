/** Checks who sent a webhook. Comparisons take the same time wherever texts differ. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Whether `signature` is the body's, in lower-case hexadecimal digits behind `prefix`. */
export function isHmacOf(
  body: Uint8Array,
  { signature, secret, prefix = '' }: SignedBy & { readonly prefix?: string },
): boolean {
  if (signature === null) return false
  return isSame(`${prefix}${createHmac('sha256', secret).update(body).digest('hex')}`, signature)
}

interface SignedBy {
  readonly signature: string | null
  readonly secret: string
}

/** By their digests, so that not even the length shows. */
export function isSame(own: string, theirs: string | null): boolean {
  if (theirs === null) return false
  const [a, b] = [own, theirs].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
