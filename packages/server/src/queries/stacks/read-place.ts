/** Reads a pasted debug id or file address. */

import type { RanPlace } from '#artifacts/look-up.ts'
import { max } from '#limits/limits.ts'
import { plainDebugId } from '#symbolicate/debug-ids.ts'

/** `https://shop.example/app.js:1:48213`, its line and column left out or not; `null` for what is neither. */
export function readPlace(text: string, build: Pick<RanPlace, 'release' | 'dist'>): RanPlace | null {
  const typed = text.trim().slice(0, max('searchCharsMax'))
  const debugId = plainDebugId(typed)
  if (debugId !== null) return { ...build, path: '', debugId, line: null, column: null }
  const [, path = '', line, column] = /^(.*?)(?::(\d{1,9}))?(?::(\d{1,9}))?$/.exec(typed) ?? []
  if (!/[/\\.]/.test(path)) return null
  return { ...build, path, debugId: null, line: placeNumber(line), column: placeNumber(column) }
}

function placeNumber(text: string | undefined): number | null {
  return text === undefined ? null : Number(text)
}
