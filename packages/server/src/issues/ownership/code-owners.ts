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
import type { FileRule, OwnerName, OwnershipRule } from '#ports/ownership.ts'
import { ownerOf, type ParsedOwnership, parseLines, wrongOwner } from './line.ts'
import { segmentsOfPattern } from './path-pattern.ts'

interface Section {
  readonly name: string
  readonly owners: readonly OwnerName[]
}

/** A heading is `[Name]`, `^[Name]` or `[Name][2]`, and names alone may follow; `[slug]/page.tsx @ada` is an entry. */
const HEADING = /^\^?\[([^\]]+)\](?:\[\d+\])?(?:\s([\s\S]*))?$/
const BROKEN_HEADING = /^\^?\[[^\]]*$/
/** Texts between spaces, of which a backslash makes part of the text. */
const WORDS = /(?:\\.|[^\s\\]|\\$)+/g

/**
 * Parses `CODEOWNERS`. Lines that are not understood are reported and left out; of an owner only the name
 * counts.
 */
export function parseCodeOwners(text: string): ParsedOwnership {
  let section: Section = { name: '', owners: [] }
  return parseLines(text, (line, problem) => {
    const heading = HEADING.exec(line)
    if (heading !== null) {
      const [, name = '', owners = ''] = heading
      section = { name: name.trim().toLowerCase(), owners: readCodeOwners(splitWords(owners), problem) }
      return null
    }
    if (BROKEN_HEADING.test(line)) return problem('The name of a section ends with “]”.')
    return readOwnersEntry(line, { section, problem })
  })
}

type Problem = (says: string) => null

function readOwnersEntry(
  line: string,
  { section, problem }: { readonly section: Section; readonly problem: Problem },
): Omit<OwnershipRule, 'line'> {
  const [written = '', ...names] = splitWords(line)
  const excludes = written.startsWith('!')
  const pattern = written.slice(excludes ? 1 : 0).replaceAll(/\\(.)/g, '$1')
  const file: FileRule = { section: section.name, excludes, segments: segmentsOfPattern(pattern) }
  const owners = names.length === 0 ? section.owners : readCodeOwners(names, problem)
  return { matcher: 'codeowners', pattern, owners: excludes ? [] : owners, file }
}

/** Up to a comment. */
function splitWords(line: string): readonly string[] {
  const words: readonly string[] = line.match(WORDS) ?? []
  const comment = words.findIndex((word) => word.startsWith('#'))
  return comment === -1 ? words : words.slice(0, comment)
}

function readCodeOwners(names: readonly string[], problem: Problem): readonly OwnerName[] {
  const most = max('ownersPerRuleMax')
  if (names.length > most) problem(`At most ${most} owners per rule; the others are ignored.`)
  return names.slice(0, most).flatMap((name) => {
    const owner = ownerOf(name)
    if (owner !== null) return [owner]
    const isRole = /^@@\w/.test(name)
    problem(isRole ? `“${name.slice(0, 60)}” is a role; roles are not supported.` : wrongOwner(name))
    return []
  })
}
