import type { SearchToken } from './issue-types.ts'

/** Mark, in values that the server read, of a star that was typed as `\*`. */
const STAR = '\uFDD0'

/** A token as it is typed: quoted where its value would otherwise end early. */
export function tokenText(token: SearchToken): string {
  const { value, negated } = token
  const isPlain = /^[^\s":!\\()[][^\s":!\\()]*$/.test(value) && value !== 'OR' && value !== 'AND'
  const needsQuotes = !isPlain && token.among === undefined
  const written = needsQuotes ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : value
  return `${negated ? '!' : ''}${keyText(token)}${written.replaceAll(STAR, '\\*')}`
}

/** The term that finds a value of the data as it stands, whatever signs it has. */
export function valueTerm(token: SearchToken): string {
  return tokenText({ ...token, value: token.value.replaceAll('*', STAR) })
}

/** Returns what stands before the value, colon included. */
export function keyText({ key, isTag }: Pick<SearchToken, 'key' | 'isTag'>): string {
  if (key === null) return ''
  return isTag !== true && /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(key) ? `${key}:` : `tags[${key}]:`
}

/** The search without one of its tokens. */
export function withoutToken(tokens: readonly SearchToken[], index: number): string {
  return tokens
    .filter((_, at) => at !== index)
    .map(tokenText)
    .join(' ')
}
