import { Key } from '#ui/key.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Segmented } from '#ui/segmented.tsx'
import type { TraceData } from './trace.server.ts'
import { WATERFALL_ORDERS, type WaterfallOrder } from './waterfall-orders.ts'

/** Find, unfold, and what the marks mean. */
export function WaterfallBar(props: {
  readonly data: TraceData
  readonly find: string
  readonly matches: number
  readonly onFind: (text: string) => void
  readonly onNext: () => void
  /** How many spans are folded. */
  readonly folded: number
  readonly onUnfold: () => void
  readonly order: WaterfallOrder
  readonly onOrder: (order: WaterfallOrder) => void
}) {
  const { data, find, matches } = props
  const spans = data.columns.id.length
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-6 py-2 text-12 text-ink-3 max-phone:px-4">
      {spans === 0 ? null : (
        <span className="relative flex w-72 items-center max-phone:w-full">
          <input
            type="search"
            className="field touch w-full wide:pe-9"
            value={find}
            onChange={(event) => props.onFind(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') props.onNext()
              else if (event.key === 'Escape') event.currentTarget.blur()
            }}
            placeholder={`Find in ${spans === 1 ? 'this span' : `these ${numberText(spans)} spans`}`}
            aria-label="Find spans"
            aria-keyshortcuts="/"
            autoComplete="off"
            spellCheck={false}
          />
          {find === '' ? (
            <span className="pointer-events-none absolute end-2 flex max-wide:hidden">
              <Key>/</Key>
            </span>
          ) : null}
        </span>
      )}
      {spans === 0 ? null : (
        <Segmented label="Order of spans">
          {WATERFALL_ORDERS.map((order) => (
            <button
              key={order}
              type="button"
              aria-pressed={order === props.order}
              onClick={() => props.onOrder(order)}
            >
              {ORDER_NAMES[order]}
            </button>
          ))}
        </Segmented>
      )}
      <span role="status" className="num">
        {find.trim() === '' ? '' : `${quantityText(matches, 'match', 'matches')}`}
      </span>
      {props.folded > 0 && find.trim() === '' ? (
        <button type="button" className="link max-phone:min-h-11" onClick={props.onUnfold}>
          Expand all
        </button>
      ) : null}
      <Legend />
    </div>
  )
}

const ORDER_NAMES: Readonly<Record<WaterfallOrder, string>> = {
  ...{ tree: 'Tree', flat: 'Flat', service: 'By service' },
}

const MARKS = [
  {
    text: 'browser',
    mark: <rect x="0.5" y="1.5" width="13" height="7" fill="none" className="stroke-control" />,
  },
  { text: 'server', mark: <rect y="1" width="14" height="8" className="fill-span-server" /> },
  { text: 'database', mark: <rect y="1" width="14" height="8" className="fill-span-db" /> },
  { text: 'failed', mark: <rect y="1" width="14" height="8" className="fill-bad-fill" /> },
  { text: 'critical path', mark: <rect y="4" width="14" height="2" className="fill-ink" /> },
  { text: 'own time', mark: <rect y="4" width="14" height="2" className="fill-control" /> },
] as const

function Legend() {
  return (
    <ul aria-label="Marks" className="ms-auto flex flex-wrap gap-x-4 gap-y-1 max-phone:ms-0">
      {MARKS.map(({ text, mark }) => (
        <li key={text} className="flex items-center gap-1.5">
          <svg width="14" height="10" aria-hidden="true">
            {mark}
          </svg>
          {text}
        </li>
      ))}
    </ul>
  )
}
