/** What is being typed after `@`, and who may be meant. Pure. */
const OFFERS_SHOWN = 6

interface Person {
  readonly name: string
  readonly email: string
  readonly mention: string
}

/** The word before the caret where it begins with `@`, without it; `null` where no name is being typed. */
export function mentionAt(text: string, caret: number): string | null {
  return (
    /(?:^|[\s(,;:"'])@([\p{L}\p{N}._+@-]{0,60})$/u.exec(text.slice(Math.max(0, caret - 64), caret))?.[1] ??
    null
  )
}

/** Those whose name, email or any word of them begins so. */
export function mentionsFor<P extends Person>(typed: string, people: readonly P[]): readonly P[] {
  const wanted = typed.toLowerCase()
  const meets = ({ name, email, mention }: Person) =>
    [mention, email, ...name.split(/\s+/)].some((word) => word.toLowerCase().startsWith(wanted))
  return people.filter(meets).slice(0, OFFERS_SHOWN)
}
