/** By what a person is known in rows, and found when their data is to be deleted. */
import type { EventUser } from '#model/event.ts'
import { personName } from '#model/person-name.ts'
import { FILTERED } from '#scrub/filtered.ts'

type NamedPerson = Pick<EventUser, 'id' | 'email' | 'username' | 'ip_address'>

/** The most lasting of what an SDK says of a person; `null` when it says nothing. */
export function userKey(user: NamedPerson | undefined): string | null {
  return (
    keyOfPersonName('id', user?.id) ??
    emailKey(user?.email) ??
    keyOfPersonName('username', user?.username) ??
    keyOfPersonName('ip', user?.ip_address)
  )
}

/** Everything that an SDK says of who a person is. */
export function personKeys(user: NamedPerson | undefined): readonly string[] {
  return [
    keyOfPersonName('id', user?.id),
    emailKey(user?.email),
    keyOfPersonName('username', user?.username),
    keyOfPersonName('ip', user?.ip_address),
  ].filter((key) => key !== null)
}

/** Returns one key for an email however it is spelt: `Anna@Shop.test` and `anna@shop.test` are one person. */
function emailKey(value: string | undefined): string | null {
  return keyOfPersonName('email', value)?.toLowerCase() ?? null
}

function keyOfPersonName(name: string, value: string | undefined): string | null {
  const plain = value?.trim() ?? ''
  return plain === '' || plain === FILTERED ? null : personName(name, plain)
}
