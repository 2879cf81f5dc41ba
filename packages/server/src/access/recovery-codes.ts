/** Codes for who has lost every second factor. Each has 80 random bits, so its plain hash is enough. */
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import { secretHash } from './secrets.ts'

const CODE_BYTES = 10
const GROUP = /.{5}/g

/** Read from paper: groups of five. */
export function newRecoveryCodes(random: Random): readonly string[] {
  return Array.from({ length: max('recoveryCodes') }, () => {
    const hex = random.hex(CODE_BYTES)
    return (hex.match(GROUP) ?? [hex]).join('-')
  })
}

/** However it was typed. */
export function recoveryCodeHash(code: string): string {
  return secretHash(code.toLowerCase().replace(/[^0-9a-f]/g, ''))
}
