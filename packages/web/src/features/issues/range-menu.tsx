/** The time range of the list: one of those that are offered, or from and to as typed. */

import { RangeMenu } from '#parts/filter-bar.tsx'
import { KeptFields } from '#parts/kept-fields.tsx'
import { type ListAddress, listQuery, type RangeText } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { RANGES } from '#parts/ranges.ts'
import { MenuHead, MenuLine } from '#ui/menu.tsx'

export function ListRange(props: {
  readonly org: string
  readonly address: ListAddress
  readonly text: RangeText
}) {
  const { org, address, text } = props
  return (
    <RangeMenu
      ranges={RANGES}
      chosen={address.from === null ? address.range : null}
      label={text.label}
      link={(range) => paths.issues(org, listQuery(address, { range, from: null, to: null }))}
    >
      <MenuLine />
      <Custom org={org} address={address} />
    </RangeMenu>
  )
}

/** A plain form: what is chosen beside it stays. */
function Custom({ org, address }: { readonly org: string; readonly address: ListAddress }) {
  return (
    <form method="get" action={paths.issues(org)} className="grid gap-2 px-2 pb-1.5">
      <MenuHead>Custom range (UTC)</MenuHead>
      <KeptFields query={listQuery(address, { from: null, to: null })} />
      {(['from', 'to'] as const).map((end) => (
        <label key={end} className="flex items-center gap-2 text-12 text-ink-2">
          <span className="w-9">{end === 'from' ? 'From' : 'To'}</span>
          <input
            type="datetime-local"
            name={end}
            className="field touch min-w-0 flex-1"
            defaultValue={address[end] ?? ''}
            required={end === 'from'}
          />
        </label>
      ))}
      <button type="submit" className="btn btn-small touch justify-self-end">
        Apply
      </button>
    </form>
  )
}
