/** Tells upkeep how far the journal is applied: a large blob that waits there is named by no row yet. */
import type { Clock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import type { Care } from '#ports/care.ts'

interface AppliedParts {
  readonly journal: { backlog(): { readonly oldestMs: number } }
  readonly care: Pick<Care, 'noteApplied'>
  readonly clock: Clock
}

/** Returns the timer, which the engine ends. */
export function tellApplied({ journal, care, clock }: AppliedParts): NodeJS.Timeout {
  const tell = () => {
    const { oldestMs } = journal.backlog()
    void care.noteApplied(clock.now() - oldestMs).catch(ignoreUntilNextTime)
  }
  const timer = setInterval(tell, max('appliedToldMs'))
  timer.unref()
  return timer
}

/** A thread that ends is told of by the engine, and the next one is told in a minute. */
function ignoreUntilNextTime(): void {}
