/** Marks of entries: words, lane and shape of each kind. */
import type { PersonItem } from '@errata/server/queries'
import { Icon, type IconName, PathIcon } from '#ui/icons.tsx'
import { LevelMark } from '#ui/level-mark.tsx'

export type ItemKind = PersonItem['kind']

interface Lane {
  readonly kind: ItemKind
  readonly name: string
  /** Told before the text of an entry. */
  readonly verb: string
  readonly one: string
}

/** Lanes in order. */
export const LANES: readonly Lane[] = [
  { kind: 'error', name: 'Errors', verb: 'Error', one: 'error' },
  { kind: 'page', name: 'Page loads', verb: 'Opened', one: 'page load' },
  { kind: 'click', name: 'Clicks', verb: 'Clicked', one: 'click' },
  { kind: 'input', name: 'Inputs', verb: 'Typed in', one: 'input' },
  { kind: 'action', name: 'Actions', verb: 'Submitted', one: 'action' },
  { kind: 'request', name: 'Requests', verb: 'Requested', one: 'request' },
  { kind: 'other', name: 'Other work', verb: 'Ran', one: 'other' },
]

export function laneOf(kind: ItemKind): Lane | undefined {
  return LANES.find((lane) => lane.kind === kind)
}

const ICONS: Readonly<Partial<Record<ItemKind, IconName>>> = {
  page: 'browser',
  action: 'action',
  request: 'route-handler',
}
const POINTER = 'M4 2.5 12.5 8 8.6 9l2.2 4-1.7.9-2.1-4L4 12.5Z'
const CARET = 'M6 2.5h1a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H6m4-11H9a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h1'

export function ItemMark({ item }: { readonly item: PersonItem }) {
  if (item.kind === 'error') return <LevelMark level={item.level ?? 'error'} size={14} />
  if (item.kind === 'click') return <PathIcon path={POINTER} size={14} label="click" />
  if (item.kind === 'input') return <PathIcon path={CARET} size={14} label="input" />
  return <Icon name={ICONS[item.kind] ?? 'clock'} size={14} label={laneOf(item.kind)?.one ?? ''} />
}

/** Shape of an entry on the axis: a disc for errors, and one of its own for each other kind. */
export function LaneMark({ item, place }: { readonly item: PersonItem; readonly place: number }) {
  const tone = isBadItem(item) ? 'fill-bad-fill' : 'fill-span-server'
  const x = `${place}%`
  switch (item.kind) {
    case 'error':
      return <circle cx={x} cy="11" r="4.5" className={item.level === 'warning' ? 'fill-warn-fill' : tone} />
    case 'page':
      return <rect x={x} y="7.5" width="7" height="7" transform="translate(-3.5 0)" className={tone} />
    case 'click':
      return <Path x={x} d="M0 6.5 4.5 11 0 15.5-4.5 11Z" className={tone} />
    case 'input':
      return <Path x={x} d="M-1 6h2v10h-2Z" className={tone} />
    case 'action':
      return <Path x={x} d="M0 6.5 4.5 15h-9Z" className={tone} />
    case 'request':
      return <circle cx={x} cy="11" r="3" className={tone} />
    default:
      return <circle cx={x} cy="11" r="2.5" fill="none" className="stroke-control" strokeWidth="1.4" />
  }
}

/** A path is placed in pixels: a frame of its own takes it to its percent. */
function Path({ x, ...path }: { readonly x: string; readonly d: string; readonly className: string }) {
  return (
    <svg x={x} overflow="visible" aria-hidden="true">
      <path {...path} />
    </svg>
  )
}

/** True where something went wrong in it. */
export function isBadItem({ kind, end }: PersonItem): boolean {
  return kind === 'error' || end === 'failed' || end === 'failed-behind-200'
}

/** Returns text as people read it: of a selector, its last element. */
export function itemText({ kind, text }: PersonItem): string {
  if (kind !== 'click' && kind !== 'input') return text
  return text.split(' > ').at(-1) ?? text
}
