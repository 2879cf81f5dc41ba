import type { SearchToken } from './issue-types.ts'

/** A token as it is typed: quoted where its value would otherwise end early. */
export function tokenText({ key, value, negated }: SearchToken): string {
  const mark = negated ? '!' : ''
  const name = key === null ? '' : /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(key) ? `${key}:` : `tags[${key}]:`
  const needsQuotes = value === '' || /[\s":!]/.test(value)
  return `${mark}${name}${needsQuotes ? `"${value.replaceAll('"', '\\"')}"` : value}`
}
