/** Comment at a script's end that states where its source map is (ECMA-426). */

export interface MapReference {
  /** A relative address, an address, or `data:` with the map itself. */
  readonly address: string
  /** Start of the address in the script. */
  readonly start: number
}

const MARK = 'sourceMappingURL='
const COMMENT = /\/[/*][#@][ \t]*$/
const ADDRESS = /[^\s'"`*\\]+/y
/** Blank lines and comments alone may follow: anywhere else it is text of a program. */
const REST = /^[ \t]*(?:\*\/)?(?:\s|\/\/[^\n]*(?:\n|$))*$/
const REST_CHARS_MAX = 4_096
const MARKS_MAX = 8

/** `null` for a script that says nothing. */
export function mapReferenceIn(script: string): MapReference | null {
  let before = script.length
  for (let tried = 0; tried < MARKS_MAX && before > 0; tried++) {
    const at = script.lastIndexOf(MARK, before - 1)
    if (at === -1) return null
    const reference = referenceAt(script, at)
    if (reference !== null) return reference
    before = at
  }
  return null
}

function referenceAt(script: string, at: number): MapReference | null {
  if (!COMMENT.test(script.slice(Math.max(0, at - 16), at))) return null
  const start = at + MARK.length
  ADDRESS.lastIndex = start
  const address = ADDRESS.exec(script)?.[0]
  if (address === undefined) return null
  const end = start + address.length
  if (script.length - end > REST_CHARS_MAX || !REST.test(script.slice(end))) return null
  return { address, start }
}

const INLINE = /^data:application\/json(?:;[^,;]*)*?(;base64)?,/i

/** The text of a map inside of the script; `null` where it lies elsewhere. */
export function inlineMap({ address }: MapReference): string | null {
  const [prefix, base64] = INLINE.exec(address.slice(0, 200)) ?? []
  if (prefix === undefined) return null
  const held = address.slice(prefix.length)
  if (base64 !== undefined) return Buffer.from(held, 'base64').toString('utf8')
  try {
    return decodeURIComponent(held)
  } catch {
    return '' // no JSON either: told as a damaged map
  }
}

/** The script with another map inside. */
export function withInlineMap(script: string, { address, start }: MapReference, map: string): string {
  const inline = `data:application/json;charset=utf-8;base64,${Buffer.from(map).toString('base64')}`
  return script.slice(0, start) + inline + script.slice(start + address.length)
}
