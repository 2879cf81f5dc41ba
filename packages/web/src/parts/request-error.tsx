import { LevelMark } from '#ui/level-mark.tsx'
import { quantityText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { titleParts } from './issue-title.ts'
import { paths } from './paths.ts'

type Titled = Parameters<typeof titleParts>[0]

/** Error of a request, in a word that leads to its issue. */
export function RequestError(props: {
  readonly org: string
  readonly error: Titled & { readonly shortId: string; readonly level: string; readonly others: number }
}) {
  const { org, error } = props
  const { type, message } = titleParts(error)
  // What is thrown as a plain error is told apart by its message alone.
  const said = type === '' || (type === 'Error' && message !== '') ? message : type
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5 align-bottom">
      <LevelMark level={error.level} size={12} />
      <PageLink
        className="reach min-w-0 hover:underline"
        to={paths.issue(org, error.shortId)}
        title={`${error.shortId} ${error.title}`}
      >
        <span className="foreign block min-w-0 truncate">{said}</span>
      </PageLink>
      {error.others === 0 ? null : (
        <span
          className="whitespace-nowrap text-12 text-ink-3"
          title={`And of ${quantityText(error.others, 'other issue')}`}
        >
          +{error.others}
        </span>
      )}
    </span>
  )
}
