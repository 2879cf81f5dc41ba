/** How a person that somebody typed is named in the columns: as `EventRow.people` has it. */
import { canonicalIp } from '#base/ip-text.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { personName } from '#model/person-name.ts'

/** Ways to name a person for deletion. */
export const PERSON_BY = ['id', 'email', 'address', 'username'] as const

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
  username: { kind: 'username', rule: 'A username as your app sends it.', read: (text) => text },
}
const KINDS = /^(id|email|username|ip):(.*)$/s

/** Reads a person from the app's address: a name as rows have it, or a bare id, email or address. */
export function personRef(text: string): PersonRef {
  const [, kind, name] = KINDS.exec(text) ?? []
  const by = PERSON_BY.find((each) => RULES[each].kind === kind)
  if (by !== undefined && name !== undefined) return { by, person: name }
  if (canonicalIp(text.trim()) !== null) return { by: 'address', person: text }
  return { by: text.includes('@') ? 'email' : 'id', person: text }
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
