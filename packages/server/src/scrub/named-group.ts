import { isObject } from '#base/json.ts'

/** A named group of a match, of the arguments that `replace` calls back with; empty where it matched nothing. */
export function namedGroup(rest: readonly unknown[], name: string): string {
  const groups = rest.at(-1)
  const value = isObject(groups) ? groups[name] : undefined
  return typeof value === 'string' ? value : ''
}
