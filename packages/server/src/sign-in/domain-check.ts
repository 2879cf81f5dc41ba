/**
 * Rule of a proved email domain whose DNS record goes away. Its owners are told after a day; a week later it counts no more.
 *
 * ```
 *  found ─▶ missing ── a day ──▶ told ── a week ──▶ lost        found again: as if nothing had been
 * ```
 */
import { DAY_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'

/** Since when its record is missing, and since when its owners know; `null`: not so. */
export interface DomainTimes {
  readonly missingMs: number | null
  readonly toldMs: number | null
}

export interface DomainCheck {
  readonly becomes: 'found' | 'missing' | 'told' | 'lost'
  /** Columns that change; `null`: none does. */
  readonly change: Partial<DomainTimes & { readonly provedMs: null }> | null
}

export function checkedDomain(
  { missingMs, toldMs }: DomainTimes,
  { isFound, nowMs }: { readonly isFound: boolean; readonly nowMs: number },
): DomainCheck {
  if (isFound)
    return { becomes: 'found', change: missingMs === null ? null : { missingMs: null, toldMs: null } }
  if (missingMs === null) return { becomes: 'missing', change: { missingMs: nowMs } }
  if (toldMs === null)
    return nowMs - missingMs < max('domainMissingMs')
      ? { becomes: 'missing', change: null }
      : { becomes: 'told', change: { toldMs: nowMs } }
  return nowMs - toldMs < max('domainGraceMs')
    ? { becomes: 'missing', change: null }
    : { becomes: 'lost', change: { provedMs: null, missingMs: null, toldMs: null } }
}

/** Words by which owners and managers hear of it. */
export function domainWords(
  domain: string,
  becomes: 'told' | 'lost',
): { readonly headline: string; readonly because: string } {
  const days = max('domainGraceMs') / DAY_MS
  return becomes === 'told'
    ? {
        headline: `${domain} is about to lose its verification`,
        because: `its DNS record was not found for a day; without it, the domain becomes unverified in ${days} days`,
      }
    : {
        headline: `${domain} is no longer verified`,
        because:
          'its DNS record is missing: single sign-on isn’t required for the domain, and nobody can join through it',
      }
}
