/** Problems of a search, in words below the field. */
import type { SearchOffer, SearchProblem, SearchToken, UnknownTag } from '#parts/issue-types.ts'
import { type ListAddress, listQuery } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { Icon } from '#ui/icons.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { OfferedSearches, UnknownTags } from './unknown-tags.tsx'

/** Lists what was not understood, or names nothing known. */
export function SearchNotes(props: {
  readonly id: string
  readonly org: string
  readonly address: ListAddress
  readonly tokens: readonly SearchToken[]
  readonly isPlain: boolean
  readonly problems: readonly SearchProblem[]
  readonly unknownTags: readonly UnknownTag[]
  readonly offers: readonly SearchOffer[]
}) {
  return (
    <>
      {props.problems.length === 0 ? null : (
        <div id={props.id} role="alert" className="mt-1 space-y-0.5 text-12 text-bad">
          {props.problems.map((problem) => (
            <p key={`${problem.start} ${problem.message}`} className="flex gap-1">
              <Icon name="exclamation" size={14} className="mt-px shrink-0" />
              <span className="foreign min-w-0">
                <ProblemText org={props.org} address={props.address} problem={problem} />
              </span>
            </p>
          ))}
        </div>
      )}
      <UnknownTags {...props} />
      <OfferedSearches {...props} />
    </>
  )
}

/** Text of a problem; its probable meaning links to the search with it. */
function ProblemText(props: {
  readonly org: string
  readonly address: ListAddress
  readonly problem: SearchProblem
}) {
  const { address, problem } = props
  const { meant, start, end } = problem
  if (meant === undefined) return problem.message
  const query = address.query.slice(0, start) + meant.text + address.query.slice(end)
  return (
    <>
      {meant.lead} Did you mean{' '}
      <PageLink className="link link-text" to={paths.issues(props.org, listQuery(address, { query }))}>
        {meant.text}
      </PageLink>
      ?
    </>
  )
}
