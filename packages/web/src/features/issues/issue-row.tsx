import { KindBadges, StateChip, stateWord, titleParts } from '#parts/issue-marks.tsx'
import type { IssueListRow } from '#parts/issue-types.ts'
import { paths } from '#parts/paths.ts'
import { Avatar } from '#ui/avatar.tsx'
import { LevelMark } from '#ui/level-mark.tsx'
import { countText, numberText, quantityText } from '#ui/number-text.ts'
import { Time } from '#ui/time.tsx'
import { Trend, type TrendTone } from '#ui/trend.tsx'
import { PageLink } from '#wire/page-link.tsx'

const CELL = 'px-1.5 align-middle max-phone:p-0'
const NUMBER = `${CELL} num text-end text-13 max-phone:w-auto max-phone:text-start`

/** Until JavaScript draws the cursor's edge. */
const FOCUS =
  'focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent'

/** One issue of the list, 56 px high; on a phone, three lines. The title is the link, its whole row presses it. */
export function IssueRow(props: {
  readonly org: string
  readonly row: IssueListRow
  /** The list it stands in, which its page leads on in. */
  readonly list: string
  readonly isCursor: boolean
  readonly isSelected: boolean
  readonly canSelect: boolean
  readonly onSelect: (selected: boolean) => void
  readonly onFocus: () => void
}) {
  const { row } = props
  const edge = props.isCursor ? 'shadow-[inset_3px_0_0_var(--accent)] bg-hover' : 'hover:bg-hover'
  return (
    <tr
      className={`row group relative h-14 border-b has-[.check:checked]:bg-select max-phone:flex max-phone:h-auto max-phone:flex-wrap max-phone:items-center max-phone:gap-x-3 max-phone:gap-y-1 max-phone:px-4 max-phone:py-3 ${edge}`}
    >
      <td className="relative z-10 w-[46px] ps-6 pe-1.5 align-middle max-phone:hidden">
        <input
          type="checkbox"
          className="check row-check"
          name="refs[]"
          value={row.shortId}
          checked={props.isSelected}
          disabled={!props.canSelect}
          onChange={(event) => props.onSelect(event.target.checked)}
          aria-label={`Select ${row.shortId}`}
        />
      </td>
      <td className={`${CELL} w-7 max-phone:w-4 max-phone:self-start max-phone:pt-0.5`}>
        <LevelMark level={row.level} />
      </td>
      <td className={`${CELL} max-phone:w-[calc(100%-28px)]`}>
        <TitleLines {...props} />
      </td>
      <td className={`${CELL} w-[200px] max-wide:w-[140px] max-phone:ms-7 max-phone:w-24`}>
        <span className="max-wide:[&_.trend-peak]:hidden max-phone:[&_svg]:w-24">
          <Trend series={row.trend} tone={toneOf(row)} />
        </span>
      </td>
      <td className={`${NUMBER} w-[84px]`}>
        <span className="max-phone:font-strong">{numberText(row.eventCountInRange)}</span>
        <span className="text-ink-3 phone:hidden">
          {quantityText(row.eventCountInRange, 'event').replace(/^[\d,]+/, '')}
        </span>
      </td>
      <td className={`${NUMBER} w-[76px] ${row.users.count === 0 ? 'text-ink-3' : ''}`}>
        <span className="max-phone:font-strong">
          {countText(row.users.count, row.users.isExact ? 'exact' : 'approximate')}
        </span>
        <span className="text-ink-3 phone:hidden">
          {quantityText(row.users.count, 'user').replace(/^[\d,]+/, '')}
        </span>
      </td>
      <td
        className={`${NUMBER} w-[84px] text-ink-2 max-phone:ms-auto max-phone:text-12 max-phone:text-ink-3`}
      >
        <Time ms={row.lastSeenMs} form="age" />
      </td>
      <td className={`${NUMBER} w-[60px] text-ink-2 max-phone:hidden`}>
        <Time ms={row.firstSeenMs} form="age" />
      </td>
      <td className="w-[70px] ps-1.5 pe-6 text-end align-middle max-phone:hidden">
        <Avatar name={row.assignee?.name ?? row.assignee?.email ?? null} />
      </td>
    </tr>
  )
}

function TitleLines({ org, row, list, isCursor, onFocus }: Parameters<typeof IssueRow>[0]) {
  const { type, message } = titleParts(row)
  return (
    <div className="grid gap-1">
      <div className="flex min-w-0 items-center gap-2">
        <PageLink
          to={paths.issue(org, row.shortId, { list })}
          prefetch
          onFocusCapture={onFocus}
          data-issue={row.shortId}
          className={`min-w-0 truncate text-14 after:absolute after:inset-0 focus-visible:outline-none ${isCursor ? '' : FOCUS} max-phone:line-clamp-2 max-phone:whitespace-normal max-phone:wrap-anywhere`}
        >
          {type === '' ? null : <b className="font-strong">{type} </b>}
          <bdi>{message}</bdi>
        </PageLink>
        <span className="flex max-phone:hidden">
          <StateChip issue={row} />
        </span>
      </div>
      <div className="flex min-w-0 items-center gap-1.5 text-12 text-ink-3">
        {stateWord(row) === null ? null : (
          <span className="flex phone:hidden">
            <StateChip issue={row} />
          </span>
        )}
        <KindBadges kinds={row.kinds} iconOnly={row.kinds.length > 2} />
        {row.route === null ? null : <code className="min-w-12 truncate text-ink-2">{row.route}</code>}
        {row.route !== null && row.culprit !== '' ? (
          <span aria-hidden="true" className="text-line-2 max-phone:hidden">
            /
          </span>
        ) : null}
        <bdi className="min-w-0 flex-1 shrink-[999] truncate max-phone:hidden">{row.culprit}</bdi>
        {row.mirrorCount === 0 ? null : (
          <span className="shrink-0 max-phone:hidden">{numberText(row.mirrorCount)} mirrored /</span>
        )}
        <span className="ms-auto shrink-0 max-phone:hidden">{row.shortId}</span>
      </div>
    </div>
  )
}

function toneOf(row: IssueListRow): TrendTone {
  if (row.status !== 'unresolved') return 'normal'
  return row.substatus === 'escalating' ? 'warn' : row.substatus === 'regressed' ? 'bad' : 'normal'
}
