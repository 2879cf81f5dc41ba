import { countText } from './number-text.ts'

/** A tabular number. Zero is faint, what is not exact starts with "≈". */
export function Count(props: {
  readonly value: number
  readonly exactness?: 'exact' | 'approximate'
  readonly className?: string
}) {
  const tone = props.value === 0 ? 'text-ink-3 ' : ''
  return (
    <span className={`num ${tone}${props.className ?? ''}`}>{countText(props.value, props.exactness)}</span>
  )
}
