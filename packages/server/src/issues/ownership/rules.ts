/**
 * Ownership rules of a project, one a line; the last one that matches comes first.
 *
 *     path:src/checkout/*  #payments
 *     module:com.shop.*    ada@example.com
 *     url:https://shop.example/pay*  #payments ada@example.com
 *     tags.area:"the till" #payments
 *
 * Texts are from people, of bounded length, and matching is linear in what it is matched against.
 */
import { max } from '#limits/limits.ts'
import type { StepBudget } from '#model/step-budget.ts'
import { foldAscii, matchesParts, patternParts, stepsOfParts } from '#model/text-pattern.ts'
import type { OwnerName, OwnershipFacts, OwnershipRule } from '#ports/ownership.ts'
import { ownerOf, type ParsedOwnership, parseLines, sourcePath, TEXT_CHARS_MAX, wrongOwner } from './line.ts'

const RULE = /^(path|module|url|tags\.[^\s:"]{1,200}):("[^"]*"|[^\s"]+)(?:\s([\s\S]*))?$/
const KINDS = '“path:”, “module:”, “url:” or “tags.KEY:”'

export function parseRules(text: string): ParsedOwnership {
  return parseLines(text, (line, problem) => {
    const [whole, kind = '', quoted = '', names = ''] = RULE.exec(line) ?? []
    if (whole === undefined) return problem(`A rule begins with ${KINDS} and a pattern.`)
    const pattern = quoted.replaceAll('"', '')
    const owners = readOwnerNames(names)
    if (typeof owners === 'string') return problem(owners)
    return { matcher: kind, pattern, owners }
  })
}

/** The owners of a rule, or what is wrong with them. */
function readOwnerNames(text: string): readonly OwnerName[] | string {
  const names = text.split(/\s+/).filter((name) => name !== '')
  if (names.length === 0) return 'It names no owner: “#team” or an email.'
  if (names.length > max('ownersPerRuleMax')) return `At most ${max('ownersPerRuleMax')} owners a rule.`
  const owners = names.map(ownerOf)
  const wrong = names.find((_, index) => owners[index] === null)
  if (wrong !== undefined) return wrongOwner(wrong)
  return owners.filter((owner) => owner !== null)
}

/** A rule as it is asked. */
export interface CompiledRule {
  readonly rule: OwnershipRule
  /** Parts in the letters that texts are folded to. */
  readonly parts: readonly string[]
}

export function compileRules(rules: readonly OwnershipRule[]): readonly CompiledRule[] {
  return rules.map((rule) => ({ rule, parts: patternParts(foldAscii(rule.pattern)) }))
}

/** Yields matching rules, last first, until the budget ends. */
export function* rulesThatHold(
  rules: readonly CompiledRule[],
  facts: OwnershipFacts,
  budget: StepBudget,
): Generator<OwnershipRule> {
  if (rules.length === 0) return
  const bounded = {
    paths: facts.paths
      .slice(0, max('ownershipPathsMax'))
      .map(sourcePath)
      .flatMap((path) => [foldAscii(path), `/${foldAscii(path)}`]),
    modules: facts.modules.slice(0, max('ownershipPathsMax')).map(foldText),
    url: facts.url === null ? null : foldText(facts.url),
    tags: new Map(facts.tags.map(({ key, value }) => [key, foldText(value)])),
  }
  for (const { rule, parts } of rules.toReversed()) {
    for (const text of matchedTexts(rule, bounded)) {
      if (!budget.take(stepsOfParts(parts, text))) return
      if (!matchesParts(parts, text)) continue
      yield rule
      break
    }
  }
}

interface Bounded {
  /** Each with a slash before it, too. */
  readonly paths: readonly string[]
  readonly modules: readonly string[]
  readonly url: string | null
  readonly tags: ReadonlyMap<string, string>
}

function matchedTexts({ matcher }: OwnershipRule, { paths, modules, url, tags }: Bounded): readonly string[] {
  if (matcher === 'path') return paths
  if (matcher === 'module') return modules
  const text = matcher === 'url' ? url : tags.get(matcher.slice('tags.'.length))
  return text === null || text === undefined ? [] : [text]
}

function foldText(text: string): string {
  return foldAscii(text.slice(0, TEXT_CHARS_MAX))
}
