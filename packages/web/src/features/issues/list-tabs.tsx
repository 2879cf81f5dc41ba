import type { ReactNode } from 'react'
import { ChoiceLink } from '#parts/filter-bar.tsx'
import type { IssueTab } from '#parts/issue-types.ts'
import { type ListAddress, listQuery, SORTS, TABS } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { Icon } from '#ui/icons.tsx'
import { Menu } from '#ui/menu.tsx'
import { TabLabel, Tabs, tab } from '#ui/tabs.tsx'
import { PageLink } from '#wire/page-link.tsx'

export function ListTabs(props: {
  readonly org: string
  readonly address: ListAddress
  /** The search says which states are meant: the rows are of no tab. */
  readonly namesState: boolean
  readonly counts: Readonly<Record<IssueTab, number>>
  /** Notice of issues that arrived since the list was read. */
  readonly news: ReactNode
  /** Sort, timeline, team, columns: a phone has them beside the filters. */
  readonly tools: ReactNode
}) {
  const { org, address } = props
  return (
    <div className="flex items-center gap-4 px-6 max-phone:border-b max-phone:px-4">
      <Tabs label="Issues by state" className="min-w-0 flex-1 max-phone:gap-4">
        {TABS.map(({ key, label }) => (
          <PageLink
            key={key}
            to={paths.issues(org, listQuery(address, { tab: key }))}
            className={tab}
            aria-current={key === address.tab && !props.namesState ? 'page' : undefined}
          >
            <TabLabel label={label} count={props.counts[key]} />
          </PageLink>
        ))}
      </Tabs>
      {props.news}
      <div className="flex items-center gap-4 max-phone:hidden">{props.tools}</div>
    </div>
  )
}

export function SortMenu({ org, address }: { readonly org: string; readonly address: ListAddress }) {
  const sort = SORTS.find(({ key }) => key === address.sort)?.label.toLowerCase()
  return (
    <Menu
      align="end"
      className="btn btn-quiet btn-small touch px-0"
      chevron={false}
      label={
        <>
          <Icon name="sort" size={14} />
          Sort: {sort}
        </>
      }
    >
      {SORTS.map(({ key, label }) => (
        <ChoiceLink
          key={key}
          to={paths.issues(org, listQuery(address, { sort: key }))}
          on={key === address.sort}
        >
          {label}
        </ChoiceLink>
      ))}
    </Menu>
  )
}
