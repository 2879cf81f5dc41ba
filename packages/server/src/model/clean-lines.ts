/**
 * Lines of source that were looked at and hold no secret: the same lines stand around the frames of event after event,
 * also where no two stacks are alike. Bounded in lines, and forgetful by halves.
 */
import { Memo } from '#base/memo.ts'
import { max } from '#limits/limits.ts'

export class CleanLines {
  readonly #known = new Memo<Verdict>(() => ({ cleanFor: null }), {
    entriesMax: max('cleanLinesMax'),
    charsMax: max('cleanLineCharsMax'),
  })

  /** Returns what is known of a line; a line too long to remember is unknown each time. */
  of(line: string): Verdict {
    return this.#known.of(line)
  }
}

export interface Verdict {
  /** By which keys it was judged to hold none; `null` until then. */
  cleanFor: object | null
}
