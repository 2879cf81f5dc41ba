import { paths } from '#parts/paths.ts'
import { Badge } from '#ui/badge.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { visibleText } from '#ui/visible-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { EventRowsData as Rows } from './event-columns.ts'

/** Events by what tells them apart; on a phone each is a row of two or three lines. */
export function EventRows(props: {
  readonly org: string
  readonly issue: string
  readonly list: string
  readonly table: Rows
}) {
  const { columns, rows, same } = props.table
  // On a phone it comes first.
  const hasTitle = columns.includes('Title')
  return (
    <>
      <Same facts={same} />
      <div className="@container">
        <Table caption="Events of this issue" className="max-phone:block">
          <thead className="max-phone:sr-only">
            <tr>
              <th scope="col">Event</th>
              <th scope="col">When</th>
              {columns.map((name, index) => (
                <th key={name} scope="col" className={columnClass(index)}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="max-phone:block">
            {rows.map((row) => (
              <tr
                key={row.eventId}
                className="relative max-phone:flex max-phone:min-h-11 max-phone:flex-wrap max-phone:items-baseline max-phone:gap-x-3 max-phone:border-b max-phone:py-2"
              >
                <td
                  className={`${CELL} whitespace-nowrap ${hasTitle ? '' : 'max-phone:w-[calc(100%-7rem)]'}`}
                >
                  <PageLink
                    prefetch
                    className="link font-mono text-12 after:absolute after:inset-0"
                    to={paths.issueEvent(props.org, props.issue, row.eventId, { list: props.list })}
                  >
                    {row.eventId.slice(0, 8)}
                  </PageLink>
                  {row.isMirror ? (
                    <Badge icon="browser" label="browser copy" className="ms-2" iconOnly />
                  ) : null}
                </td>
                <td
                  className={`${CELL} whitespace-nowrap max-phone:w-20 max-phone:text-end max-phone:text-ink-3 ${hasTitle ? 'max-phone:order-[-1]' : ''}`}
                >
                  <Time ms={row.timestampMs} />
                </td>
                {columns.map((name, index) => (
                  <Cell
                    key={name}
                    name={name}
                    text={row.cells[index] ?? null}
                    org={props.org}
                    className={columnClass(index)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
    </>
  )
}

/** Columns that have room between a phone and a wide screen; the event has the others. */
const COLUMNS_MIDDLE = 3
const columnClass = (index: number): string => (index < COLUMNS_MIDDLE ? '' : 'phone:@max-[70rem]:hidden')

const CELL = 'max-phone:h-auto max-phone:border-0 max-phone:p-0'

/** A title and an address take the place that is left; on a phone a title begins the row, an address has its own line. */
function Cell(props: {
  readonly org: string
  readonly name: string
  readonly text: string | null
  readonly className: string
}) {
  const { org, name, text } = props
  const width =
    name === 'Title'
      ? 'w-full max-w-40 max-phone:order-[-2] max-phone:w-[calc(100%-5.75rem)] max-phone:max-w-none'
      : name === 'URL'
        ? 'w-full max-w-40 max-phone:order-1 max-phone:max-w-full max-phone:basis-full'
        : 'max-w-48 max-phone:max-w-full max-phone:text-12 max-phone:text-ink-2'
  const absent = text === null ? 'max-phone:hidden' : ''
  return (
    <td className={`${CELL} ${width} ${absent} ${props.className}`}>
      {text === null ? (
        <span className="text-ink-3">–</span>
      ) : (
        <bdi className="block truncate text-left" title={text}>
          <span className="visually-hidden phone:hidden">{name} </span>
          {name === 'User' ? (
            // Above the row, which is a link itself; on a phone a finger has room for the row alone.
            <>
              <PageLink className="link relative z-1 max-phone:hidden" to={paths.person(org, text)}>
                {visibleText(text)}
              </PageLink>
              <span className="phone:hidden">{visibleText(text)}</span>
            </>
          ) : (
            visibleText(text)
          )}
        </bdi>
      )}
    </td>
  )
}

/** Shows once what every row has. */
function Same({ facts }: { readonly facts: Rows['same'] }) {
  if (facts.length === 0) return null
  return (
    <p className="foreign pb-2 text-12 text-ink-3">
      Same in every row:{' '}
      {facts.map(([name, value], index) => (
        <span key={name}>
          {index === 0 ? '' : ', '}
          {name === 'URL' ? name : name.toLowerCase()}{' '}
          <span className="text-ink-2">{visibleText(value)}</span>
        </span>
      ))}
    </p>
  )
}
