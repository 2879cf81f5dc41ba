/** Which tag values name a person whose data is deleted. */
import { canonicalIp, spellingsOfIp } from '#base/ip-text.ts'
import { hashSessionPerson } from '#model/user-hash.ts'

/** The tag that names who had an event, as in `EventRow.user`. */
export const USER_TAG = 'user'

export class NamedPeople {
  /** Addresses, in lower case: they name a person under any key. */
  readonly #anywhere = new Set<string>()
  /** Key and value: an id such as `42` says nothing under another key. */
  readonly #underKey = new Set<string>()
  readonly #values = new Set<string>()

  /** Takes people as in `EventRow.people`. */
  constructor(people: readonly string[]) {
    for (const person of people) {
      const end = person.indexOf(':')
      const [kind, bare] = [person.slice(0, end), person.slice(end + 1)]
      this.#addUnder(USER_TAG, person)
      for (const key of [`user.${kind}`, `user_${kind}`]) this.#addUnder(key, bare)
      if (bare.includes('@')) this.#addAnywhere(person, bare)
      // Tags are as the app spelled them.
      const address = canonicalIp(bare)
      if (address !== null) this.#addAnywhere(person, bare, ...spellingsOfIp(address))
    }
  }

  /** Every value that may name somebody: what a store looks for, without regard to case, before it asks `has`. */
  get values(): readonly string[] {
    return [...this.#values]
  }

  has({ key, value }: { readonly key: string; readonly value: string }): boolean {
    return this.#anywhere.has(value.toLowerCase()) || this.#underKey.has(`${key}=${value}`)
  }

  #addUnder(key: string, value: string): void {
    this.#underKey.add(`${key}=${value}`)
    this.#values.add(value)
  }

  #addAnywhere(...values: readonly string[]): void {
    for (const value of values) {
      this.#anywhere.add(value.toLowerCase())
      this.#values.add(value)
    }
  }
}

/** The kind of name alone, for the audit, which does not name the person. */
export function kindOfName(person: string): string {
  return person.slice(0, person.indexOf(':'))
}

/** Returns the people as sessions name them: by bare id, address or name. */
export function sessionPeople(people: readonly string[]): ReadonlySet<bigint> {
  return new Set(people.map((person) => hashSessionPerson(person.slice(person.indexOf(':') + 1))))
}
