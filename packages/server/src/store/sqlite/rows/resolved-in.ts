/** Encodes what an issue is resolved in. */
import type { ResolvedIn } from '#ports/issues.ts'

export function readResolvedIn(text: string | null): ResolvedIn | null {
  return text === null ? null : JSON.parse(text)
}
