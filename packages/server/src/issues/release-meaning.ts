/**
 * Which releases of projects a search means. Names are whatever clients send, and thousands: each is taken apart once,
 * and looked at once for a question, however many projects have it. Pure.
 */
import type { ProjectId } from '#base/ids.ts'
import { eventsOfLate } from '#model/recent-events.ts'
import {
  compareParts,
  latestRelease,
  parseRelease,
  type ReleaseParts,
  readVersion,
} from '#model/release-order.ts'
import type { ReleaseQuestion, ReleaseSign, ReleaseStage } from '#model/release-question.ts'
import { patternTest } from '#model/text-pattern.ts'
import type { ReleaseOfProject } from '#ports/releases.ts'
import { releaseStages } from './release-stage.ts'

/** `null`: names that say it all themselves. */
export type Meaning = (question: ReleaseQuestion) => readonly ReleaseOfProject[] | null

export function releaseMeaning(releases: readonly ReleaseOfProject[], nowMs: number): Meaning {
  const known = new Known(releases, nowMs)
  return (question) => answerQuestion(known, question)
}

/** Memory of names that are asked for again and again. */
class Known {
  readonly byProject: ReadonlyMap<ProjectId, readonly ReleaseOfProject[]>
  readonly nowMs: number
  readonly #parts: ReadonlyMap<string, ReleaseParts>
  #stages: ReadonlyMap<ProjectId, ReadonlyMap<string, ReleaseStage>> | null = null
  #latest: readonly ReleaseOfProject[] | null = null

  constructor(releases: readonly ReleaseOfProject[], nowMs: number) {
    this.byProject = Map.groupBy(releases, ({ projectId }) => projectId)
    this.#parts = new Map(releases.map(({ version }) => [version, parseRelease(version)]))
    this.nowMs = nowMs
  }

  /** Returns the names that `test` accepts. */
  named(test: (name: string, parts: ReleaseParts) => boolean): ReadonlySet<string> {
    const found = new Set<string>()
    for (const [name, parts] of this.#parts) if (test(name, parts)) found.add(name)
    return found
  }

  in(names: ReadonlySet<string>, of?: readonly ReleaseOfProject[]): readonly ReleaseOfProject[] {
    if (names.size === 0) return []
    if (of !== undefined) return of.filter(({ version }) => names.has(version))
    return [...this.byProject.values()].flatMap((own) => this.in(names, own))
  }

  get stages(): ReadonlyMap<ProjectId, ReadonlyMap<string, ReleaseStage>> {
    this.#stages ??= new Map([...this.byProject].map(([id, own]) => [id, stagesOf(own, this.nowMs)]))
    return this.#stages
  }

  get latest(): readonly ReleaseOfProject[] {
    this.#latest ??= [...this.byProject.values()].flatMap((own) => latestRelease(own) ?? [])
    return this.#latest
  }
}

function answerQuestion(known: Known, question: ReleaseQuestion): ReturnType<Meaning> {
  switch (question.is) {
    case 'latest':
      return known.latest
    case 'compared': {
      const version = readVersion(question.version)
      const isSo = IS_SO[question.sign]
      if (version === null) return []
      return known.in(known.named((_, parts) => isSo(releaseOrder(parts, version) ?? Number.NaN)))
    }
    case 'shown':
      return matchShownName(known, question.pattern)
    case 'named':
      return known.in(namedSo(known, question))
    case 'built': {
      const { least, most } = question
      const isIn = (build: number) => build >= least && build <= most
      return known.in(known.named((_, { build }) => isIn(Number(build ?? Number.NaN))))
    }
    case 'staged':
      return [...known.byProject].flatMap(([id, own]) => {
        const stages = known.stages.get(id)
        return own.filter(({ version }) => stages?.get(version) === question.stage)
      })
  }
}

const IS_SO: Readonly<Record<ReleaseSign, (order: number) => boolean>> = {
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '<': (order) => order < 0,
}

/** `null`: they cannot be compared. */
function releaseOrder(one: ReleaseParts, version: ReleaseParts): number | null {
  if (one.numbers === null) return null
  return version.package === null || version.package === one.package ? compareParts(one, version) : null
}

/** Pages show `shop@1.2.0+7` without its package, so that people search for that. */
function matchShownName(known: Known, pattern: string): ReturnType<Meaning> {
  const isSo = patternTest(pattern)
  const whole = known.named(isSo)
  const lacksIt = (own: readonly ReleaseOfProject[]) => !own.some(({ version }) => whole.has(version))
  const lacking = [...known.byProject.values()].filter(lacksIt)
  const short = lacking.length === 0 ? whole : known.named((_, parts) => isShownAs(parts, isSo))
  const found = lacking.flatMap((own) => known.in(short, own))
  if (found.length === 0) return null
  return [...known.in(whole), ...found]
}

function isShownAs({ version, build }: ReleaseParts, isSo: (text: string) => boolean): boolean {
  return isSo(version) || (build !== null && isSo(`${version}+${build}`))
}

/** `release.version:1.2` is 1.2.0 too. */
function namedSo(
  known: Known,
  { part, pattern }: Extract<ReleaseQuestion, { readonly is: 'named' }>,
): ReadonlySet<string> {
  const version = part === 'version' ? readVersion(pattern) : null
  const isSo = patternTest(pattern)
  return known.named((_, parts) => {
    const text = parts[part]
    if (text === null) return false
    return isSo(text) || (version !== null && releaseOrder(parts, version) === 0)
  })
}

/** By the events of late. */
function stagesOf(releases: readonly ReleaseOfProject[], nowMs: number): ReadonlyMap<string, ReleaseStage> {
  return releaseStages(
    releases.map(({ version, atMs, recent }) => ({ version, atMs, uses: eventsOfLate(recent, nowMs) })),
  )
}
