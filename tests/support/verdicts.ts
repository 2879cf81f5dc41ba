/** Derives what each seat may expect from the tables of the code: routes, actions, calls and permissions. */
import { PERMISSIONS, type Permission, type PermissionEntry } from '@errata/server/access'
import { SEATS, type Seat } from './two-organisations.ts'

export type Access = Permission | 'anyone' | 'signed-in' | 'operator'

/** Served · asked to sign in · not there for them · not allowed. */
export type Verdict = 'open' | 'sign in' | 'missing' | 'forbidden'

/** Role of each seat in the shop. */
const ROLES: Readonly<Record<Seat, PermissionEntry['roles'][number] | null>> = {
  owner: 'owner',
  manager: 'manager',
  member: 'member',
  viewer: 'viewer',
  'member of another team': 'member',
  guest: 'guest',
  'guest of another project': 'guest',
  operator: null,
  'owner of another organisation': null,
  nobody: null,
}

/** Seats that are in the shop but may read no project of it, or are not in it at all. */
export const WITHOUT_PROJECT: readonly Seat[] = SEATS.filter(
  (seat) => ROLES[seat] === null || seat === 'member of another team' || seat === 'guest of another project',
)

export function verdictOf(access: Access, seat: Seat): Verdict {
  if (access === 'anyone') return 'open'
  if (seat === 'nobody') return 'sign in'
  if (access === 'signed-in') return 'open'
  if (access === 'operator') return seat === 'operator' ? 'open' : 'missing'
  const role = ROLES[seat]
  if (role === null) return 'missing'
  const { roles }: PermissionEntry = PERMISSIONS[access]
  return roles.includes(role) ? 'open' : 'forbidden'
}

/** The same for what lies in a project of the shop. */
export function verdictInProject(access: Access, seat: Seat): Verdict {
  const verdict = verdictOf(access, seat)
  const isOfOrganisation = access in PERMISSIONS
  return verdict === 'open' && isOfOrganisation && WITHOUT_PROJECT.includes(seat) ? 'missing' : verdict
}
