/** Short names in addresses, made from names. */
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'

const CHARS_MAX = max('slugCharsMax')

/** True for a word that stands where slugs do in Errata's own addresses: `/acme/projects/new` makes a project. */
export function isOwnWord(slug: string): boolean {
  return slug === 'new'
}

/** `Müller & Söhne` → `muller-sohne`; `fallback` when nothing of the name can stand in an address. */
export function slugFrom(name: string, fallback: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, CHARS_MAX)
    .replace(/^-+|-+$/g, '')
  return plain.length < 2 || /^\d+$/.test(plain) || isOwnWord(plain)
    ? trimDashes(`${fallback}-${plain}`)
    : plain
}

interface Naming {
  readonly name: string
  /** Left out: one is made of the name. */
  readonly slug?: string | undefined
  /**
   * True if a slug made of the name gets a number when taken. Otherwise it is refused, naming one that is
   * free.
   */
  readonly numbered?: boolean | undefined
}

/** The slug for something new beside those that are `taken`; `noun` is what it is. */
export function slugForNew(
  { name, slug, numbered = false }: Naming,
  noun: string,
  taken: readonly string[],
): Result<string> {
  const wanted = slug ?? slugFrom(name, noun)
  const isTaken = new Set(taken)
  const free = freeSlug(wanted, (each) => isTaken.has(each))
  if (free === wanted || (slug === undefined && numbered)) return ok(free)
  return refuse('conflict', `Another ${noun} has the slug “${wanted}”.`, {
    slug: [`“${wanted}” is taken; “${free}” is free.`],
  })
}

/** The wanted slug, or with the smallest number behind it that is free. */
export function freeSlug(wanted: string, isTaken: (slug: string) => boolean): string {
  if (!isTaken(wanted)) return wanted
  for (let number = 2; number < 10_000; number++) {
    const suffix = `-${number}`
    const slug = `${trimDashes(wanted.slice(0, CHARS_MAX - suffix.length))}${suffix}`
    if (!isTaken(slug)) return slug
  }
  return wanted
}

function trimDashes(slug: string): string {
  return slug.replace(/^-+|-+$/g, '')
}
