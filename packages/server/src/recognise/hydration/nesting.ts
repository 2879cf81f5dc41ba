/** Elements that a browser’s parser moves, since they may not stand where they were rendered. */

const TAG = /<(\/?)([a-z][\w-]{0,40})(?:\s[^<>]{0,2000})?>/gi
const TAGS_MAX = 400
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Elements that end an open paragraph. */
const NOT_IN_P = new Set(
  `address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form h1 h2
  h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table ul`.split(/\s+/),
)
const NOT_IN_ITSELF = new Set(['a', 'button', 'form', 'nobr', 'option', 'select'])
/** Elements in which an outer paragraph is no longer open. */
const SCOPES = new Set(['button', 'table', 'td', 'th', 'caption', 'object', 'template', 'svg', 'math'])

export interface WrongNesting {
  readonly inner: string
  readonly outer: string
}

/** Finds wrong nesting in HTML as a framework rendered it, which need not be complete. */
export function wrongNesting(html: string): WrongNesting | null {
  const open: string[] = []
  let tags = 0
  for (const [, end = '', given = ''] of html.matchAll(TAG)) {
    tags += 1
    if (tags > TAGS_MAX) return null
    const name = given.toLowerCase()
    if (end !== '') {
      const at = open.lastIndexOf(name)
      if (at >= 0) open.length = at
      continue
    }
    const outer = outerOf(name, open)
    if (outer !== null) return { inner: name, outer }
    if (!VOID.has(name)) open.push(name)
  }
  return null
}

function outerOf(name: string, open: readonly string[]): string | null {
  if (NOT_IN_ITSELF.has(name) && open.includes(name)) return name
  const scope = open.findLastIndex((each) => SCOPES.has(each))
  return NOT_IN_P.has(name) && open.lastIndexOf('p') > scope ? 'p' : null
}
