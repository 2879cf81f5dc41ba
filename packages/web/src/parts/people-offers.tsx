import { OfferList, type OfferListProps, usePeople } from './search-offers.tsx'

/** Affected people below a field that finds something else by plain text. */
export function PeopleOffers(props: OfferListProps & { readonly org: string; readonly draft: string }) {
  return <OfferList {...props} offers={usePeople(props.org, props.draft.trim())} />
}
