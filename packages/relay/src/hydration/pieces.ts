/** Parts of a page as they may leave it: no scripts, no values of fields, nothing that is called a secret, and bounded. */
import type { PageNode } from './page-types.ts'

export interface Piece {
  readonly node: PageNode
  /** Empty for a text. */
  readonly tag: string
  /** The opening tag; of a text the text. */
  readonly open: string
  readonly inner: readonly Piece[]
  /** All of it: equal for pieces that look alike. */
  readonly all: string
}

const HIDDEN = '[Filtered]'
/** The first is a part that React's server streamed behind the page, and that its script moves to its place. */
const SKIPPED = '[id^="S:"],script,style,link,meta,template,noscript'
/** Elements left unread: what people write themselves, and what replays hide. */
const PRIVATE =
  'textarea,input,select,[contenteditable],[data-sentry-mask],[data-sentry-block],.sentry-mask,.sentry-block'
const SECRET_NAMES = /^(?:on|value$|nonce|srcdoc)|token|secret|passw|auth|[cx]srf|session|cookie|key|sign/i
const EMAIL = /[^\s@"'<>]{1,64}@[^\s@"'<>]+/g
/** Cards and phones; neither fractions nor milliseconds since 1970, which say why two sides differ. */
const LONG_NUMBER = /(?<![\d.])(?!1\d{12}\b)\d(?:[ -]?\d){12,18}|\+\d[\d ()-]{7,20}\d/g
const TEXT_CHARS_MAX = 200
const PIECES_MAX = 5_000

/** `before`: what texts said that were changed in their place. */
export function readPieces(
  nodes: Iterable<PageNode>,
  before?: ReadonlyMap<PageNode, string | null>,
): readonly Piece[] {
  let left = PIECES_MAX
  const read = (all: Iterable<PageNode>): readonly Piece[] => {
    const pieces: Piece[] = []
    for (const node of all) {
      if (left-- < 1) break
      if (node.nodeType === 3) addText(pieces, node, before?.get(node) ?? node.nodeValue ?? '')
      if (node.matches?.(SKIPPED) === false) pieces.push(elementOf(node, read))
    }
    return pieces.filter(({ all: text }) => text.trim())
  }
  return read(nodes)
}

/** Frameworks part a text by comments, on the server alone. */
function addText(pieces: Piece[], node: PageNode, text: string): void {
  const before = pieces.at(-1)?.tag === '' ? pieces.pop()?.all : ''
  const all = cleanText(before + text)
  pieces.push({ node, tag: '', open: all, inner: [], all })
}

function elementOf(node: PageNode, read: (nodes: Iterable<PageNode>) => readonly Piece[]): Piece {
  const tag = node.nodeName.toLowerCase()
  const open = openingTag(node)
  const inner = node.matches?.(PRIVATE) ? [] : read(node.childNodes)
  return { node, tag, open, inner, all: `${open}${textOf(inner)}</${tag}>` }
}

export function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ all }) => all).join('')
}

/** Attributes in the order of their names: the two sides write them in different ones. */
export function openingTag({ nodeName, attributes = [] }: PageNode): string {
  const shown = Array.from(attributes, ({ name, value }) => {
    const isSecret = SECRET_NAMES.test(name)
    return ` ${name}="${isSecret ? HIDDEN : cleanText(value.replace(/\?.*/s, '?…'))}"`
  })
  return `<${nodeName.toLowerCase()}${shown.sort().join('')}>`
}

function cleanText(text: string): string {
  const clean = text.replace(/\s+/g, ' ').replace(EMAIL, HIDDEN).replace(LONG_NUMBER, HIDDEN)
  return clean.length > TEXT_CHARS_MAX ? `${clean.slice(0, TEXT_CHARS_MAX)}…` : clean
}
