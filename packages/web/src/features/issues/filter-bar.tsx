/** Project, environment and time range as menus of links, and the search. All of it lives in the URL. */

import type { SearchOffer, SearchProblem, SearchToken, UnknownTag } from '#parts/issue-types.ts'
import { type ListAddress, listQuery, type RangeText } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { type ProjectChoices, ProjectMenu } from '#parts/project-menu.tsx'
import { Menu, MenuHead, MenuLine, menuItem } from '#ui/menu.tsx'
import { quantityText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { FilterButtons } from './filter-buttons.tsx'
import { RangeMenu } from './range-menu.tsx'
import { SearchField } from './search-field.tsx'
import { Tick } from './tick.tsx'

export function FilterBar(props: {
  readonly org: string
  readonly address: ListAddress
  readonly range: RangeText
  readonly projects: ProjectChoices
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
  return (
    <div className="flex flex-wrap gap-2 px-6 pt-3 max-phone:px-4">
      <div className="relative flex gap-2 phone:flex-wrap max-phone:w-full max-phone:overflow-x-auto">
        <ProjectMenu
          org={org}
          choices={projects}
          chosen={address.projects}
          several
          all={<AllOf subject="projects" />}
          link={(next) => paths.issues(org, listQuery(address, { projects: next }))}
        />
        <Environments org={org} address={address} options={props.environments} others={props.others} />
        <RangeMenu org={org} address={address} text={props.range} />
        {props.isPlain && props.problems.length === 0 ? (
          <FilterButtons {...{ org, address }} tokens={props.tokens} />
        ) : null}
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

// A narrow page has room for the subject alone.
function AllOf({ subject }: { readonly subject: string }) {
  return (
    <>
      <span className="max-wide:sr-only">All </span>
      <span className="max-wide:inline-block max-wide:capitalize">{subject}</span>
    </>
  )
}

/** Several of a list, each a link that adds or removes it. */
function Environments(props: {
  readonly org: string
  readonly address: ListAddress
  readonly options: readonly string[]
  /** Above the options, where not all are listed. */
  readonly others: string | null
}) {
  const { org, address, options } = props
  const chosen = address.environments
  const label =
    chosen.length === 0 ? (
      <AllOf subject="environments" />
    ) : chosen.length === 1 ? (
      chosen[0]
    ) : (
      quantityText(chosen.length, 'environment')
    )
  const link = (next: readonly string[]) => paths.issues(org, listQuery(address, { environments: next }))
  return (
    <Menu
      className="btn touch max-w-60"
      label={<span className="truncate">{label}</span>}
      disabledReason={
        options.length === 0 && chosen.length === 0 ? 'There are no environments yet' : undefined
      }
    >
      <PageLink to={link([])} className={menuItem} aria-current={chosen.length === 0 ? 'true' : undefined}>
        <Tick on={chosen.length === 0} />
        All environments
      </PageLink>
      <MenuLine />
      <MenuHead>{props.others ?? 'Any of'}</MenuHead>
      {options.map((name) => {
        const on = chosen.includes(name)
        return (
          <PageLink
            key={name}
            data-stay=""
            to={link(on ? chosen.filter((one) => one !== name) : [...chosen, name])}
            className={menuItem}
            aria-current={on ? 'true' : undefined}
          >
            <Tick on={on} />
            <span className="foreign">{name}</span>
          </PageLink>
        )
      })}
    </Menu>
  )
}
