/**
 * Finds people named in a comment: `@ada` for a person, `#backend` for everybody of a team. Pure, and linear
 * in the text.
 */
import type { UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'

interface NamedPerson {
  readonly userId: UserId
  readonly name: string
  readonly email: string
}

interface NamedTeam {
  readonly slug: string
  readonly members: readonly UserId[]
}

/**
 * Tells what stands after `@` of each of the people: the first part of their email, or all of it where two share that.
 * Counted once for all, as an organisation has thousands.
 */
export function mentionNamesAmong(
  people: readonly NamedPerson[],
): (person: Pick<NamedPerson, 'email'>) => string {
  const sharing = new Map<string, number>()
  for (const { email } of people) sharing.set(localPart(email), (sharing.get(localPart(email)) ?? 0) + 1)
  return ({ email }) => {
    const first = localPart(email)
    return (sharing.get(first) ?? 0) > 1 ? email.toLowerCase() : first
  }
}

/** Each once, in the order of the text; at most `mentionsPerCommentMax`. */
export function mentionedIn(
  text: string,
  { people, teams }: { readonly people: readonly NamedPerson[]; readonly teams: readonly NamedTeam[] },
): readonly UserId[] {
  const byMention = mentionNames(people)
  const bySlug = new Map(teams.map((team) => [team.slug.toLowerCase(), team.members]))
  const found = new Set<UserId>()
  for (const [, mark = '', word = ''] of text.matchAll(MENTION)) {
    const name = word.toLowerCase().replace(TRAILING, '')
    const named = mark === '#' ? (bySlug.get(name) ?? []) : listOfOne(byMention.get(name))
    for (const user of named) found.add(user)
  }
  return [...found].slice(0, max('mentionsPerCommentMax'))
}

/** Returns the slugs of teams that the text names, in small letters, each once. */
export function teamsNamedIn(text: string): readonly string[] {
  const found = [...text.matchAll(MENTION)].flatMap(([, mark, word = '']) =>
    mark === '#' ? [word.toLowerCase().replace(TRAILING, '')] : [],
  )
  return [...new Set(found)].slice(0, max('mentionsPerCommentMax'))
}

/** Not within a word: an email address or a colour names nobody. */
const MENTION = /(?<![\p{L}\p{N}_.@#/-])([@#])([\p{L}\p{N}_+][\p{L}\p{N}._+@-]*)/gu
/** A sentence may end with a name. */
const TRAILING = /[.@-]+$/

/** Emails whole, their first parts, and names without spaces; what several people have names none of them. */
function mentionNames(people: readonly NamedPerson[]): ReadonlyMap<string, UserId> {
  const found = new Map<string, UserId | null>()
  for (const person of people) {
    const names = [localPart(person.email), person.name.toLowerCase().replace(/\s+/g, '')]
    for (const name of new Set(names)) {
      if (name !== '') found.set(name, found.has(name) ? null : person.userId)
    }
  }
  for (const { email, userId } of people) found.set(email.toLowerCase(), userId)
  return new Map([...found].flatMap(([name, user]) => (user === null ? [] : [[name, user] as const])))
}

function localPart(email: string): string {
  return (email.split('@')[0] ?? '').toLowerCase()
}

function listOfOne(user: UserId | undefined): readonly UserId[] {
  return user === undefined ? [] : [user]
}
