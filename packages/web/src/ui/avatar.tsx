import { Icon } from './icons.tsx'

/** A person as initials in a ring, a team in a square; nobody is a dashed ring. */
export function Avatar({ name, team }: { readonly name: string | null; readonly team?: boolean }) {
  if (name === null) {
    return (
      <span className="inline-grid size-6 shrink-0 place-content-center rounded-full border border-dashed border-line-2 text-ink-3">
        <Icon name="person" size={12} label="Unassigned" />
      </span>
    )
  }
  return (
    <span
      role="img"
      aria-label={name}
      title={name}
      className={`inline-grid size-6 shrink-0 place-content-center border border-line-2 bg-sunken text-11 font-strong text-ink-2 ${team === true ? 'rounded-mark' : 'rounded-full'}`}
    >
      {initialsOf(name)}
    </span>
  )
}

/** First letters of the first and last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s.@_#-]+/u).filter((word) => word !== '')
  const first = [...(words[0] ?? '?')][0] ?? '?'
  const last = words.length > 1 && !name.includes('@') ? ([...(words.at(-1) ?? '')][0] ?? '') : ''
  return (first + last).toUpperCase()
}
