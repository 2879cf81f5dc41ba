export function BrandMark() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" className="shrink-0">
      <rect width="18" height="18" rx="4" className="fill-ink" />
      <path
        d="M5 12.8 9 5l4 7.8"
        fill="none"
        strokeWidth="1.8"
        strokeLinecap="round"
        className="stroke-canvas"
      />
    </svg>
  )
}
