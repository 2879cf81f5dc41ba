/** Makes room for one more: those that were put first go. All at once, the next batch would ask the database for each again. */
export function forgetOldest<Key>(remembered: Map<Key, unknown>, most: number): void {
  for (const key of remembered.keys()) {
    if (remembered.size < most) return
    remembered.delete(key)
  }
}
