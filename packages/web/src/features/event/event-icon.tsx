/** Icons that the issue page alone shows, beside those of the kit: the list need not load them. */
import { Icon, type IconName, PathIcon } from '#ui/icons.tsx'

const PATHS = {
  first: 'M4.5 4v8m7-8L7.5 8l4 4',
  last: 'M11.5 4v8m-7-8 4 4-4 4',
  navigation: 'M8 2.5 12.5 13 8 10.8 3.5 13Z',
  exchange: 'M3 5.5h10l-2.5-2.5M13 10.5H3L5.5 13',
  pointer: 'M5 5l3 8 1.6-3.4L13 8Zm-2.5 0h.01M5 2.5h.01',
  terminal: 'm3 4.5 3.5 3.5L3 11.5m5.5 0H13',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-6.5V11m0-5.8v.01',
  comment: 'M2.5 3.5h11v7.5H7l-3 2.5V11H2.5Z',
  bookmark: 'M4 2.5h8v11l-4-3-4 3Z',
  bell: 'M3 11.5h10c-1-1-1.3-2-1.3-4.3a3.7 3.7 0 0 0-7.4 0C4.3 9.5 4 10.5 3 11.5Zm3.5 2h3',
  edit: 'M3 13h2.5L13 5.5 10.5 3 3 10.5Z',
  pulse: 'M1.5 8h3l2-5 3 10 2-5h3',
} as const

type OwnName = keyof typeof PATHS
export type EventIconName = IconName | OwnName

export function EventIcon({
  name,
  ...props
}: { readonly name: EventIconName } & Omit<Parameters<typeof Icon>[0], 'name'>) {
  return isOwn(name) ? <PathIcon path={PATHS[name]} {...props} /> : <Icon name={name} {...props} />
}

function isOwn(name: EventIconName): name is OwnName {
  return name in PATHS
}
