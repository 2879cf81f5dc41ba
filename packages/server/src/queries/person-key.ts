/** How a person that somebody typed is named in the columns: as `EventRow.people` has it. */
import { isIP } from 'node:net'
import { max } from '#base/limits.ts'
import { ok, type Result, refuse } from '#base/result.ts'

/** What a person can be deleted by. */
export const PERSON_BY = ['id', 'email', 'address'] as const

export interface PersonRef {
  readonly by: (typeof PERSON_BY)[number]
  /** As typed. */
  readonly person: string
}

const RULES = {
  id: { kind: 'id', rule: 'An id as your app sends it.', reads: () => true },
  email: { kind: 'email', rule: 'A mail address.', reads: (text: string) => text.includes('@') },
  address: { kind: 'ip', rule: 'An IPv4 or IPv6 address.', reads: (text: string) => isIP(text) !== 0 },
} as const

export function personKey({ by, person }: PersonRef): Result<string> {
  const { kind, rule, reads } = RULES[by]
  const plain = person.trim()
  if (plain === '' || plain.length > max('tagValueCharsMax') || !reads(plain)) {
    return refuse('invalid_input', rule, { person: [rule] })
  }
  // Ids are told apart by case; the columns fold the others.
  const folded = by === 'id' ? plain : plain.toLowerCase()
  return ok(`${kind}:${folded}`.slice(0, max('tagValueCharsMax')))
}
