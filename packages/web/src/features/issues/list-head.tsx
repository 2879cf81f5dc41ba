/** Column headings that sort through the URL. The bulk bar takes the place of the first one. */
import type { ReactNode } from 'react'
import type { IssueSort } from '#parts/issue-types.ts'
import { type ListAddress, listQuery } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { rangeOf } from '#parts/ranges.ts'
import { Icon } from '#ui/icons.tsx'
import { PageLink } from '#wire/page-link.tsx'

export function ListHead(props: {
  readonly org: string
  readonly address: ListAddress
  readonly check: ReactNode
  readonly bulk: ReactNode
}) {
  const { org, address } = props
  const sort = { org, address }
  return (
    <thead className="max-phone:hidden">
      <tr className="h-9 border-y bg-canvas text-12 text-ink-3 group-has-[.row-check:checked]/list:bg-select">
        <th scope="col" className="w-[46px] ps-6 pe-1.5 text-start align-middle">
          {props.check}
        </th>
        <th scope="col" className="w-7">
          <span className="visually-hidden">Level</span>
        </th>
        <th scope="col" className="px-1.5 text-start align-middle font-normal">
          <span className="group-has-[.row-check:checked]/list:sr-only">Issue</span>
          <div className="hidden group-has-[.row-check:checked]/list:block">{props.bulk}</div>
        </th>
        <th scope="col" className="w-[200px] px-1.5 text-start font-normal max-wide:w-[140px]">
          Trend, {rangeOf(address.range).short}
          <span className="max-wide:hidden">, and its peak</span>
        </th>
        <SortHead {...sort} by="freq" label="Events" width="w-[84px]" />
        <SortHead {...sort} by="user" label="Users" width="w-[76px]" />
        <SortHead {...sort} by="date" label="Last seen" width="w-[84px]" />
        <SortHead {...sort} by="new" label="Age" width="w-[60px]" />
        <th scope="col" className="w-[70px] ps-1.5 pe-6 text-end font-normal">
          Who
        </th>
      </tr>
    </thead>
  )
}

function SortHead(props: {
  readonly org: string
  readonly address: ListAddress
  readonly by: IssueSort
  readonly label: string
  readonly width: string
}) {
  const { address, by } = props
  const isChosen = address.sort === by
  // Age counts from the first event: the newest first is the youngest first.
  const direction = by === 'new' ? 'ascending' : 'descending'
  return (
    <th
      scope="col"
      aria-sort={isChosen ? direction : undefined}
      className={`${props.width} px-1.5 text-end font-normal whitespace-nowrap`}
    >
      <PageLink
        to={paths.issues(props.org, listQuery(address, { sort: by }))}
        className={`inline-flex items-center gap-1 hover:text-ink ${isChosen ? 'font-strong text-ink' : ''}`}
      >
        {props.label}
        {isChosen ? <Icon name={by === 'new' ? 'arrow-up' : 'arrow-down'} size={12} /> : null}
      </PageLink>
    </th>
  )
}
