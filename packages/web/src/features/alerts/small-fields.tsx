/** Fields of a sentence: their labels are for assistive technology, the sentence says the rest. */

export interface Option {
  readonly value: string
  readonly label: string
}

export function Choose(props: {
  readonly name: string
  readonly label: string
  readonly initial: string
  readonly options: readonly Option[]
  readonly onChange?: (value: string) => void
}) {
  const { onChange } = props
  return (
    <select
      name={props.name}
      aria-label={props.label}
      defaultValue={props.initial}
      className="field touch w-auto max-w-full"
      onChange={(event) => onChange?.(event.currentTarget.value)}
    >
      {props.options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}

export function Typed(props: {
  readonly name: string
  readonly label: string
  readonly initial: string
  readonly numeric?: true
  /** Stands in the empty field. */
  readonly empty?: string
  /** Stands inside the field, at its end. */
  readonly unit?: string | undefined
}) {
  const { unit } = props
  const width = unit === undefined ? 'w-20 text-end' : 'w-24 pe-10! text-end'
  const input = (
    <input
      name={props.name}
      placeholder={props.empty}
      aria-label={props.label}
      defaultValue={props.initial}
      inputMode={props.numeric === true ? 'decimal' : undefined}
      className={`field touch ${props.numeric === true ? width : 'w-36'}`}
      autoComplete="off"
    />
  )
  if (unit === undefined) return input
  return (
    <span className="relative inline-flex">
      {input}
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 end-3 flex items-center text-12 text-ink-3"
      >
        {unit}
      </span>
    </span>
  )
}
