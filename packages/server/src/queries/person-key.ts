/** How a person that somebody typed is named in the columns: as `EventRow.people` has it. */
import { canonicalIp } from '#base/ip-text.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { personName } from '#model/person-name.ts'

/** Ways to name a person for deletion. */
export const PERSON_BY = ['id', 'email', 'address'] as const

export interface PersonRef {
  readonly by: (typeof PERSON_BY)[number]
  /** Text as typed. */
  readonly person: string
}

interface Rule {
  readonly kind: string
  readonly rule: string
  /**
   * Reads the text in the columns' spelling; `null` if it is none. Ids differ by case, mail addresses do not.
   */
  readonly read: (text: string) => string | null
}

const RULES: Readonly<Record<PersonRef['by'], Rule>> = {
  id: { kind: 'id', rule: 'An id as your app sends it.', read: (text) => text },
  email: {
    kind: 'email',
    rule: 'An email such as name@example.com.',
    read: (text) => (text.includes('@') ? text.toLowerCase() : null),
  },
  address: { kind: 'ip', rule: 'An IPv4 or IPv6 address.', read: canonicalIp },
}
/** Most characters typed; the longest mail address has 254. */
const TYPED_CHARS_MAX = 254

export function personKey({ by, person }: PersonRef): Result<string> {
  const { kind, rule, read } = RULES[by]
  const plain = person.trim()
  const name = plain === '' || plain.length > TYPED_CHARS_MAX ? null : read(plain)
  if (name === null) return refuse('invalid_input', rule, { person: [rule] })
  return ok(personName(kind, name))
}
