/** Lists of values in a search: `[a, "b c"]`. Pure. */
import { asOwnText, needsQuotes, typedStars, withOwnStars } from '#model/text-pattern.ts'

export interface ListText {
  readonly values: readonly string[]
  /** Behind the list. */
  readonly end: number
}

/** The list that begins at `at`; `null` where none does: `[slug]/page` is a word. */
export function readListText(text: string, at: number): ListText | null {
  if (text[at] !== '[') return null
  const values: string[] = []
  for (let from = at + 1; from < text.length; ) {
    const { value, end } = readListValue(text, from)
    values.push(value)
    const sign = text[end]
    if (sign === ',') from = end + 1
    else if (sign === ']') return isEnd(text[end + 1]) ? { values, end: end + 1 } : null
    else return null
  }
  return null
}

export function writeListText(values: readonly string[]): string {
  const written = values.map((value) =>
    /^[^\s",[\]()]+$/.test(value) && !needsQuotes(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`,
  )
  return typedStars(`[${written.join(', ')}]`)
}

function readListValue(text: string, from: number): { readonly value: string; readonly end: number } {
  let at = afterSpace(text, from)
  if (text[at] !== '"') {
    const start = at
    while (at < text.length && !',]['.includes(text.charAt(at))) at += 1
    return { value: withOwnStars(text.slice(start, at).trim()), end: at }
  }
  let value = ''
  for (at += 1; at < text.length && text[at] !== '"'; at++) {
    const isStar = text.startsWith('\\*', at)
    if (isStar || (text[at] === '\\' && /["\\]/.test(text.charAt(at + 1)))) at += 1
    value += isStar ? asOwnText('*') : text.charAt(at)
  }
  return { value, end: afterSpace(text, at + 1) }
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1
  return at
}

function isEnd(sign: string | undefined): boolean {
  return sign === undefined || sign === ')' || /\s/.test(sign)
}
