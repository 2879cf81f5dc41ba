/** From names in rules to people and teams, as far as they are known. */
import type { TeamId, UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { GroupDelta, StoredFacts } from '#ports/ingest.ts'
import type { Assignee } from '#ports/issues.ts'
import type {
  OwnerName,
  Ownership,
  OwnershipChange,
  OwnershipFacts,
  OwnershipProblem,
  OwnershipRule,
  SuggestedOwner,
} from '#ports/ownership.ts'
import type { SuspectCommit } from '../suspect-commits.ts'
import { parseCodeOwners } from './code-owners.ts'
import { parseRules, rulesThatHold } from './rules.ts'

/** Who may own something of a project: people who can read it, teams that open it. */
export interface OwnerDirectory {
  readonly people: readonly { readonly userId: UserId; readonly name: string; readonly email: string }[]
  readonly teams: readonly { readonly id: TeamId; readonly slug: string }[]
}

/** `CODEOWNERS` first, so that rules come before it. */
export function allRules({
  rules,
  codeOwners,
}: Pick<Ownership, 'rules' | 'codeOwners'>): readonly OwnershipRule[] {
  return [...parseCodeOwners(codeOwners).rules, ...parseRules(rules).rules]
}

/** Whether something would be another than it is. */
export function changesOwnership(before: Ownership, change: OwnershipChange): boolean {
  const { rules, codeOwners, isAutoAssigned, assignsSuspects } = { ...before, ...change }
  const isSame =
    rules === before.rules &&
    codeOwners === before.codeOwners &&
    isAutoAssigned === before.isAutoAssigned &&
    assignsSuspects === before.assignsSuspects
  return !isSame
}

/** Each once, those of the last rule first; at most `suggestedOwnersMax`. */
export function suggestedOwners(
  rules: readonly OwnershipRule[],
  facts: OwnershipFacts,
  directory: OwnerDirectory,
): readonly SuggestedOwner[] {
  const found = new Map<string, SuggestedOwner>()
  for (const rule of rulesThatHold(rules, facts)) {
    for (const name of rule.owners) {
      const owner = ownerNamed(name, directory)
      if (owner === null) continue
      const key = JSON.stringify(owner)
      if (!found.has(key)) found.set(key, { owner, rule: ruleText(rule) })
    }
  }
  return [...found.values()].slice(0, max('suggestedOwnersMax'))
}

/** Whom a commit makes an owner: its author, where they can read the project. */
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

/** What is wrong with them line by line, names that nobody has included. */
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
function ownerNamed({ by, name }: OwnerName, { people, teams }: OwnerDirectory): Assignee | null {
  if (by === 'email') return people.find(({ email }) => email.toLowerCase() === name)?.userId ?? null
  const slug = by === 'team' ? name : (name.split('/').at(-1) ?? name)
  const team = teams.find((each) => each.slug.toLowerCase() === slug)
  if (team !== undefined) return { team: team.id }
  if (by === 'team' || name.includes('/')) return null
  const named = people.filter((person) => namesOf(person).includes(name))
  return named.length === 1 ? (named[0]?.userId ?? null) : null
}

function namesOf({ name, email }: OwnerDirectory['people'][number]): readonly string[] {
  return [email.split('@')[0] ?? '', name.replace(/\s+/g, '')].map((each) => each.toLowerCase())
}

/** What the commit knows of the event that began an issue: the place that it is called by, and its tags. */
export function factsOfNewIssue(
  { facts, facets }: Pick<GroupDelta, 'facts' | 'facets'>,
  codeMappings: OwnershipFacts['codeMappings'],
): OwnershipFacts {
  const { filename }: StoredFacts = JSON.parse(facts)
  const tags = facets.map(({ key, value }) => ({ key, value }))
  const url = tags.find(({ key }) => key === 'url')?.value ?? null
  return { paths: filename === null ? [] : [filename], modules: [], url, tags, codeMappings }
}
