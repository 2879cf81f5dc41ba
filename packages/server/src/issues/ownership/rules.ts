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
import type { OwnerName, OwnershipFacts, OwnershipRule } from '#ports/ownership.ts'
import { entriesThatHold } from './code-owners.ts'
import { ownerOf, type ParsedOwnership, parseLines, plainPath, TEXT_CHARS_MAX, wrongOwner } from './line.ts'

const RULE = /^(path|module|url|tags\.[^\s:"]{1,200}):("[^"]*"|[^\s"]+)(?:\s+(.*))?$/
const KINDS = '“path:”, “module:”, “url:” or “tags.KEY:”'

export function parseRules(text: string): ParsedOwnership {
  return parseLines(text, (line, problem) => {
    const [whole, kind = '', quoted = '', names = ''] = RULE.exec(line) ?? []
    if (whole === undefined) return problem(`A rule begins with ${KINDS} and a pattern.`)
    const pattern = quoted.replaceAll('"', '')
    const owners = namesOf(names)
    if (typeof owners === 'string') return problem(owners)
    return { matcher: kind, pattern, owners }
  })
}

/** The owners of a rule, or what is wrong with them. */
function namesOf(text: string): readonly OwnerName[] | string {
  const names = text.split(/\s+/).filter((name) => name !== '')
  if (names.length === 0) return 'It names no owner: “#team” or an email.'
  if (names.length > max('ownersPerRuleMax')) return `At most ${max('ownersPerRuleMax')} owners a rule.`
  const owners = names.map(ownerOf)
  const wrong = names.find((_, index) => owners[index] === null)
  if (wrong !== undefined) return wrongOwner(wrong)
  return owners.filter((owner) => owner !== null)
}

/** The rules that hold, the last of them first, then those of `CODEOWNERS`. `rules` in the order in which they stand. */
export function rulesThatHold(
  rules: readonly OwnershipRule[],
  facts: OwnershipFacts,
): readonly OwnershipRule[] {
  const bounded = {
    paths: facts.paths.slice(0, max('ownershipPathsMax')).map(plainPath).map(foldAscii),
    modules: facts.modules.slice(0, max('ownershipPathsMax')).map(folded),
    url: facts.url === null ? null : folded(facts.url),
    tags: new Map(facts.tags.map(({ key, value }) => [key, folded(value)])),
  }
  const { file = [], own = [] } = Object.groupBy(rules, (rule) => (rule.file === undefined ? 'own' : 'file'))
  const held = own.filter((rule) => holds(rule, bounded)).toReversed()
  return [...held, ...entriesThatHold(file, facts)]
}

interface Bounded {
  readonly paths: readonly string[]
  readonly modules: readonly string[]
  readonly url: string | null
  readonly tags: ReadonlyMap<string, string>
}

function holds({ matcher, pattern }: OwnershipRule, { paths, modules, url, tags }: Bounded): boolean {
  const wanted = foldAscii(pattern)
  const meets = (text: string) => matchesPattern(wanted, text)
  if (matcher === 'path') return paths.some((path) => meets(path) || meets(`/${path}`))
  if (matcher === 'module') return modules.some(meets)
  if (matcher === 'url') return url !== null && meets(url)
  const value = tags.get(matcher.slice('tags.'.length))
  return value !== undefined && meets(value)
}

function folded(text: string): string {
  return foldAscii(text.slice(0, TEXT_CHARS_MAX))
}
