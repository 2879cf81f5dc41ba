/** How bad: shape first, colour second. Fatal is a square with a cross, error a disc, warning a triangle, the rest a ring. */
export function LevelMark({ level, size = 16 }: { readonly level: string; readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" role="img" aria-label={level} className="shrink-0">
      <title>{level}</title>
      {shapeOf(level)}
    </svg>
  )
}

function shapeOf(level: string) {
  switch (level) {
    case 'fatal':
      return (
        <>
          <rect x="2.5" y="2.5" width="11" height="11" rx="2" className="fill-bad-fill" />
          <path
            d="m6 6 4 4m0-4-4 4"
            className="stroke-on-fill"
            fill="none"
            strokeWidth="1.4"
            strokeLinecap="round"
          />
        </>
      )
    case 'error':
      return <circle cx="8" cy="8" r="4.8" className="fill-bad-fill" />
    case 'warning':
      return (
        <path
          d="M8 3 13.5 12.5H2.5Z"
          className="fill-warn-fill stroke-warn-fill"
          strokeWidth="1"
          strokeLinejoin="round"
        />
      )
    default:
      return <circle cx="8" cy="8" r="4" fill="none" className="stroke-control" strokeWidth="1.6" />
  }
}
