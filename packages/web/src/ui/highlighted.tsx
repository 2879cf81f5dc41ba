import { type CodeToken, codeTokens, tokensFrom } from './highlight.ts'

const CLASSES: Readonly<Record<CodeToken['kind'], string | undefined>> = {
  plain: undefined,
  keyword: 'font-strong',
  comment: 'text-ink-3 italic',
  string: 'text-ink-2',
}

/** A piece of a line of JavaScript; `behind` is what stands before it in the line. */
export function Highlighted({ text, behind = '' }: { readonly text: string; readonly behind?: string }) {
  return tokensFrom(codeTokens(behind + text), behind.length).map((token, index) =>
    token.kind === 'plain' ? (
      token.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place
      <span key={index} className={CLASSES[token.kind]}>
        {token.text}
      </span>
    ),
  )
}
