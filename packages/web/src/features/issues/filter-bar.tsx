/** Project, environment and time range as menus of links, and the search. All of it lives in the URL. */

import type { ReactNode } from 'react'
import { ChoiceMenu, FilterBar } from '#parts/filter-bar.tsx'
import type { SearchOffer, SearchProblem, SearchToken, UnknownTag } from '#parts/issue-types.ts'
import { type ListAddress, listQuery, type RangeText } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { type ProjectChoices, ProjectMenu } from '#parts/project-menu.tsx'
import { FilterButtons } from './filter-buttons.tsx'
import { ListRange } from './range-menu.tsx'
import { SearchField } from './search-field.tsx'

export function ListFilters(props: {
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
  /** Controls that a wide screen has beside the tabs. */
  readonly tools: ReactNode
}) {
  const { org, address, projects } = props
  return (
    <FilterBar
      menus={
        <>
          <ProjectMenu
            org={org}
            choices={projects}
            chosen={address.projects}
            several
            link={(next) => paths.issues(org, listQuery(address, { projects: next }))}
          />
          <ChoiceMenu
            several
            what="environment"
            chosen={address.environments}
            options={props.environments.map((value) => ({ value, text: value }))}
            link={(next) => paths.issues(org, listQuery(address, { environments: next }))}
            head={props.others ?? 'Any of'}
          />
          <ListRange org={org} address={address} text={props.range} />
          <div className="flex gap-2 phone:hidden">{props.tools}</div>
          {props.isPlain && props.problems.length === 0 ? (
            <FilterButtons {...{ org, address }} tokens={props.tokens} />
          ) : null}
        </>
      }
    >
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
    </FilterBar>
  )
}
