import { Count } from '#ui/number.tsx'
import { ShareBar } from '#ui/share-bar.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { COLUMNS, type ColumnKey, categoryText, type Ledger, type LedgerRow } from './ledger.ts'

const TONES: Readonly<Partial<Record<ColumnKey, string>>> = {
  limited: 'font-strong text-warn',
  invalid: 'font-strong text-bad',
}

/** By how many columns stand beside *Sent* where rows are lines. */
const STACK_COLUMNS: Readonly<Record<number, string>> = {
  1: '[--stack-columns:2]',
  2: '[--stack-columns:3]',
  3: '[--stack-columns:4]',
  4: '[--stack-columns:5]',
  5: '[--stack-columns:6]',
  6: '[--stack-columns:7]',
}

export function CategoryTable({ ledger }: { readonly ledger: Ledger }) {
  // Where it is narrow, columns without any item go.
  const shown = COLUMNS.map(({ key }) => key).filter((key) => key === 'stored' || ledger.all.amounts[key] > 0)
  return (
    <section aria-label="By category" className="pt-5">
      <h2 className="px-6 pb-2 text-13 font-strong max-phone:px-4">
        By category
        {ledger.all.amounts.unsupported === 0 ? null : (
          <span className="ms-2 text-12 font-normal text-ink-3">
            the stored share excludes unsupported items
          </span>
        )}
      </h2>
      <Table
        caption="Items by category"
        edge
        stacks="columns"
        className={`${STACK_COLUMNS[shown.length] ?? ''} phone:max-[80rem]:[&_:is(td,th):not(:first-child,:last-child)]:px-2`}
      >
        <thead>
          <tr>
            <th scope="col">Category</th>
            <th scope="col" className={tableNum}>
              Sent
            </th>
            {COLUMNS.map(({ key, head }) => (
              <th key={key} scope="col" className={`${tableNum} ${shown.includes(key) ? '' : 'stack-none'}`}>
                {head}
              </th>
            ))}
            <th scope="col" className={`${tableNum} stack-none`}>
              Not stored
            </th>
            <th scope="col" className={`mid-only stack-none ${tableNum}`}>
              Share stored
            </th>
          </tr>
        </thead>
        <tbody>
          {ledger.rows.map((row) => (
            <Row key={row.category} {...{ row, shown }} />
          ))}
          <Row row={ledger.all} shown={shown} isTotal />
        </tbody>
      </Table>
    </section>
  )
}

function Row(props: {
  readonly row: LedgerRow
  readonly shown: readonly ColumnKey[]
  readonly isTotal?: boolean
}) {
  const { row, shown, isTotal } = props
  return (
    <tr className={isTotal === true ? 'font-strong' : undefined}>
      <th scope="row" className="whitespace-normal">
        <span className={`foreign ${isTotal === true ? 'font-strong' : ''}`}>
          {categoryText(row.category)}
        </span>
      </th>
      <td className={tableNum}>
        <Count value={row.sent} />
      </td>
      {COLUMNS.map(({ key }) => (
        <td key={key} className={`${tableNum} ${shown.includes(key) ? '' : 'stack-none'}`}>
          <Count value={row.amounts[key]} className={row.amounts[key] === 0 ? '' : (TONES[key] ?? '')} />
        </td>
      ))}
      <td className={`${tableNum} stack-none`}>
        <Count value={row.notStored} />
      </td>
      <td className={`mid-only stack-none ${tableNum}`}>
        {row.supported === 0 ? (
          <span className="text-12 text-ink-3" title="Nothing was stored">
            –
          </span>
        ) : (
          <ShareBar part={row.amounts.stored} whole={row.supported} width={112} />
        )}
      </td>
    </tr>
  )
}
