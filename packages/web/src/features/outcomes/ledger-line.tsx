import { Icon } from '#ui/icons.tsx'
import { numberText, shareText } from '#ui/number-text.ts'
import { COLUMNS, type ColumnKey, type Ledger } from './ledger.ts'
import { Swatch } from './swatch.tsx'

const TONES: Readonly<Partial<Record<ColumnKey, string>>> = { limited: 'text-warn', invalid: 'text-bad' }

/** Sent = stored + what this version does not support + four reasons why not. */
export function LedgerLine({ ledger }: { readonly ledger: Ledger }) {
  const { sent, amounts, supported } = ledger.all
  return (
    <div className="flex flex-wrap items-start gap-x-5 gap-y-3 px-6 py-4 max-phone:gap-y-0.5 max-phone:px-4">
      <div className="max-phone:flex max-phone:w-full max-phone:ps-6">
        <Amount value={sent} label="items sent" />
      </div>
      {COLUMNS.map(({ key, label }, index) => (
        <div
          key={key}
          className="flex items-start gap-5 max-phone:w-full max-phone:items-center max-phone:gap-0"
        >
          <span
            aria-hidden="true"
            className="text-20 leading-8 text-ink-3 max-phone:w-6 max-phone:text-13 max-phone:leading-7"
          >
            {index === 0 ? '=' : '+'}
          </span>
          <Amount
            value={amounts[key]}
            label={key === 'stored' ? storedLabel(amounts.stored, supported) : label}
            column={key}
          />
        </div>
      ))}
      <span className="ms-auto flex items-center gap-1.5 pt-1.5 text-13 text-good max-wide:ms-0 max-phone:pt-3">
        <Icon name="check" size={14} /> Adds up: every item is counted once
      </span>
    </div>
  )
}

function storedLabel(stored: number, supported: number): string {
  return supported === 0 ? 'stored' : `stored, ${shareText(stored, supported)}`
}

function Amount(props: { readonly value: number; readonly label: string; readonly column?: ColumnKey }) {
  const { value, column } = props
  const tone = value === 0 ? 'text-ink-3' : ((column === undefined ? undefined : TONES[column]) ?? '')
  return (
    <div className="max-phone:flex max-phone:flex-1 max-phone:flex-row-reverse max-phone:items-center max-phone:justify-between">
      <div className={`num text-24 font-strong max-phone:text-15 ${tone}`}>{numberText(value)}</div>
      <div className="flex items-center gap-1.5 text-12 text-ink-3 max-phone:text-13">
        {column === undefined ? null : <Swatch column={column} />}
        {props.label}
      </div>
    </div>
  )
}
