/** Text typed after `@` or `#`, and who may be meant. Pure. */
const OFFERS_SHOWN = 6

interface Person {
  readonly name: string
  readonly email: string
  readonly mention: string
}

interface Group {
  readonly slug: string
  readonly name: string
}

/** Person or team that can be named: `text` is what stands in the comment. */
export interface Mention {
  readonly text: string
  readonly name: string
}

/** The word before the caret where it begins with `@` or `#`, with it; `null` where nobody is being named. */
export function mentionAt(text: string, caret: number): string | null {
  return (
    /(?:^|[\s(,;:"'])([@#][\p{L}\p{N}._+@-]{0,60})$/u.exec(text.slice(Math.max(0, caret - 64), caret))?.[1] ??
    null
  )
}

/** After `@` people whose name, email or any word of them begins so; after `#` teams by slug and name. */
export function mentionsFor(
  typed: string,
  { people, teams }: { readonly people: readonly Person[]; readonly teams: readonly Group[] },
): readonly Mention[] {
  const wanted = bareText(typed.slice(1))
  const isMeant = (words: readonly string[]) => words.some((word) => bareText(word).startsWith(wanted))
  const found = typed.startsWith('#')
    ? teams
        .filter(({ slug, name }) => isMeant([slug, ...name.split(/\s+/)]))
        .map(({ slug, name }) => ({ text: `#${slug}`, name }))
    : people
        .filter(({ mention, email, name }) => isMeant([mention, email, ...name.split(/\s+/)]))
        .map(({ mention, email, name }) => ({ text: `@${mention}`, name: name || email }))
  return found.slice(0, OFFERS_SHOWN)
}

function bareText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
