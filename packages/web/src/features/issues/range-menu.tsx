/** The time range of the list: one of those that are offered, or from and to as typed. */
import { type ListAddress, listQuery, type RangeText } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { RANGES } from '#parts/ranges.ts'
import { Icon } from '#ui/icons.tsx'
import { Menu, MenuHead, MenuLine, menuItem } from '#ui/menu.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { KeptFields } from './search-field.tsx'
import { Tick } from './tick.tsx'

export function RangeMenu(props: {
  readonly org: string
  readonly address: ListAddress
  readonly text: RangeText
}) {
  const { org, address, text } = props
  return (
    <Menu
      className="btn touch"
      label={
        <>
          <Icon name="clock" size={14} />
          <span className="visually-hidden">Time range: </span>
          <span className="max-wide:hidden">{text.label}</span>
          <span className="wide:hidden">{text.short}</span>
        </>
      }
    >
      {RANGES.map(({ key, label }) => {
        const on = key === address.range && address.from === null
        return (
          <PageLink
            key={key}
            to={paths.issues(org, listQuery(address, { range: key, from: null, to: null }))}
            className={menuItem}
            aria-current={on ? 'true' : undefined}
          >
            <Tick on={on} />
            {label}
          </PageLink>
        )
      })}
      <MenuLine />
      <Custom org={org} address={address} />
    </Menu>
  )
}

/** A plain form: what is chosen beside it stays. */
function Custom({ org, address }: { readonly org: string; readonly address: ListAddress }) {
  return (
    <form method="get" action={paths.issues(org)} className="grid gap-2 px-2 pb-1.5">
      <MenuHead>Custom range (UTC)</MenuHead>
      <KeptFields address={{ ...address, from: null, to: null }} />
      <input type="hidden" name="query" value={address.query} />
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
