import { shareText } from './number-text.ts'

const FILLS = {
  normal: 'fill-bar',
  server: 'fill-span-server',
  warn: 'fill-warn-fill',
  bad: 'fill-bad-fill',
} as const

/** A bar of the share of a whole, and its percentage in words. */
export function ShareBar(props: {
  readonly part: number
  readonly whole: number
  readonly width?: number
  readonly withText?: boolean
  readonly tone?: keyof typeof FILLS
}) {
  const width = props.width ?? 44
  const share = props.whole <= 0 ? 0 : Math.min(1, props.part / props.whole)
  const filled = share === 0 ? 0 : Math.max(1, share * width)
  return (
    <span className="inline-flex items-center gap-2 align-middle">
      <svg width={width} height="5" aria-hidden="true" className="shrink-0">
        <rect width={width} height="5" className="fill-grid" />
        <rect width={filled} height="5" className={FILLS[props.tone ?? 'normal']} />
      </svg>
      {props.withText === false ? null : (
        <span className="stack-fit num w-14 text-end text-12 text-ink-3">
          {shareText(props.part, props.whole)}
        </span>
      )}
    </span>
  )
}
