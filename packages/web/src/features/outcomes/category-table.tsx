import { Count } from '#ui/number.tsx'
import { ShareBar } from '#ui/share-bar.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { COLUMNS, type ColumnKey, categoryText, type Ledger, type LedgerRow } from './ledger.ts'

const TONES: Readonly<Partial<Record<ColumnKey, string>>> = {
  limited: 'font-strong text-warn',
  invalid: 'font-strong text-bad',
}

export function CategoryTable({ ledger }: { readonly ledger: Ledger }) {
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
        stacks="early"
        className="phone:max-[80rem]:[&_:is(td,th):not(:first-child,:last-child)]:px-2"
      >
        <thead>
          <tr>
            <th scope="col">Category</th>
            <th scope="col" className={tableNum}>
              Sent
            </th>
            {COLUMNS.map(({ key, head }) => (
              <th key={key} scope="col" className={tableNum}>
                {head}
              </th>
            ))}
            <th scope="col" className={tableNum}>
              Not stored
            </th>
            <th scope="col" className={`mid-only ${tableNum}`}>
              Share stored
            </th>
          </tr>
        </thead>
        <tbody>
          {ledger.rows.map((row) => (
            <Row key={row.category} row={row} />
          ))}
          <Row row={ledger.all} isTotal />
        </tbody>
      </Table>
    </section>
  )
}

function Row({ row, isTotal }: { readonly row: LedgerRow; readonly isTotal?: boolean }) {
  return (
    <tr className={isTotal === true ? 'font-strong' : undefined}>
      <th scope="row" className="whitespace-normal">
        <span className={`foreign ${isTotal === true ? 'font-strong' : ''}`}>
          {categoryText(row.category)}
        </span>
      </th>
      <td className={tableNum} data-label="Sent">
        <Count value={row.sent} />
      </td>
      {COLUMNS.map(({ key, head }) => (
        <td
          key={key}
          className={`${tableNum} ${row.amounts[key] === 0 ? 'stack-none' : ''}`}
          data-label={head}
        >
          <Count value={row.amounts[key]} className={row.amounts[key] === 0 ? '' : (TONES[key] ?? '')} />
        </td>
      ))}
      <td className={`${tableNum} stack-none`}>
        <Count value={row.notStored} />
      </td>
      <td className={`mid-only ${tableNum}`}>
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
