import { FileLinks } from '#parts/file-links.tsx'
import { listQuery } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { rangeOf } from '#parts/ranges.ts'
import { buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icons.tsx'
import { Key } from '#ui/key.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { IssueListData } from './issue-list.server.ts'
import { issuesPaths } from './paths.ts'

/** Totals of what is shown, what was not stored, and paging. */
export function ListFooter({ data }: { readonly data: IssueListData }) {
  const { org, list, address, range } = data
  const isWhole = list.nextCursor === null && list.previousCursor === null
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2 px-6 py-2 text-12 text-ink-3 max-phone:px-4">
      <span>
        {isWhole ? 'All ' : `${numberText(list.rows.length)} of `}
        <b className="num font-strong text-ink">{numberText(list.total)}</b> matching{' '}
        {list.total === 1 ? 'issue' : 'issues'}
      </span>
      <Slash />
      <span className="num">
        {list.eventsMatching === null ? null : `${numberText(list.eventsMatching)} of `}
        {quantityText(list.eventsInRange, 'event')} in {range.short}
        {isWhole ? '' : ' on this page'}
      </span>
      {data.inexact === null ? null : (
        <>
          <Slash />
          <span>{data.inexact}</span>
        </>
      )}
      {list.notStored === 0 ? null : (
        <>
          <Slash />
          <span className="num">
            {quantityText(list.notStored, 'item')} not stored:{' '}
            <PageLink className="link link-text" to={paths.outcomes(org, { range: address.range })}>
              see outcomes
            </PageLink>
          </span>
        </>
      )}
      {list.total === 0 ? null : (
        <>
          <Slash />
          <FileLinks to={(format) => issueFilePath(data, format)} />
        </>
      )}
      <span className="ms-auto flex items-center gap-1.5 max-wide:hidden">
        <Key>j</Key> <Key>k</Key> move <Key>x</Key> select <Key>?</Key> all keys
      </span>
      <nav aria-label="Pages" className="flex gap-2 max-wide:ms-auto">
        <Step data={data} cursor={list.previousCursor} label="Previous" />
        <Step data={data} cursor={list.nextCursor} label="Next" />
      </nav>
    </div>
  )
}

const TAB_TERMS = {
  review: 'is:for_review',
  unresolved: 'is:unresolved',
  archived: 'is:archived',
  all: '',
} as const

/** Returns the path of the list as a file, over all its pages: in the API the tab is a term of the search. */
function issueFilePath({ org, address, list }: IssueListData, format: 'csv' | 'jsonl'): string {
  const { projects, environments, sort, range, from, to } = address
  const times = from === null ? { statsPeriod: rangeOf(range).key } : { start: from, end: to }
  const tab = list.namesState ? '' : TAB_TERMS[address.tab]
  const asked = list.isPlain || tab === '' ? address.query : `(${address.query})`
  return issuesPaths.issuesFile(org, {
    ...{ query: `${tab} ${asked}`.trim(), project: projects, environment: environments, sort },
    ...times,
    format,
  })
}

function Step(props: {
  readonly data: IssueListData
  readonly cursor: string | null
  readonly label: 'Previous' | 'Next'
}) {
  const { data, cursor, label } = props
  const inside = (
    <>
      {label === 'Previous' ? <Icon name="chevron-left" size={14} /> : null}
      {label}
      {label === 'Next' ? <Icon name="chevron-right" size={14} /> : null}
    </>
  )
  if (cursor === null) {
    return (
      <span
        className={buttonClass('plain', 'small', 'touch')}
        aria-disabled="true"
        title={label === 'Next' ? 'This is the last page' : 'This is the first page'}
      >
        {inside}
      </span>
    )
  }
  return (
    <PageLink
      prefetch
      to={paths.issues(data.org, listQuery(data.address, { cursor }))}
      rel={label === 'Next' ? 'next' : 'prev'}
      className={buttonClass('plain', 'small', 'touch')}
    >
      {inside}
    </PageLink>
  )
}

function Slash() {
  return (
    <span aria-hidden="true" className="text-line-2">
      /
    </span>
  )
}
