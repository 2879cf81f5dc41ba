/** What is wrong with a search, in words below the field. */
import type { SearchProblem, SearchToken, UnknownTag } from '#parts/issue-types.ts'
import type { ListAddress } from '#parts/list-address.ts'
import { Icon } from '#ui/icons.tsx'
import { UnknownTags } from './unknown-tags.tsx'

/** What was not understood, or names nothing that is known. */
export function SearchNotes(props: {
  readonly id: string
  readonly org: string
  readonly address: ListAddress
  readonly tokens: readonly SearchToken[]
  readonly isPlain: boolean
  readonly problems: readonly SearchProblem[]
  readonly unknownTags: readonly UnknownTag[]
}) {
  return (
    <>
      {props.problems.length === 0 ? null : (
        <div id={props.id} role="alert" className="mt-1 space-y-0.5 text-12 text-bad">
          {props.problems.map(({ message, start }) => (
            <p key={`${start} ${message}`} className="flex gap-1">
              <Icon name="exclamation" size={14} className="mt-px shrink-0" />
              <span className="foreign min-w-0">{message}</span>
            </p>
          ))}
        </div>
      )}
      <UnknownTags {...props} />
    </>
  )
}
