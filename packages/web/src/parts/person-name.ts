/** Names of affected people, as rows have them. Pure. */
import { byWord } from '#ui/by-word.ts'

const KINDS: Readonly<Record<string, string>> = byWord({
  id: 'User ID',
  email: 'Email',
  username: 'Username',
  ip: 'IP address',
})

export interface NameParts {
  /** `User ID`. */
  readonly kind: string
  readonly name: string
}

/** Returns `User ID` and `42` of `id:42`. */
export function nameParts(key: string): NameParts {
  const at = key.indexOf(':')
  const kind = KINDS[key.slice(0, at)]
  return kind === undefined ? { kind: '', name: key } : { kind, name: key.slice(at + 1) }
}
