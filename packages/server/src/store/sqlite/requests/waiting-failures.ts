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
  /** Failures that projects had before the batch at hand added or pushed out any. */
  readonly #before = new Map<ProjectId, FailureSeen[]>()
  #count = 0

  add(project: ProjectId, failures: readonly FailureSeen[]): void {
    const known = this.#projects.get(project)?.failures ?? []
    this.#noteBefore(project, known)
    this.#projects.delete(project)
    const all = [...known, ...failures]
    const kept = all.slice(Math.max(0, all.length - max('waitingFailuresMax')))
    this.#projects.set(project, { failures: kept, isWritten: false })
    this.#count += kept.length - known.length
    for (const [other, of] of this.#projects) {
      if (this.#count <= max('waitingFailuresMax') || other === project) break
      this.#noteBefore(other, of.failures)
      this.#projects.delete(other)
      this.#count -= of.failures.length
    }
  }

  #noteBefore(project: ProjectId, failures: FailureSeen[]): void {
    if (!this.#before.has(project)) this.#before.set(project, failures)
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
    this.#before.clear()
    for (const [project, of] of this.#projects) {
      if (!of.isWritten) continue
      this.#projects.delete(project)
      this.#count -= of.failures.length
    }
  }

  /**
   * The transaction may have been undone: what it wrote is written again, which changes nothing where it was not. What its
   * batch added comes with the batch again.
   */
  unwritten(): void {
    for (const of of this.#projects.values()) of.isWritten = false
    for (const [project, failures] of this.#before) {
      this.#count += failures.length - (this.#projects.get(project)?.failures.length ?? 0)
      if (failures.length === 0) this.#projects.delete(project)
      else this.#projects.set(project, { failures, isWritten: false })
    }
    this.#before.clear()
  }
}
