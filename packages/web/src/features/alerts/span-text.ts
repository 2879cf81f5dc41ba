/** How long something lasted: minutes, hours, days. */
export function spanText(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours >= 48) return `${Math.round(hours / 24)} d`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}
