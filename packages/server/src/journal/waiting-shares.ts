/**
 * Notes whose records wait in the journal, and so which log the next one goes to: the shared one, or the
 * overflow where a project has its share of the shared one already. Exact for what this process appended;
 * what an earlier one left is nobody's.
 */
import type { Clock } from '#base/clock.ts'
import type { ProjectId, Seq } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { EnvelopeRecord } from '#model/record.ts'

interface Share {
  /** Waiting in the shared log. */
  records: number
  bytes: number
  /** On their way into the overflow. */
  appending: number
  /** Number of the last that went there; 0 when it has none that waits. */
  lastInOverflow: number
}

interface Placed {
  readonly number: number
  readonly projectId: ProjectId
  readonly bytes: number
}

export class WaitingShares {
  readonly #recordsMax: number
  readonly #clock: Clock
  readonly #shares = new Map<ProjectId, Share>()
  /** When each project last sent to the shared log, by the clock that never goes back. */
  readonly #sentMs = new Map<ProjectId, number>()
  /** Records of the shared log, in the order of their numbers. */
  #placed: Placed[] = []
  #first = 0
  #overflowReleased = 0

  constructor(recordsMax: number, clock: Clock) {
    this.#recordsMax = recordsMax
    this.#clock = clock
  }

  /** True if a record goes to the overflow; a project that waits there goes on there, so that its records keep their order. */
  goesToOverflow(projectId: ProjectId, bytes: number): boolean {
    if (this.#isInOverflow(projectId)) return true
    const share = this.#shares.get(projectId)
    if (share === undefined || share.records === 0) return false
    return share.records >= this.#recordsMax || share.bytes + bytes > max('journalShareBytes')
  }

  /** Counts a record of the shared log from its append, which is now, to its release; `seq` rejects where it was refused. */
  inShared({ projectId, body }: Pick<EnvelopeRecord, 'projectId' | 'body'>, seq: Promise<Seq>): void {
    const bytes = body.length
    this.#sentMs.set(projectId, this.#clock.elapsed())
    const share = this.#shareOf(projectId)
    share.records++
    share.bytes += bytes
    seq.then(
      (number) => void this.#placed.push({ number, projectId, bytes }),
      () => this.#take(projectId, bytes),
    )
  }

  inOverflow(projectId: ProjectId, seq: Promise<Seq>): void {
    const share = this.#shareOf(projectId)
    share.appending++
    const settle = (number: number) => {
      share.appending--
      if (number > this.#overflowReleased) share.lastInOverflow = Math.max(share.lastInOverflow, number)
      this.#forgetIfEmpty(projectId, share)
    }
    seq.then(settle, () => settle(0))
  }

  /** True if a project of which nothing waits in the overflow sent something less than so many milliseconds ago. */
  othersSentWithin(ms: number): boolean {
    const sinceMs = this.#clock.elapsed() - ms
    for (const [projectId, sentMs] of this.#sentMs) {
      if (sentMs <= sinceMs) this.#sentMs.delete(projectId)
      else if (!this.#isInOverflow(projectId)) return true
    }
    return false
  }

  #isInOverflow(projectId: ProjectId): boolean {
    const share = this.#shares.get(projectId)
    return share !== undefined && (share.appending > 0 || share.lastInOverflow > 0)
  }

  releaseShared(upTo: number): void {
    for (let next = this.#placed[this.#first]; next !== undefined && next.number <= upTo; ) {
      this.#take(next.projectId, next.bytes)
      next = this.#placed[++this.#first]
    }
    if (this.#first * 2 <= this.#placed.length) return
    this.#placed = this.#placed.slice(this.#first)
    this.#first = 0
  }

  releaseOverflow(upTo: number): void {
    this.#overflowReleased = Math.max(this.#overflowReleased, upTo)
    for (const [projectId, share] of this.#shares) {
      if (share.lastInOverflow === 0 || share.lastInOverflow > upTo) continue
      share.lastInOverflow = 0
      this.#forgetIfEmpty(projectId, share)
    }
  }

  #shareOf(projectId: ProjectId): Share {
    const known = this.#shares.get(projectId)
    if (known !== undefined) return known
    const made: Share = { records: 0, bytes: 0, appending: 0, lastInOverflow: 0 }
    this.#shares.set(projectId, made)
    return made
  }

  #take(projectId: ProjectId, bytes: number): void {
    const share = this.#shares.get(projectId)
    if (share === undefined) return
    share.records--
    share.bytes -= bytes
    this.#forgetIfEmpty(projectId, share)
  }

  #forgetIfEmpty(projectId: ProjectId, share: Share): void {
    if (share.records === 0 && share.appending === 0 && share.lastInOverflow === 0)
      this.#shares.delete(projectId)
  }
}
