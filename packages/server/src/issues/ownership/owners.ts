/** From names in rules to people and teams, as far as they are known. */
import type { TeamId, UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { StepBudget } from '#model/step-budget.ts'
import type { GroupDelta, StoredFacts } from '#ports/ingest.ts'
import type { Assignee } from '#ports/issues.ts'
import type {
  OwnerName,
  OwnershipChange,
  OwnershipFacts,
  OwnershipProblem,
  OwnershipRule,
  SuggestedOwner,
} from '#ports/ownership.ts'
import type { SuspectCommit } from '../suspect-commits.ts'
import { parseCodeOwners } from './code-owners.ts'
import type { CompiledOwnership } from './compiled.ts'
import { parseRules } from './rules.ts'

/** Possible owners in a project: people who can read it, teams that open it. */
export interface OwnerDirectory {
  readonly people: readonly { readonly userId: UserId; readonly name: string; readonly email: string }[]
  readonly teams: readonly { readonly id: TeamId; readonly slug: string }[]
}

/** Whether something would be another than it is. */
export function changesOwnership(before: Required<OwnershipChange>, change: OwnershipChange): boolean {
  const { rules, codeOwners, isAutoAssigned, assignsSuspects } = { ...before, ...change }
  const isSame =
    rules === before.rules &&
    codeOwners === before.codeOwners &&
    isAutoAssigned === before.isAutoAssigned &&
    assignsSuspects === before.assignsSuspects
  return !isSame
}

export interface SuggestedOwners {
  /** Each once, those of the last rule first; at most `suggestedOwnersMax`. */
  readonly owners: readonly SuggestedOwner[]
  /** The rules took more steps than one event may: what was not looked at by then is missing. */
  readonly isCut: boolean
}

export const NO_OWNERS: SuggestedOwners = { owners: [], isCut: false }

export function suggestedOwners(
  rules: CompiledOwnership | null,
  facts: OwnershipFacts,
  { directory, within = null }: { readonly directory: OwnerDirectory; readonly within?: StepBudget | null },
): SuggestedOwners {
  if (rules === null) return NO_OWNERS
  const budget = new StepBudget(max('ownershipStepsMax'), within)
  const found = new Map<string, SuggestedOwner>()
  for (const rule of rules.thatHold(facts, budget)) {
    for (const name of rule.owners) {
      const owner = ownerNamed(name, directory)
      if (owner === null) continue
      const key = JSON.stringify(owner)
      if (!found.has(key)) found.set(key, { owner, rule: ruleText(rule) })
    }
    if (found.size >= max('suggestedOwnersMax')) break
  }
  return { owners: [...found.values()].slice(0, max('suggestedOwnersMax')), isCut: budget.isSpent }
}

/** Returns the owner that a commit suggests: its author, if they can read the project. */
export function authorOf(
  suspect: SuspectCommit | null,
  { people }: OwnerDirectory,
): SuggestedOwner | undefined {
  const author = people.find(({ userId }) => userId === suspect?.commit.member?.userId)
  if (author === undefined || suspect === null) return undefined
  return { owner: author.userId, rule: `suspect commit ${suspect.commit.id.slice(0, 7)}` }
}

function ruleText({ matcher, pattern }: OwnershipRule): string {
  if (matcher === 'codeowners') return `CODEOWNERS ${pattern}`
  return `${matcher}:${/\s/.test(pattern) ? `"${pattern}"` : pattern}`
}

/** Returns problems line by line, unknown names included. */
export function ownershipProblems(
  text: string,
  kind: 'rules' | 'codeowners',
  directory: OwnerDirectory,
): readonly OwnershipProblem[] {
  const { rules, problems } = kind === 'rules' ? parseRules(text) : parseCodeOwners(text)
  return [...problems, ...unknownNames(rules, directory)].sort((a, b) => a.line - b.line)
}

/** Each name once, at the line where it stands first. */
function unknownNames(
  rules: readonly OwnershipRule[],
  directory: OwnerDirectory,
): readonly OwnershipProblem[] {
  const lines = new Map<string, { readonly owner: OwnerName; readonly at: Set<number> }>()
  for (const { line, owners } of rules) {
    for (const owner of owners) {
      const key = JSON.stringify(owner)
      const known = lines.get(key)
      if (known !== undefined) known.at.add(line)
      else if (ownerNamed(owner, directory) === null) lines.set(key, { owner, at: new Set([line]) })
    }
  }
  return [...lines.values()].map(({ owner, at }) => {
    const [line = 1] = at
    const others = at.size - 1
    const more = others === 0 ? '' : ` Also in ${others} more ${others === 1 ? 'line' : 'lines'}.`
    return { line, says: unknownText(owner) + more }
  })
}

function unknownText({ by, name }: OwnerName): string {
  const shown = name.slice(0, 100)
  if (by === 'team') return `No team of the project is called “#${shown}”.`
  if (by === 'email') return `Nobody who can read the project has the email “${shown}”.`
  return `“@${shown}” is no team of the project, and no one who can read it.`
}

/** `@acme/payments` is the team `payments`; `@ada` whoever's email begins so or whose name it is, where one alone has it. */
function ownerNamed({ by, name }: OwnerName, directory: OwnerDirectory): Assignee | null {
  const { emails, slugs, names } = byNames(directory)
  if (by === 'email') return emails.get(name) ?? null
  const team = slugs.get(by === 'team' ? name : (name.split('/').at(-1) ?? name))
  if (team !== undefined) return { team }
  if (by === 'team' || name.includes('/')) return null
  return names.get(name) ?? null
}

interface ByNames {
  readonly emails: ReadonlyMap<string, UserId>
  readonly slugs: ReadonlyMap<string, TeamId>
  /** `null`: several are called so. */
  readonly names: ReadonlyMap<string, UserId | null>
}

/** Thousands of names are asked of one directory. */
const BY_NAMES = new WeakMap<OwnerDirectory, ByNames>()

function byNames(directory: OwnerDirectory): ByNames {
  const known = BY_NAMES.get(directory)
  if (known !== undefined) return known
  const { people, teams } = directory
  const names = new Map<string, UserId | null>()
  for (const person of people)
    for (const name of new Set(ownerNames(person))) names.set(name, names.has(name) ? null : person.userId)
  const made: ByNames = {
    emails: new Map(people.toReversed().map(({ email, userId }) => [email.toLowerCase(), userId])),
    slugs: new Map(teams.toReversed().map(({ slug, id }) => [slug.toLowerCase(), id])),
    names,
  }
  BY_NAMES.set(directory, made)
  return made
}

function ownerNames({ name, email }: OwnerDirectory['people'][number]): readonly string[] {
  return [email.split('@')[0] ?? '', name.replace(/\s+/g, '')].map((each) => each.toLowerCase())
}

/** Returns the facts of a new issue's event: the place it is named by, and its tags. */
export function factsOfNewIssue(
  { facts, facets }: Pick<GroupDelta, 'facts' | 'facets'>,
  codeMappings: OwnershipFacts['codeMappings'],
): OwnershipFacts {
  const { filename }: StoredFacts = JSON.parse(facts)
  const tags = facets.map(({ key, value }) => ({ key, value }))
  const url = tags.find(({ key }) => key === 'url')?.value ?? null
  return { paths: filename === null ? [] : [filename], modules: [], url, tags, codeMappings }
}
