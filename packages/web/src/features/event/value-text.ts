/** JSON values of an event as text: one line for locals, indented for contexts. Bounded, because payloads are not. */

import { cutText } from '#ui/cut-text.ts'

const LINE_CHARS_MAX = 600
const BLOCK_CHARS_MAX = 20_000
const DEPTH_MAX = 4

/** `{ id: "A-20418", lines: [1, 2] }`, shortened. */
export function lineText(value: unknown, charsMax = LINE_CHARS_MAX): string {
  const budget = { left: charsMax }
  const text = writeValue(value, budget, 0)
  return text.length > charsMax ? `${cutText(text, charsMax)}…` : text
}

/** A value as it is read: strings plain, everything else as JSON over several lines. */
export function blockText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'undefined')
  if (text.length <= BLOCK_CHARS_MAX) return text
  const shown = cutText(text, BLOCK_CHARS_MAX)
  return `${shown}\n… ${(text.length - shown.length).toLocaleString('en-US')} more characters in the JSON`
}

/** True for what fits into a line by itself. */
export function isPlain(value: unknown): value is string | number | boolean | null | undefined {
  return value === null || typeof value !== 'object'
}

function writeValue(value: unknown, budget: { left: number }, depth: number): string {
  if (budget.left <= 0) return '…'
  if (typeof value === 'string') return spend(JSON.stringify(value), budget)
  if (typeof value !== 'object' || value === null) return spend(String(value), budget)
  const isList = Array.isArray(value)
  const entries = isList ? value.map((one) => [null, one] as const) : Object.entries(value)
  if (entries.length === 0) return spend(isList ? '[]' : '{}', budget)
  if (depth >= DEPTH_MAX) return spend(isList ? '[…]' : '{…}', budget)
  const parts: string[] = []
  for (const [key, one] of entries) {
    if (budget.left <= 0) {
      parts.push('…')
      break
    }
    parts.push(
      key === null
        ? writeValue(one, budget, depth + 1)
        : `${spend(key, budget)}: ${writeValue(one, budget, depth + 1)}`,
    )
  }
  const inside = parts.join(', ')
  return isList ? `[${inside}]` : `{ ${inside} }`
}

function spend(text: string, budget: { left: number }): string {
  budget.left -= text.length + 2
  return text
}

/** Returns a text or a number as text; `''` for anything else. */
export function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
