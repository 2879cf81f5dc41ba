/** Changes of feature flags. */
import { type Limit, limit } from './limit.ts'

export const FLAG_LIMITS = {
  flagChangesPerOrgMax: limit(
    10_000,
    'count',
    'Changes of flags that an organisation keeps; beyond it those that were told first go.',
  ),
  flagChangesPerCallMax: limit(100, 'count', 'Changes of flags that one call tells of.'),
  flagChangeDays: limit(90, 'days', 'A change of a flag is kept for so long.'),
  flagCharsMax: limit(100, 'chars', 'Name of a flag, and of who changed it.'),
  flagChangeIdCharsMax: limit(
    64,
    'chars',
    'Name of a change of a flag, in the words of whoever tells of it.',
  ),
} satisfies Readonly<Record<string, Limit>>
