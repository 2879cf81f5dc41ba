/** Values by words that people and programs write: `constructor` and its like name nothing in it. */
export function byWord<T>(values: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), values)
}
