/** How long something lasted: minutes, hours, days. */
export function minutesText(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours >= 48) return `${Math.round(hours / 24)} d`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}

/** A window of whole minutes, hours or days. */
export function windowText(minutes: number): string {
  if (minutes % 1_440 === 0) return `${minutes / 1_440} d`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
}
