/** Icons on a 16 px grid, stroke 1.4, round ends. Only those in use on more than one page. */

const PATHS = {
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14',
  'chevron-down': 'm4.5 6.5 3.5 3.5 3.5-3.5',
  'chevron-right': 'm6.5 4.5 3.5 3.5-3.5 3.5',
  'chevron-left': 'M9.5 4.5 6 8l3.5 3.5',
  bookmark: 'M4.5 2.5h7v11L8 10.6l-3.5 2.9z',
  link: 'm6.5 9.5 3-3M7 4.6l1.2-1.2a3 3 0 0 1 4.3 4.3L11.4 8.9M9 11.4l-1.2 1.2a3 3 0 0 1-4.3-4.3L4.6 7.1',
  check: 'm3.5 8.5 3 3 6-7',
  copy: 'M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2m-7-5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1Z',
  close: 'm4 4 8 8m0-8-8 8',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-9.5V8l2.3 1.5',
  sort: 'M2.5 4.5h11m-9 3.5h7m-5 3.5h3',
  merge: 'M8 14V9.5C8 7 4.5 7 4.5 4.5V2.5M8 9.5c0-2.5 3.5-2.5 3.5-5V2.5',
  person: 'M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8Zm-5 5.5c.6-2.4 2.6-3.5 5-3.5s4.4 1.1 5 3.5',
  people:
    'M6 7.5a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Zm-4 5.5c.5-2.2 2-3.2 4-3.2s3.5 1 4 3.2M10.5 3.4a2.2 2.2 0 0 1 0 3.9m1.2 2.9c1.3.4 2 1.3 2.3 2.8',
  menu: 'M2.5 4.5h11M2.5 8h11m-11 3.5h11',
  document: 'M4 2.5h5l3.5 3.5v7.5H4Zm5 0V6h3.5',
  braces:
    'M6 2.5c-2 0-2 1-2 2.5S3.5 8 2.5 8C3.5 8 4 9 4 11s0 2.5 2 2.5m4-11c2 0 2 1 2 2.5S12.5 8 13.5 8c-1 0-1.5 1-1.5 3s0 2.5-2 2.5',
  prefetch: 'M2.5 8h1.8m1.7 0h1.8m1.7 0H13M9.5 4.5 13 8l-3.5 3.5',
  action: 'M13 3.5V8a1.5 1.5 0 0 1-1.5 1.5H3m3-3-3 3 3 3',
  'route-handler': 'M5.5 4.5 2 8l3.5 3.5m5-7L14 8l-3.5 3.5',
  browser: 'M2.5 3.5h11v9h-11Zm0 2.8h11',
  hydration: 'M2.5 3.5h4.5v9H2.5Zm6.5 0h4.5v9H9Zm-5 3h1.5m3.5 0h1.5m-6.5 3h1.5',
  skew: 'M2.5 10.5v-7h8v2M5.5 5.5h8v7h-8Zm2.5 2 3 3m0-3-3 3',
  database:
    'M8 6c2.8 0 4.5-.8 4.5-1.8S10.8 2.5 8 2.5s-4.5.7-4.5 1.7S5.2 6 8 6Zm4.5-1.8v7.6c0 1-1.7 1.7-4.5 1.7s-4.5-.7-4.5-1.7V4.2M12.5 8c0 1-1.7 1.8-4.5 1.8S3.5 9 3.5 8',
  exclamation: 'M8 3v6m0 3.5v.01',
  arrow: 'M3 8h10m-3.5-3.5L13 8l-3.5 3.5',
  'arrow-down': 'M8 3v10m-3.5-3.5L8 13l3.5-3.5',
  'arrow-up': 'M8 13V3M4.5 6.5 8 3l3.5 3.5',
  archive: 'M2.5 3h11v3h-11Zm1 3v7h9V6M6.5 9h3',
  trash: 'M3 4.5h10M6 4.5v-2h4v2m-5.5 0 .5 9h6l.5-9',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z',
  'sign-out': 'M6 2.5H3v11h3M10 5l3 3-3 3m3-3H6',
} as const

export type IconName = keyof typeof PATHS

interface IconProps {
  readonly size?: 12 | 14 | 16
  readonly label?: string
  readonly className?: string
}

/**
 * An icon beside its text, or alone with a `label`. Without a label it is hidden from assistive technology.
 * Drawn at 12, 14 or 16 px.
 */
export function Icon({ name, ...props }: IconProps & { readonly name: IconName }) {
  return <PathIcon path={PATHS[name]} {...props} />
}

/** An icon that is no part of the kit: one page's own. */
export function PathIcon(props: IconProps & { readonly path: string }) {
  const size = props.size ?? 16
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      className={`icon ${props.className ?? 'shrink-0'}`}
      role={props.label === undefined ? undefined : 'img'}
      aria-label={props.label}
      aria-hidden={props.label === undefined ? true : undefined}
    >
      <path d={props.path} />
    </svg>
  )
}
