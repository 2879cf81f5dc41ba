/**
 * Failures of projects of which no segment is counted. Such a project has sent no spans of late, and hardly ever will: its
 * failures are kept in memory alone, and written once a first segment has come. What a restart forgets are those of
 * requests whose very first spans come behind it.
 */
import { dayOf, type ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { FailureSeen } from '#ports/requests.ts'

interface OfProject {
  failures: FailureSeen[]
  /** By the transaction at hand. */
  isWritten: boolean
}

export class WaitingFailures {
  /** Projects, those that something was added to last at the end. */
  readonly #projects = new Map<ProjectId, OfProject>()
  #count = 0

  add(project: ProjectId, failures: readonly FailureSeen[]): void {
    const known = this.#projects.get(project)?.failures ?? []
    this.#projects.delete(project)
    const all = [...known, ...failures]
    const kept = all.slice(Math.max(0, all.length - max('waitingFailuresMax')))
    this.#projects.set(project, { failures: kept, isWritten: false })
    this.#count += kept.length - known.length
    for (const [other, of] of this.#projects) {
      if (this.#count <= max('waitingFailuresMax') || other === project) break
      this.#projects.delete(other)
      this.#count -= of.failures.length
    }
  }

  /** Returns what has waited for a project's first segment; once, unless it is undone. */
  toWrite(project: ProjectId): readonly FailureSeen[] {
    const of = this.#projects.get(project)
    if (of === undefined || of.isWritten) return []
    of.isWritten = true
    return of.failures
  }

  forgetBefore(day: number): void {
    for (const [project, of] of this.#projects) {
      const kept = of.failures.filter(({ receivedMs }) => dayOf(receivedMs) >= day)
      this.#count -= of.failures.length - kept.length
      of.failures = kept
      if (kept.length === 0) this.#projects.delete(project)
    }
  }

  committed(): void {
    for (const [project, of] of this.#projects) {
      if (!of.isWritten) continue
      this.#projects.delete(project)
      this.#count -= of.failures.length
    }
  }

  /** The transaction may have been undone: what it wrote is written again, which changes nothing where it was not. */
  unwritten(): void {
    for (const of of this.#projects.values()) of.isWritten = false
  }
}
