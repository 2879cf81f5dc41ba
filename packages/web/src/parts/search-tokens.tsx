import type { SearchToken } from '#parts/issue-types.ts'
import { Icon } from '#ui/icons.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { keyText, tokenText, withoutToken } from './search-token.ts'

/** Tokens of a search, each with the way to the search without it. Fields of a form, in its order. */
export function SearchTokens(props: {
  readonly tokens: readonly SearchToken[]
  readonly to: (query: string) => string
}) {
  const { tokens } = props
  return tokens.map((token, index) => (
    <Token
      // biome-ignore lint/suspicious/noArrayIndexKey: a search may hold the same term twice
      key={`${index} ${tokenText(token)}`}
      token={token}
      text={tokenText(token)}
      to={props.to(withoutToken(tokens, index))}
    />
  ))
}

function Token(props: { readonly token: SearchToken; readonly text: string; readonly to: string }) {
  const { token, text } = props
  return (
    <>
      <input type="hidden" name="query" value={text} />
      <PageLink
        to={props.to}
        title={`Remove ${text}`}
        className="relative inline-flex h-6 max-w-full items-center rounded-mark border border-line-2 bg-sunken px-1.5 text-12 hover:border-control max-phone:my-2 max-phone:h-7 max-phone:after:absolute max-phone:after:-inset-y-2 max-phone:after:inset-x-0"
      >
        <span className="text-ink-3">
          {token.negated ? '!' : ''}
          {keyText(token)}
        </span>
        <span className="truncate font-name">{token.value}</span>
        <Icon name="close" size={12} label="remove" className="ms-1 shrink-0 text-ink-3" />
      </PageLink>
    </>
  )
}
