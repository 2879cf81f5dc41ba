/** Why an issue may be the same failure. Pure. */
import type { SimilarRow } from './grouping.server.ts'

const TEXTS: Readonly<Record<SimilarRow['likeness'], string>> = {
  place_and_message: 'Same type and top frame; messages differ only in numbers and IDs',
  place: 'Same type and same top frame',
  message: 'Same type; messages differ only in numbers and IDs',
}

export function likenessText(likeness: SimilarRow['likeness']): string {
  return TEXTS[likeness]
}
