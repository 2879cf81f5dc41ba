/**
 * Terms about releases beside their names: `release:latest`, `first_release:>=1.2`, `release.stage:adopted`.
 * Each stands for the names it means, project by project: `issues/release-meaning.ts`. Pure.
 */
import { readVersion } from '#model/release-order.ts'
import { RELEASE_STAGES, type ReleaseQuestion, type ReleaseSign } from '#model/release-question.ts'
import type { ValueOfProject } from '#model/tag-condition.ts'
import type { SearchToken } from '../types.ts'
import { countRange, type FieldFilter, tokenFilter } from './fields.ts'

/** The values that a term means, such as releases; `null` for one that names its value itself. */
export type MeantValues = (token: SearchToken) => readonly ValueOfProject[] | null

export const NO_RELEASES: MeantValues = () => null

const COMPARED = /^(>=|<=|>|<)(.*)$/s

/** Returns what is wrong with such a value, as the end of a sentence; `null` if nothing. */
export function releaseProblem(filter: FieldFilter, value: string): string | null {
  const question = releaseQuestion(filter, value)
  if (question?.is === 'compared' && readVersion(question.version) === null)
    return 'compares versions, such as >=1.2.0 or <web@2.0'
  const isComparedText = filter.by === 'release' && filter.part !== 'stage' && COMPARED.test(value)
  if (isComparedText && question?.is === 'named')
    return question.part === 'build'
      ? 'compares numbers, such as >=120'
      : 'takes a name; versions are compared'
  return null
}

/**
 * Returns what a term asks of releases. `null` for what the releases are not asked: `tags[release]:latest` names a
 * value of the tag.
 */
export function askedOfReleases(token: SearchToken): ReleaseQuestion | null {
  return token.isTag === true ? null : releaseQuestion(tokenFilter(token), token.value)
}

function releaseQuestion(filter: FieldFilter, value: string): ReleaseQuestion | null {
  const isName =
    (filter.by === 'tag' && filter.tag === 'release') ||
    (filter.by === 'field' && (filter.field === 'firstRelease' || filter.field === 'lastRelease'))
  const isVersion = filter.by === 'release' && filter.part === 'version'
  if (isName && value.toLowerCase() === 'latest') return { is: 'latest' }
  const [, sign, version = ''] = COMPARED.exec(value) ?? []
  if ((isName || isVersion) && isReleaseSign(sign)) return { is: 'compared', sign, version: version.trim() }
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

function isReleaseSign(text: string | undefined): text is ReleaseSign {
  return text !== undefined
}
