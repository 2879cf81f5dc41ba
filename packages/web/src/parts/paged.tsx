/** The search above a list of which the server shows a page, and the way to its other pages. */
import { numberText, quantityText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { FindForm } from './find-form.tsx'
import { type Query, withQuery } from './paths.ts'

interface Paging {
  readonly path: string
  readonly query: string
  readonly page: number
  readonly pages: number
  readonly total: number
}

/** Nothing where all of it stands on one page. */
export function PagedSearch(props: Paging & { readonly label: string }) {
  if (props.query === '' && props.pages === 1) return null
  return (
    <FindForm
      action={props.path}
      text={props.query}
      label={props.label}
      placeholder={props.label}
      className="mb-4 block max-w-90"
    />
  )
}

/**
 * Foot of a list in pages: how many there are, and links to the pages beside this one. `what`: one of them, as a word.
 */
export function PagedFoot(
  props: Paging & {
    readonly what: string
    /** Other parameters of the address. */
    readonly kept?: Query
  },
) {
  const { path, query, page, pages, total, what, kept = {} } = props
  if (pages === 1 && query === '') return null
  const to = (at: number) => withQuery(path, { ...kept, query, page: at === 1 ? null : at })
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 text-12 text-ink-3">
      <span className="num">
        {quantityText(total, what)}
        {query === '' ? '' : ` matching “${query}”`}
        {pages === 1 ? '' : `, page ${numberText(page)} of ${numberText(pages)}`}
      </span>
      {page > 1 ? (
        <PageLink to={to(page - 1)} className="link link-alone">
          Previous
        </PageLink>
      ) : null}
      {page < pages ? (
        <PageLink to={to(page + 1)} className="link link-alone">
          Next
        </PageLink>
      ) : null}
    </p>
  )
}

/** Behind names of which there are more. */
export function AndMore({ count }: { readonly count: number }) {
  return count <= 0 ? null : <span className="text-ink-3">{` and ${numberText(count)} more`}</span>
}
