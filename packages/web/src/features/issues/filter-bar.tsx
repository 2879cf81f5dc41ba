/** Project, environment and time range as menus of links, and the search. All of it lives in the URL. */

import type { Project, SearchOffer, SearchProblem, SearchToken, UnknownTag } from '#parts/issue-types.ts'
import { type ListAddress, listQuery } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { RANGES, rangeOf } from '#parts/ranges.ts'
import { Icon } from '#ui/icons.tsx'
import { Menu, MenuHead, MenuLine, menuItem } from '#ui/menu.tsx'
import { quantityText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { SearchField } from './search-field.tsx'

export function FilterBar(props: {
  readonly org: string
  readonly address: ListAddress
  readonly projects: readonly Project[]
  readonly environments: readonly string[]
  /** Environments that are not listed, in words. */
  readonly others: string | null
  readonly tokens: readonly SearchToken[]
  readonly isPlain: boolean
  readonly hasDefault: boolean
  readonly problems: readonly SearchProblem[]
  readonly unknownTags: readonly UnknownTag[]
  readonly offers: readonly SearchOffer[]
}) {
  const { org, address, projects } = props
  const range = rangeOf(address.range)
  return (
    <div className="flex flex-wrap gap-2 px-6 pt-3 max-phone:px-4">
      <div className="flex gap-2 max-phone:w-full max-phone:overflow-x-auto">
        <Choices
          org={org}
          address={address}
          field="projects"
          subject="projects"
          options={projects.map(({ slug, name }) => ({ value: slug, label: name }))}
        />
        <Choices
          org={org}
          address={address}
          field="environments"
          subject="environments"
          options={props.environments.map((name) => ({ value: name, label: name }))}
          others={props.others}
        />
        <Menu
          className="btn touch"
          label={
            <>
              <Icon name="clock" size={14} />
              <span className="visually-hidden">Time range: </span>
              <span className="max-phone:hidden">{range.label}</span>
              <span className="phone:hidden">{range.short}</span>
            </>
          }
        >
          {RANGES.map(({ key, label }) => (
            <PageLink
              key={key}
              to={paths.issues(org, listQuery(address, { range: key }))}
              className={menuItem}
              aria-current={key === address.range ? 'true' : undefined}
            >
              <Tick on={key === address.range} />
              {label}
            </PageLink>
          ))}
        </Menu>
      </div>
      <SearchField
        org={org}
        address={address}
        tokens={props.tokens}
        isPlain={props.isPlain}
        hasDefault={props.hasDefault}
        problems={props.problems}
        unknownTags={props.unknownTags}
        offers={props.offers}
      />
    </div>
  )
}

/** Several of a list, each a link that adds or removes it. */
function Choices(props: {
  readonly org: string
  readonly address: ListAddress
  readonly field: 'projects' | 'environments'
  readonly subject: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  /** Above the options, where not all are listed. */
  readonly others?: string | null
}) {
  const { org, address, field, options } = props
  const chosen = address[field]
  const only = options.find(({ value }) => value === chosen[0])?.label ?? chosen[0]
  // A phone has room for the subject alone.
  const all = (
    <>
      <span className="max-phone:sr-only">All </span>
      <span className="max-phone:inline-block max-phone:capitalize">{props.subject}</span>
    </>
  )
  const label =
    chosen.length === 0 ? all : chosen.length === 1 ? only : quantityText(chosen.length, '', props.subject)
  const link = (next: readonly string[]) => paths.issues(org, listQuery(address, { [field]: next }))
  return (
    <Menu
      className="btn touch max-w-60"
      label={<span className="truncate">{label}</span>}
      disabledReason={
        options.length === 0 && chosen.length === 0 ? `There are no ${props.subject} yet` : undefined
      }
    >
      <PageLink to={link([])} className={menuItem} aria-current={chosen.length === 0 ? 'true' : undefined}>
        <Tick on={chosen.length === 0} />
        All {props.subject}
      </PageLink>
      <MenuLine />
      <MenuHead>{props.others ?? 'Any of'}</MenuHead>
      {options.map(({ value, label: text }) => {
        const on = chosen.includes(value)
        return (
          <PageLink
            key={value}
            data-stay=""
            to={link(on ? chosen.filter((one) => one !== value) : [...chosen, value])}
            className={menuItem}
            aria-current={on ? 'true' : undefined}
          >
            <Tick on={on} />
            <span className="foreign">{text}</span>
          </PageLink>
        )
      })}
    </Menu>
  )
}

function Tick({ on }: { readonly on: boolean }) {
  return on ? <Icon name="check" size={14} /> : <span className="size-3.5 shrink-0" />
}
