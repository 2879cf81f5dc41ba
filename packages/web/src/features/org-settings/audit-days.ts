/** Days as the filters of the audit log show and read them. Pure. */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `22 Nov 2026` for the day `2026-11-22`. */
export function shownDayText(day: string): string {
  const [year, month, date] = day.split('-').map(Number)
  return `${date} ${MONTHS[(month ?? 0) - 1] ?? ''} ${year}`
}

/** Returns the day `2026-11-22` for it or for `22 Nov 2026`; `null` for a day that no calendar has. */
export function dayOf(text: string): string | null {
  const [, date = '', name = '', year = ''] = /^(\d{1,2}) ([a-z]{3}) (\d{4})$/i.exec(text.trim()) ?? []
  const month = MONTHS.findIndex((each) => each.toLowerCase() === name.toLowerCase()) + 1
  const day = name === '' ? text.trim() : `${year}-${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return null
  const at = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : null
}

/** Returns the entry of an address for a day that may have been typed in either way. */
export function dayParam<const Name extends string>(name: Name) {
  return {
    type: 'own',
    first: null,
    read: (search: URLSearchParams): string | null => dayOf(search.get(name) ?? ''),
    print: (day: unknown) => ({ [name]: typeof day === 'string' ? day : null }),
  } as const
}
