/** Column headings that sort through the URL. The bulk bar takes the place of the first one. */
import type { ReactNode } from 'react'
import type { IssueSort } from '#parts/issue-types.ts'
import { type ListAddress, listQuery, type RangeText } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { Icon } from '#ui/icons.tsx'
import { PageLink } from '#wire/page-link.tsx'

export function ListHead(props: {
  readonly org: string
  readonly address: ListAddress
  readonly range: RangeText
  readonly check: ReactNode
  readonly bulk: ReactNode
}) {
  const { org, address } = props
  const sort = { org, address }
  return (
    <thead className="max-phone:sticky max-phone:top-0 max-phone:z-20 max-phone:hidden max-phone:group-has-[.row-check:checked]/list:block">
      <tr className="relative h-9 border-y bg-canvas text-12 text-ink-3 group-has-[.row-check:checked]/list:bg-select max-phone:flex max-phone:h-13 max-phone:items-center">
        <th
          scope="col"
          className="w-[2.875rem] p-0 text-start align-middle max-phone:w-11 max-phone:shrink-0"
        >
          <span className="flex h-9 items-center ps-6 max-phone:h-11 max-phone:ps-0 max-phone:[&>label]:size-11 max-phone:[&>label]:ps-4">
            {props.check}
          </span>
        </th>
        <th scope="col" className="w-7 max-phone:hidden">
          <span className="visually-hidden">Level</span>
        </th>
        <th
          scope="col"
          className="px-1.5 text-start align-middle font-normal max-phone:min-w-0 max-phone:flex-1"
        >
          <span className="group-has-[.row-check:checked]/list:sr-only">Issue</span>
          <div className={BULK}>{props.bulk}</div>
        </th>
        <th
          data-column="trend"
          scope="col"
          className="w-50 px-1.5 text-start font-normal max-wide:w-27 max-phone:hidden"
        >
          Trend<span className="max-wide:hidden">, {props.range.short}, and its peak</span>
        </th>
        <SortHead {...sort} by="freq" label="Events" width="w-21 max-wide:w-17" />
        <SortHead {...sort} by="user" label="Users" width="w-19 max-wide:w-16" />
        <SortHead {...sort} by="date" label={LAST_SEEN} width="w-21 max-wide:w-24 max-wide:pe-6" />
        <SortHead {...sort} by="new" label="Age" width="w-15 max-wide:hidden" />
        <th
          data-column="assignee"
          scope="col"
          className="w-[5.5rem] ps-1.5 pe-6 text-end font-normal max-wide:hidden"
        >
          Assignee
        </th>
      </tr>
    </thead>
  )
}

/** Classes of the bulk bar: in place of the heading, or over all columns if they leave it no room. */
const BULK =
  'hidden group-has-[.row-check:checked]/list:block max-wide:absolute max-wide:inset-y-0 max-wide:start-[2.875rem] max-wide:end-0 max-wide:content-center max-wide:bg-select max-wide:pe-4 max-phone:static max-phone:pe-0'

const LAST_SEEN = (
  <span>
    Last<span className="max-wide:sr-only"> seen</span>
  </span>
)

const COLUMN_OF = {
  freq: 'events',
  user: 'users',
  new: 'age',
  date: undefined,
  trends: undefined,
  priority: undefined,
} as const

function SortHead(props: {
  readonly org: string
  readonly address: ListAddress
  readonly by: IssueSort
  readonly label: ReactNode
  readonly width: string
}) {
  const { address, by } = props
  const isChosen = address.sort === by
  // Age counts from the first event: the newest first is the youngest first.
  const direction = by === 'new' ? 'ascending' : 'descending'
  return (
    <th
      data-column={COLUMN_OF[by]}
      scope="col"
      aria-sort={isChosen ? direction : undefined}
      className={`${props.width} px-1.5 text-end font-normal whitespace-nowrap max-phone:hidden`}
    >
      <PageLink
        to={paths.issues(props.org, listQuery(address, { sort: by }))}
        title={by === 'user' && address.query === '' ? 'Since each issue began' : undefined}
        className={`inline-flex items-center gap-1 hover:text-ink ${isChosen ? 'font-strong text-ink' : ''}`}
      >
        {props.label}
        {isChosen ? <Icon name={by === 'new' ? 'arrow-up' : 'arrow-down'} size={12} /> : null}
      </PageLink>
    </th>
  )
}
