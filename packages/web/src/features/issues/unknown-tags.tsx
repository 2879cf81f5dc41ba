import type { SearchOffer, SearchToken, UnknownTag } from '#parts/issue-types.ts'
import { type ListAddress, listQuery } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { Icon } from '#ui/icons.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { withOtherKey } from './other-key.ts'

/** Another search that may be meant. */
export function OfferedSearches(props: {
  readonly org: string
  readonly address: ListAddress
  readonly offers: readonly SearchOffer[]
}) {
  return props.offers.map(({ as, query }) => (
    <p key={query} className="mt-1 flex gap-1 text-12 text-ink-2">
      <Icon name="search" size={14} className="mt-px shrink-0" />
      <PageLink
        className="link link-text foreign min-w-0"
        to={paths.issues(props.org, listQuery(props.address, { query }))}
      >
        {as === 'email' ? `Issues of this person: ${query}` : `Search for the text: ${query}`}
      </PageLink>
    </p>
  ))
}

/** Why a search may find nothing: a tag that no event has, and the search with what was probably meant. */
export function UnknownTags(props: {
  readonly org: string
  readonly address: ListAddress
  readonly tokens: readonly SearchToken[]
  readonly isPlain: boolean
  readonly unknownTags: readonly UnknownTag[]
}) {
  const { org, address, tokens } = props
  return props.unknownTags.map(({ key, nearest }) => (
    <p key={key} className="mt-1 flex gap-1 text-12 text-warn">
      <Icon name="exclamation" size={14} />
      <span className="foreign">
        No event has the tag “{key}”.
        {nearest === null ? null : (
          <>
            {' '}
            Did you mean{' '}
            {props.isPlain ? (
              <PageLink
                className="link link-text"
                to={paths.issues(org, listQuery(address, { query: withOtherKey(tokens, key, nearest) }))}
              >
                {nearest}
              </PageLink>
            ) : (
              nearest
            )}
            ?
          </>
        )}
      </span>
    </p>
  ))
}
