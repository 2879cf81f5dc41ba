import type { AddressOf } from '#parts/address.ts'
import { paths } from '#parts/paths.ts'
import { type VITALS_ADDRESS, vitalsQuery } from './performance-address.ts'
import type { VitalsData } from './vitals.server.ts'

/** The page with another part of its address. */
export function vitalsLink(
  { org, address, route, vital }: Pick<VitalsData, 'org' | 'address' | 'route' | 'vital'>,
  change: Partial<AddressOf<typeof VITALS_ADDRESS>> = {},
): string {
  return paths.vitals(org, vitalsQuery({ ...address, route, vital }, change))
}
