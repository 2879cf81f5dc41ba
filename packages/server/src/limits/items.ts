/** Limits of items of kinds that are read by the common readers: `kinds/plain-item.ts`. */
import { type Limit, limit } from './limit.ts'

export const ITEM_LIMITS = {
  plainTextCharsMax: limit(8_192, 'chars', 'One text of an item of a plain kind.'),
  plainNameCharsMax: limit(
    200,
    'chars',
    'A name or word of an item of a plain kind, and each element of a list.',
  ),
  plainListMax: limit(100, 'count', 'Elements of a list of an item of a plain kind.'),
  plainPairsMax: limit(100, 'count', 'Attributes of an item of a plain kind.'),
} as const satisfies Readonly<Record<string, Limit>>
