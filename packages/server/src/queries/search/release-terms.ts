/**
 * What a search says of releases beside their names: `release:latest`, `first_release:>=1.2`, `release.stage:adopted`.
 * Such a term stands for the names of the releases that it means, project by project. Pure.
 */
import { RELEASE_STAGES, type ReleaseStage, releaseStages } from '#issues/release-stage.ts'
import { eventsOfLate } from '#model/recent-events.ts'
import { compareWithVersion, latestRelease, readRelease, readVersion } from '#model/release-order.ts'
import type { ValueOfProject } from '#model/tag-condition.ts'
import { matchesPattern } from '#model/text-pattern.ts'
import type { ReleaseOfProject } from '#ports/releases.ts'
import type { SearchToken } from '../types.ts'
import { countRange, type FieldFilter, filterOf } from './fields.ts'

/** The values that a term means, such as releases; `null` for one that names its value itself. */
export type Meant = (token: SearchToken) => readonly ValueOfProject[] | null

export const NO_RELEASES: Meant = () => null

type Sign = '>=' | '<=' | '>' | '<'
type Question =
  | { readonly is: 'latest' }
  /** By all of its name, and where a project has none such, by what pages show of it. */
  | { readonly is: 'shown'; readonly pattern: string }
  | { readonly is: 'compared'; readonly sign: Sign; readonly version: string }
  | { readonly is: 'named'; readonly part: 'version' | 'package' | 'build'; readonly pattern: string }
  | { readonly is: 'built'; readonly least: number; readonly most: number }
  | { readonly is: 'staged'; readonly stage: ReleaseStage }

const COMPARED = /^(>=|<=|>|<)(.*)$/s

/** True for a term that the releases of the projects can answer. */
export function asksReleases(token: SearchToken): boolean {
  return askedBy(token) !== null
}

/** What is wrong with the value of such a term, as it ends a sentence; `null`: nothing. */
export function releaseProblem(filter: FieldFilter, value: string): string | null {
  const question = questionOf(filter, value)
  if (question?.is === 'compared' && readVersion(question.version) === null)
    return 'compares versions, such as >=1.2.0 or <web@2.0'
  const isComparedText = filter.by === 'release' && filter.part !== 'stage' && COMPARED.test(value)
  if (isComparedText && question?.is === 'named')
    return question.part === 'build'
      ? 'compares numbers, such as >=120'
      : 'takes a name; versions are compared'
  return null
}

/** Of the releases that a scope has. */
export function releasesMeant(releases: readonly ReleaseOfProject[], nowMs: number): Meant {
  const byProject = Map.groupBy(releases, ({ projectId }) => projectId)
  return (token) => {
    const question = askedBy(token)
    if (question === null) return null
    const found = [...byProject.values()].flatMap((ofProject) => meant(ofProject, question, nowMs))
    if (question.is === 'shown' && found.every(({ version }) => matchesPattern(question.pattern, version)))
      return null
    return found.map(({ projectId, version: value }) => ({ projectId, value }))
  }
}

/** `tags[release]:latest` names a value of the tag. */
function askedBy(token: SearchToken): Question | null {
  return token.isTag === true ? null : questionOf(filterOf(token), token.value)
}

function questionOf(filter: FieldFilter, value: string): Question | null {
  const isName =
    (filter.by === 'tag' && filter.tag === 'release') ||
    (filter.by === 'field' && (filter.field === 'firstRelease' || filter.field === 'lastRelease'))
  const isVersion = filter.by === 'release' && filter.part === 'version'
  if (isName && value.toLowerCase() === 'latest') return { is: 'latest' }
  const [, sign, version = ''] = COMPARED.exec(value) ?? []
  if ((isName || isVersion) && isSign(sign)) return { is: 'compared', sign, version: version.trim() }
  if (isName && value !== '' && !value.includes('@')) return { is: 'shown', pattern: value }
  if (filter.by !== 'release') return null
  const { part } = filter
  const stage = part === 'stage' ? RELEASE_STAGES.find((each) => each === value) : undefined
  if (stage !== undefined) return { is: 'staged', stage }
  const range = part === 'build' && sign !== undefined ? countRange(value) : null
  return range === null
    ? { is: 'named', part: part === 'stage' ? 'version' : part, pattern: value }
    : { is: 'built', ...range }
}

function isSign(text: string | undefined): text is Sign {
  return text !== undefined
}

/** Of one project. */
function meant(
  releases: readonly ReleaseOfProject[],
  question: Question,
  nowMs: number,
): readonly ReleaseOfProject[] {
  switch (question.is) {
    case 'latest': {
      const latest = latestRelease(releases)
      return latest === null ? [] : [latest]
    }
    case 'compared':
      return releases.filter(({ version }) => {
        const order = compareWithVersion(version, question.version)
        return order !== null && IS_SO[question.sign](order)
      })
    case 'shown': {
      const named = releases.filter(({ version }) => matchesPattern(question.pattern, version))
      return named.length > 0 ? named : releases.filter(({ version }) => isShownAs(version, question.pattern))
    }
    case 'named':
      return releases.filter(({ version }) => isNamed(version, question))
    case 'built':
      return releases.filter(({ version }) => {
        const build = Number(readRelease(version).build ?? Number.NaN)
        return build >= question.least && build <= question.most
      })
    case 'staged': {
      const stages = stagesOf(releases, nowMs)
      return releases.filter(({ version }) => stages.get(version) === question.stage)
    }
  }
}

const IS_SO: Readonly<Record<Sign, (order: number) => boolean>> = {
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '<': (order) => order < 0,
}

/** Pages show `shop@1.2.0+7` without its package, so that people search for that. */
function isShownAs(name: string, pattern: string): boolean {
  const { version, build } = readRelease(name)
  return (
    matchesPattern(pattern, version) || (build !== null && matchesPattern(pattern, `${version}+${build}`))
  )
}

/** `release.version:1.2` is 1.2.0 too. */
function isNamed(name: string, { part, pattern }: Extract<Question, { readonly is: 'named' }>): boolean {
  const text = readRelease(name)[part]
  if (text === null) return false
  return matchesPattern(pattern, text) || (part === 'version' && compareWithVersion(name, pattern) === 0)
}

/** By the events of late. */
function stagesOf(releases: readonly ReleaseOfProject[], nowMs: number): ReadonlyMap<string, ReleaseStage> {
  return releaseStages(
    releases.map(({ version, atMs, recent }) => ({ version, atMs, uses: eventsOfLate(recent, nowMs) })),
  )
}
