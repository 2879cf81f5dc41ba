import { countText, numberText, quantityText } from './number-text.ts'

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

/** A number in bold and its unit in secondary ink: **612** users. */
export function Quantity(props: {
  readonly value: number
  readonly unit: string
  readonly units?: string
  readonly exactness?: 'exact' | 'approximate'
}) {
  const unit = quantityText(props.value, props.unit, props.units).slice(numberText(props.value).length)
  return (
    <span>
      <b className="num font-strong text-ink">{countText(props.value, props.exactness)}</b>
      {unit}
    </span>
  )
}
