/** The smallest part of a page that its framework replaced with something else, with what stands around it. */
import { componentOf } from './component.ts'
import type { PageChange, PageNode } from './page-types.ts'
import { openingTag, type Piece, readPieces, textOf } from './pieces.ts'

export interface HydrationHalves {
  readonly server: string
  readonly client: string
  readonly component?: string
}

/** Pieces of one element, and which of them differ from the other side's. */
interface Side {
  readonly open: string
  readonly tag: string
  readonly inner: readonly Piece[]
  readonly from: number
  readonly to: number
}

const CHARS_MAX = 3_000
const AROUND_BEFORE = 2
const AROUND_AFTER = 3

/** `null` where nothing was replaced, or only by what looks the same. */
export function halvesOf(changes: readonly PageChange[]): HydrationHalves | null {
  const before = new Map<PageNode, string | null>()
  const differing = [...changedPlaces(changes, before)]
    .map(([parent, { removed, added }]) => {
      const element = { parent, open: openingTag(parent), tag: parent.nodeName.toLowerCase() }
      return [
        { ...element, inner: readPieces(removed, before) },
        { ...element, inner: readPieces(added) },
      ] as const
    })
    .filter(([server, client]) => textOf(server.inner) !== textOf(client.inner))
  const place = differing.find((sides) => sides.every(({ inner }) => inner.length > 0)) ?? differing[0]
  if (place === undefined) return null
  const [server, client] = narrowToDifference(...place)
  const component = componentOf(client.inner[client.from]?.node ?? place[1].parent)
  return { server: htmlOf(server), client: htmlOf(client), ...(component === null ? {} : { component }) }
}

/** By parent. What only moved was not replaced. `before` takes what texts said that were changed in their place. */
function changedPlaces(changes: readonly PageChange[], before: Map<PageNode, string | null>) {
  const places = new Map<PageNode, { removed: Set<PageNode>; added: Set<PageNode> }>()
  for (const { type, target, addedNodes, removedNodes, oldValue } of changes) {
    const isText = type === 'characterData'
    const parent = isText ? target.parentNode : target
    if (!parent?.isConnected) continue
    if (isText && !before.has(target)) before.set(target, oldValue)
    const place = places.get(parent) ?? { removed: new Set(), added: new Set() }
    places.set(parent, place)
    for (const node of isText ? parent.childNodes : removedNodes)
      if (isText || !node.isConnected) place.removed.add(node)
    for (const node of isText ? parent.childNodes : addedNodes)
      if (node.parentNode === parent) place.added.add(node)
  }
  return places
}

type Element = Pick<Piece, 'open' | 'tag' | 'inner'>

/** Goes down while one element alone differs, and only in what is inside. */
function narrowToDifference(server: Element, client: Element): readonly [Side, Side] {
  const [one, other] = [server.inner, client.inner]
  const shorter = Math.min(one.length, other.length)
  let from = 0
  while (from < shorter && one[from]?.all === other[from]?.all) from++
  let end = 0
  while (end < shorter - from && one.at(-1 - end)?.all === other.at(-1 - end)?.all) end++
  const [first, second] = [one[from], other[from]]
  const isOne = Math.max(one.length, other.length) - end === from + 1 && one.length === other.length
  const hasInside = [first, second].some((piece) => piece?.inner.some(({ tag }) => tag !== ''))
  if (isOne && hasInside && first !== undefined && first.open === second?.open)
    return narrowToDifference(first, second)
  return [
    { ...server, from, to: one.length - end },
    { ...client, from, to: other.length - end },
  ]
}

/** Writes HTML with each tag and text that differs on a line, and the elements around it on one line each. */
function htmlOf({ open, tag, inner, from, to }: Side): string {
  const first = Math.max(0, from - AROUND_BEFORE)
  const lines = inner
    .slice(first, to + AROUND_AFTER)
    .flatMap((piece, at) => linesOf(piece, first + at >= from && first + at < to))
  return [open, ...lines, `</${tag}>`].join('\n').slice(0, CHARS_MAX)
}

function linesOf({ open, tag, inner }: Piece, isFull: boolean): readonly string[] {
  if (tag === '') return [`  ${open.trim()}`]
  if (isFull && inner.length > 0) {
    const lines = inner.flatMap((piece) => linesOf(piece, true))
    return [`  ${open}`, ...lines.map((line) => `  ${line}`), `  </${tag}>`]
  }
  return [`  ${open}${inner.map((piece) => (piece.tag === '' ? piece.open : '…')).join('')}</${tag}>`]
}
