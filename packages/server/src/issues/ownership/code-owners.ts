/**
 * `CODEOWNERS` files as GitHub, GitLab and Gitea read them. GitLab's sections each name owners of their own, and give
 * theirs to entries that name none:
 *
 *     *            @ada
 *     ^[Docs][2]   @acme/writers
 *     docs/
 *     !docs/api/
 */
import { max } from '#limits/limits.ts'
import { repositoryPath } from '#model/code-mapping.ts'
import type { FileRule, OwnerName, OwnershipFacts, OwnershipRule } from '#ports/ownership.ts'
import { ownerOf, type ParsedOwnership, parseLines, plainPath, wrongOwner } from './line.ts'
import { matchesPath, segmentsOfPath, segmentsOfPattern } from './path-pattern.ts'

interface Section {
  readonly name: string
  readonly owners: readonly OwnerName[]
}

/** A heading is `[Name]`, `^[Name]` or `[Name][2]`, and names alone may follow; `[slug]/page.tsx @ada` is an entry. */
const HEADING = /^\^?\[([^\]]+)\](?:\[\d+\])?(?:\s+(.*))?$/
const BROKEN_HEADING = /^\^?\[[^\]]*$/
/** Texts between spaces, of which a backslash makes part of the text. */
const WORDS = /(?:\\.|[^\s\\]|\\$)+/g

/** What is not understood is said and left out; of an entry the names alone. */
export function parseCodeOwners(text: string): ParsedOwnership {
  let section: Section = { name: '', owners: [] }
  return parseLines(text, (line, problem) => {
    const heading = HEADING.exec(line)
    if (heading !== null) {
      const [, name = '', owners = ''] = heading
      section = { name: name.trim().toLowerCase(), owners: namesOf(wordsOf(owners), problem) }
      return null
    }
    if (BROKEN_HEADING.test(line)) return problem('The name of a section ends with “]”.')
    return entryOf(line, { section, problem })
  })
}

type Problem = (says: string) => null

function entryOf(
  line: string,
  { section, problem }: { readonly section: Section; readonly problem: Problem },
): Omit<OwnershipRule, 'line'> {
  const [written = '', ...names] = wordsOf(line)
  const excludes = written.startsWith('!')
  const pattern = written.slice(excludes ? 1 : 0).replaceAll(/\\(.)/g, '$1')
  const file: FileRule = { section: section.name, excludes, segments: segmentsOfPattern(pattern) }
  const owners = names.length === 0 ? section.owners : namesOf(names, problem)
  return { matcher: 'codeowners', pattern, owners: excludes ? [] : owners, file }
}

/** Up to a comment. */
function wordsOf(line: string): readonly string[] {
  const words: readonly string[] = line.match(WORDS) ?? []
  const comment = words.findIndex((word) => word.startsWith('#'))
  return comment === -1 ? words : words.slice(0, comment)
}

function namesOf(names: readonly string[], problem: Problem): readonly OwnerName[] {
  const most = max('ownersPerRuleMax')
  if (names.length > most) problem(`At most ${most} owners a rule; the others are left out.`)
  return names.slice(0, most).flatMap((name) => {
    const owner = ownerOf(name)
    if (owner !== null) return [owner]
    const isRole = /^@@\w/.test(name)
    problem(isRole ? `“${name.slice(0, 60)}” is a role, which names nobody here.` : wrongOwner(name))
    return []
  })
}

/**
 * The entries that say who owns what failed: of each path, the nearest to the failure first, the last that holds in
 * each section, the last section first.
 */
export function entriesThatHold(
  rules: readonly OwnershipRule[],
  { paths, codeMappings }: Pick<OwnershipFacts, 'paths' | 'codeMappings'>,
): readonly OwnershipRule[] {
  const sections = [...Map.groupBy(rules, ({ file }) => file?.section ?? '').values()].toReversed().map(sides)
  const found = paths
    .slice(0, max('ownershipPathsMax'))
    .map((path) => segmentsOfPath(plainPath(repositoryPath(codeMappings, path))))
    .flatMap((path) => sections.map((section) => entryThatHolds(section, path)))
  return [...new Set(found.filter((rule) => rule !== undefined))]
}

interface Sides {
  readonly entries: readonly OwnershipRule[]
  readonly exclusions: readonly OwnershipRule[]
}

function sides(section: readonly OwnershipRule[]): Sides {
  const { entries = [], exclusions = [] } = Object.groupBy(section, ({ file }) =>
    file?.excludes === true ? 'exclusions' : 'entries',
  )
  return { entries, exclusions }
}

function entryThatHolds({ entries, exclusions }: Sides, path: readonly string[]): OwnershipRule | undefined {
  const holds = ({ file }: OwnershipRule) => file !== undefined && matchesPath(file.segments, path)
  return exclusions.some(holds) ? undefined : entries.findLast(holds)
}
