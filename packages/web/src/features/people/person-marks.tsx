/** Marks of items: icon and lane. */
import type { PersonItem } from '@errata/server/queries'
import { Icon, type IconName, PathIcon } from '#ui/icons.tsx'
import { LevelMark } from '#ui/level-mark.tsx'

type Kind = PersonItem['kind']

/** Lanes in order. */
export const LANES: readonly { readonly kind: Kind; readonly name: string }[] = [
  { kind: 'error', name: 'Errors' },
  { kind: 'page', name: 'Page loads' },
  { kind: 'click', name: 'Clicks' },
  { kind: 'action', name: 'Actions' },
  { kind: 'request', name: 'Requests' },
  { kind: 'other', name: 'Other work' },
]

const ICONS: Readonly<Partial<Record<Kind, IconName>>> = {
  page: 'browser',
  action: 'action',
  request: 'route-handler',
}
const POINTER = 'M4 2.5 12.5 8 8.6 9l2.2 4-1.7.9-2.1-4L4 12.5Z'

export function ItemMark({ item }: { readonly item: PersonItem }) {
  if (item.kind === 'error') return <LevelMark level={item.level ?? 'error'} size={14} />
  if (item.kind === 'click') return <PathIcon path={POINTER} size={14} label="click" />
  const name = LANES.find(({ kind }) => kind === item.kind)?.name ?? ''
  return <Icon name={ICONS[item.kind] ?? 'clock'} size={14} label={name} />
}

/** True where something went wrong in it. */
export function isBadItem({ kind, end }: PersonItem): boolean {
  return kind === 'error' || end === 'failed' || end === 'failed-behind-200'
}
