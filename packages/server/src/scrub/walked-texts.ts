/** Looks at single texts of a walk. Pure. */
import { looksIssued } from './random.ts'

/** True if a line may hold one of the addresses, which may be spelled with escapes. */
export function mayHold(
  line: string,
  addresses: readonly (readonly [address: string, replacement: string])[],
): boolean {
  return (
    addresses.length > 0 && (/[%\\&]/.test(line) || addresses.some(([address]) => line.includes(address)))
  )
}

/** True for a text that looks issued: no word of a list of words. */
export function isIssued(value: unknown): boolean {
  return typeof value === 'string' && value.length >= 8 && looksIssued(value)
}

export function endsInWord(text: string): boolean {
  const code = text.charCodeAt(text.length - 1) | 0x20
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

const PUBLIC_NAME =
  /(?:^|[-_.a-z])(?:[iI][dD](?:-?\d)?|etag|ETag|digest|checksum|fingerprint|integrity|hash|cursor|ray)$/
const RUN = /^[\w+/=.-]{40,512}$/

/** `x-amz-id-2: …`: which request it was, and no key. */
export function namesPublicRun(key: string, value: unknown): value is string {
  return typeof value === 'string' && value.length >= 40 && PUBLIC_NAME.test(key) && RUN.test(value)
}
