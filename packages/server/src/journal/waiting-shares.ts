/**
 * Notes whose records wait in the journal, and so which log the next one goes to: the shared one, or the
 * overflow where a project has its share of the shared one already. Exact for what this process appended;
 * what an earlier one left is nobody's.
 */
import type { ProjectId, Seq } from '#base/ids.ts'
import { max } from '#limits/limits.ts'

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
  readonly #shares = new Map<ProjectId, Share>()
  /** Records of the shared log, in the order of their numbers. */
  #placed: Placed[] = []
  #first = 0
  #overflowReleased = 0

  constructor(recordsMax: number) {
    this.#recordsMax = recordsMax
  }

  /** True if a record goes to the overflow; a project that waits there goes on there, so that its records keep their order. */
  goesToOverflow(projectId: ProjectId, bytes: number): boolean {
    const share = this.#shares.get(projectId)
    if (share === undefined) return false
    if (share.appending > 0 || share.lastInOverflow > 0) return true
    if (share.records === 0) return false
    return share.records >= this.#recordsMax || share.bytes + bytes > max('journalShareBytes')
  }

  /** Counts a record of the shared log from its append to its release; `seq` rejects where it was refused. */
  inShared(projectId: ProjectId, bytes: number, seq: Promise<Seq>): void {
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
