/** Reading attributes of spans by any of their names. */
import type { Attributes } from './span.ts'

/** The first text among them, of a list its first. */
export function textAttribute(attributes: Attributes, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = attributes[name]
    const first = typeof value === 'object' ? value[0] : value
    if (first !== undefined && first !== '') return String(first)
  }
  return null
}

/** The first number among them, texts of numbers included. */
export function numberAttribute(attributes: Attributes, ...names: readonly string[]): number | null {
  for (const name of names) {
    const text = textAttribute(attributes, name)
    const number = text === null ? Number.NaN : Number(text)
    if (Number.isFinite(number)) return number
  }
  return null
}
