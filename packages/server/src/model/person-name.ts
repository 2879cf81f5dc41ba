/** How the columns name a person, and so what somebody who asks for one must be looked for by. */
import { max } from '#limits/limits.ts'

/** `id:42`, `email:…`: cut to the length of a tag's value, never within a character. */
export function personName(kind: string, name: string): string {
  return `${kind}:${name}`.slice(0, max('tagValueCharsMax')).replace(/[\uD800-\uDBFF]$/, '')
}
