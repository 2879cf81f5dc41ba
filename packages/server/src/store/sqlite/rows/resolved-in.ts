/** What an issue is resolved in, as its row keeps it. */
import type { ResolvedIn } from '#ports/issues.ts'

export function readResolvedIn(text: string | null): ResolvedIn | null {
  return text === null ? null : JSON.parse(text)
}
