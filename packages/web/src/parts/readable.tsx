import type { ReactNode } from 'react'
import { ErrorBox } from '#ui/error-box.tsx'
import { useUnread } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation } from '#wire/router.ts'
import { RANGES, type RangeKey } from './ranges.ts'

type Range = (typeof RANGES)[number]

/** Part of a page that a store was asked for: the part itself, or why it could not be read and what to do. */
export function Readable(props: {
  /** Name of the part in the loader. */
  readonly part: string
  /** Subject that cannot be shown: "These requests", "The issues". */
  readonly what: string
  /** That of the page; absent where the page has none. */
  readonly range?: RangeKey
  /** Ranges that its menu offers, if not all. */
  readonly ranges?: readonly Range[]
  readonly children: ReactNode
}) {
  const unread = useUnread(props.part)
  const { pathname, search } = useLocation()
  if (unread === null) return props.children
  const narrower = narrowerRange(search, props.range, props.ranges)
  return (
    <div className="px-6 py-4 max-phone:px-4">
      <ErrorBox
        title={`${props.what} couldn’t be read`}
        code={unread.code}
        next={
          <>
            <a href={`${pathname}${search}`} className="btn">
              Try again
            </a>
            {narrower === null ? null : (
              <PageLink to={`${pathname}${narrower.search}`} className="btn btn-quiet">
                {narrower.label}
              </PageLink>
            )}
          </>
        }
      >
        {unread.message}
        {narrower === null ? null : ' A shorter time range has less to read.'}
      </ErrorBox>
    </div>
  )
}

/** The address with the next shorter range; `null` where there is none. */
export function narrowerRange(
  search: string,
  now: RangeKey | undefined,
  ranges: readonly Range[] = RANGES,
): { readonly search: string; readonly label: string } | null {
  const next = ranges[ranges.findIndex(({ key }) => key === now) - 1]
  if (next === undefined) return null
  const fields = new URLSearchParams(search)
  fields.set('range', next.key)
  for (const place of ['cursor', 'page', 'before']) fields.delete(place)
  return { search: `?${fields}`, label: next.label }
}
