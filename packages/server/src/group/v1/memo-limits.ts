/** How much is remembered of names and paths: they are the same in event after event. Results are never affected. */
import { max } from '#base/limits.ts'
import type { MemoLimits } from '#base/memo.ts'

export const MEMO_LIMITS: MemoLimits = {
  entriesMax: max('memoEntriesMax'),
  charsMax: max('memoCharsMax'),
}
