/** How much is remembered of names and paths: they are the same in event after event. Results are never affected. */

import type { MemoLimits } from '#base/memo.ts'
import { max } from '#limits/limits.ts'

export const MEMO_LIMITS: MemoLimits = {
  entriesMax: max('memoEntriesMax'),
  charsMax: max('memoCharsMax'),
}
