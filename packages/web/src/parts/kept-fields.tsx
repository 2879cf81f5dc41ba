import { type Query, queryPairs } from './paths.ts'

/** Hidden fields of a form that leads to a list: what its address says besides the fields that are shown. */
export function KeptFields({ query }: { readonly query: Query }) {
  return queryPairs(query).map(([name, value]) => (
    <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
  ))
}
