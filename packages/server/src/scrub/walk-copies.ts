/** Copies of bags, made only where something of them changes. */
import { setOwn } from '#base/json.ts'

type Bag = Readonly<Record<string, unknown>>

export function copyUntil(bag: Bag, stop: string): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const key in bag) {
    if (key === stop) break
    setFree(copy, key, bag[key])
  }
  return copy
}

/** Sets an own property under a free name: two keys that both held secrets must not become one. */
export function setFree(copy: Record<string, unknown>, name: string, value: unknown): void {
  let free = name
  for (let count = 2; count < 100 && Object.hasOwn(copy, free); count++) free = `${name} (${count})`
  setOwn(copy, free, value)
}
