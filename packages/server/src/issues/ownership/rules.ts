/**
 * Who owns what of a project: rules, one a line, the last that holds before the others.
 *
 *     path:src/checkout/*  #payments
 *     module:com.shop.*    ada@example.com
 *     url:https://shop.example/pay*  #payments ada@example.com
 *     tags.area:"the till" #payments
 *
 * Texts are from people, of bounded length, and matching is linear in what it is matched against.
 */
import { max } from '#limits/limits.ts'
import { foldAscii, matchesPattern } from '#model/text-pattern.ts'
import type { OwnerName, OwnershipFacts, OwnershipProblem, OwnershipRule } from '#ports/ownership.ts'
import { matchesPathPattern } from './path-pattern.ts'

export interface ParsedOwnership {
  readonly rules: readonly OwnershipRule[]
  readonly problems: readonly OwnershipProblem[]
}

const RULE = /^(path|module|url|tags\.[^\s:"]{1,200}):("[^"]*"|[^\s"]+)(?:\s+(.*))?$/
const KINDS = '“path:”, “module:”, “url:” or “tags.KEY:”'

export function parseRules(text: string): ParsedOwnership {
  return parseLines(text, (line) => {
    const [whole, kind = '', quoted = '', names = ''] = RULE.exec(line) ?? []
    if (whole === undefined) return `A rule begins with ${KINDS} and a pattern.`
    const pattern = quoted.replaceAll('"', '')
    const owners = namesOf(names)
    if (typeof owners === 'string') return owners
    return { matcher: kind, pattern, owners }
  })
}

/** A `CODEOWNERS` file as it is. A pattern without owners takes what it holds from others. */
export function parseCodeOwners(text: string): ParsedOwnership {
  return parseLines(text, (line) => {
    // GitLab's headings of sections name no owner of a file.
    if (/^\^?\[.*\]/.test(line)) return null
    const [pattern = '', ...names] = line.replace(/\s#.*$/, '').split(/\s+/)
    const owners = namesOf(names.join(' '), 'codeowners')
    if (typeof owners === 'string') return owners
    return { matcher: 'codeowners', pattern: pattern.replaceAll('\\ ', ' '), owners }
  })
}

type Read = Omit<OwnershipRule, 'line'> | string | null

function parseLines(text: string, read: (line: string) => Read): ParsedOwnership {
  const rules: OwnershipRule[] = []
  const problems: OwnershipProblem[] = []
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const problem = (says: string) => problems.push({ line: index + 1, says })
    const found = read(line)
    if (found === null) continue
    if (typeof found === 'string') problem(found)
    else if (found.pattern === '' || found.pattern.length > max('ownershipPatternCharsMax'))
      problem(`A pattern has 1 to ${max('ownershipPatternCharsMax')} characters.`)
    else if (rules.length >= max('ownershipRulesMax')) problem(`At most ${max('ownershipRulesMax')} rules.`)
    else rules.push({ ...found, line: index + 1 })
    if (problems.length >= PROBLEMS_MAX) break
  }
  return { rules, problems }
}

const PROBLEMS_MAX = 200

/** The owners of a rule, or what is wrong with them. */
function namesOf(text: string, from: 'rules' | 'codeowners' = 'rules'): readonly OwnerName[] | string {
  const names = text.split(/\s+/).filter((name) => name !== '')
  if (names.length === 0 && from === 'rules') return 'It names no owner: “#team” or an email.'
  if (names.length > max('ownersPerRuleMax')) return `At most ${max('ownersPerRuleMax')} owners a rule.`
  const owners = names.map(ownerOf)
  const wrong = names.find((_, index) => owners[index] === null)
  if (wrong !== undefined) return `“${wrong.slice(0, 60)}” is neither “#team”, “@name” nor an email.`
  return owners.filter((owner) => owner !== null)
}

function ownerOf(name: string): OwnerName | null {
  if (/^#[^\s#@]+$/.test(name)) return { by: 'team', name: name.slice(1).toLowerCase() }
  if (/^@[^\s@]+$/.test(name)) return { by: 'mention', name: name.slice(1).toLowerCase() }
  return /^[^\s@#]+@[^\s@]+$/.test(name) ? { by: 'email', name: name.toLowerCase() } : null
}

/** The rules that hold, the last of them first. `rules` in the order in which they stand. */
export function rulesThatHold(
  rules: readonly OwnershipRule[],
  facts: OwnershipFacts,
): readonly OwnershipRule[] {
  const bounded = {
    paths: facts.paths.slice(0, max('ownershipPathsMax')).map(plainPath),
    modules: facts.modules.slice(0, max('ownershipPathsMax')).map(folded),
    url: facts.url === null ? null : folded(facts.url),
    tags: new Map(facts.tags.map(({ key, value }) => [key, folded(value)])),
  }
  const held = rules.filter((rule) => holds(rule, bounded))
  const named = held.findLast(({ matcher }) => matcher === 'codeowners')
  // Of `CODEOWNERS` the last pattern alone says who owns a file.
  return held.filter((rule) => rule.matcher !== 'codeowners' || rule === named).toReversed()
}

interface Bounded {
  readonly paths: readonly string[]
  readonly modules: readonly string[]
  readonly url: string | null
  readonly tags: ReadonlyMap<string, string>
}

function holds({ matcher, pattern }: OwnershipRule, { paths, modules, url, tags }: Bounded): boolean {
  if (matcher === 'codeowners') return paths.some((path) => matchesPathPattern(pattern, path))
  const wanted = foldAscii(pattern)
  const meets = (text: string) => matchesPattern(wanted, text)
  if (matcher === 'path') return paths.map(foldAscii).some((path) => meets(path) || meets(`/${path}`))
  if (matcher === 'module') return modules.some(meets)
  if (matcher === 'url') return url !== null && meets(url)
  const value = tags.get(matcher.slice('tags.'.length))
  return value !== undefined && meets(value)
}

const TEXT_CHARS_MAX = 1_024

function folded(text: string): string {
  return foldAscii(text.slice(0, TEXT_CHARS_MAX))
}

/** Without what builds put before it: `webpack://shop/./src/a.ts?x` is `src/a.ts`. */
function plainPath(path: string): string {
  const bounded = path.slice(0, TEXT_CHARS_MAX)
  const bare = bounded.replace(
    /^(?:webpack|webpack-internal|app|turbopack|file|https?):\/\/(?:\/|[^/]*\/)?/i,
    '',
  )
  return bare
    .replace(/[?#].*$/, '')
    .split(/[\\/]/)
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
    .join('/')
}
