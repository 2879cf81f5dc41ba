/** Short names in addresses, made from names. */
import { max } from '#limits/limits.ts'

const CHARS_MAX = max('slugCharsMax')

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
  return plain.length < 2 || /^\d+$/.test(plain) ? trimmed(`${fallback}-${plain}`) : plain
}

/** The wanted slug, or with the smallest number behind it that is free. */
export function freeSlug(wanted: string, isTaken: (slug: string) => boolean): string {
  if (!isTaken(wanted)) return wanted
  for (let number = 2; number < 10_000; number++) {
    const suffix = `-${number}`
    const slug = `${trimmed(wanted.slice(0, CHARS_MAX - suffix.length))}${suffix}`
    if (!isTaken(slug)) return slug
  }
  return wanted
}

function trimmed(slug: string): string {
  return slug.replace(/^-+|-+$/g, '')
}
