import {
  AssigneeMark,
  CategoryBadge,
  KindBadges,
  PriorityMark,
  StateChip,
  stateWord,
} from '#parts/issue-marks.tsx'
import { titleParts } from '#parts/issue-title.ts'
import type { IssueListRow } from '#parts/issue-types.ts'
import { paths } from '#parts/paths.ts'
import { trendState } from '#parts/trend-state.ts'
import { Trend } from '#ui/charts/trend.tsx'
import { LevelMark } from '#ui/level-mark.tsx'
import { countText, numberText, quantityText } from '#ui/number-text.ts'
import { Time } from '#ui/time.tsx'
import { PageLink } from '#wire/page-link.tsx'

const CELL = 'px-1.5 align-middle max-phone:p-0'
const NUMBER = `${CELL} num text-end text-13 max-phone:w-auto max-phone:ps-3 max-phone:whitespace-nowrap`
/** On a phone: the box as wide as a finger, then what the issue is, then how often it came. */
const PHONE =
  'max-phone:grid max-phone:h-auto max-phone:grid-cols-[2.75rem_auto_auto_auto_1fr] max-phone:items-center max-phone:gap-y-1 max-phone:py-3 max-phone:pe-4'

/** Until JavaScript draws the cursor's edge. */
const FOCUS =
  'focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent'

/**
 * Row of an issue, 56 px high; with less room its title takes two lines and the last columns go, and on a
 * phone all of it is lines. The title is the link, its whole row presses it.
 */
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
    <tr className={`row group relative h-14 border-b has-[.check:checked]:bg-select ${PHONE} ${edge}`}>
      <td className="relative z-10 p-0 align-middle max-phone:-my-3 max-phone:self-start">
        <label className="flex h-14 items-center ps-6 max-phone:size-11 max-phone:ps-4">
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
        </label>
      </td>
      <td
        className={`${CELL} max-phone:col-start-2 max-phone:row-start-1 max-phone:self-start max-phone:pt-0.5`}
      >
        <LevelMark level={row.level} />
      </td>
      <td
        className={`${CELL} max-wide:py-2 max-phone:col-span-4 max-phone:col-start-2 max-phone:row-start-1 max-phone:min-w-0`}
      >
        <TitleLines {...props} />
      </td>
      <td data-column="trend" className={`${CELL} max-phone:col-start-2`}>
        <span className="row-trend">
          <Trend series={(row.matching ?? row).trend} state={trendState(row)} />
        </span>
      </td>
      <td data-column="events" className={NUMBER}>
        <EventCount row={row} />
      </td>
      <td data-column="users" className={`${NUMBER} ${usersOf(row).count === 0 ? 'text-ink-3' : ''}`}>
        <UserCount row={row} />
      </td>
      <td
        className={`${NUMBER} whitespace-nowrap text-ink-2 max-wide:pe-6 max-phone:pe-0 max-phone:text-end max-phone:text-12 max-phone:text-ink-3`}
      >
        <Time ms={lastSeenOf(row)} form="age" />
      </td>
      <td data-column="age" className={`${NUMBER} text-ink-2 max-wide:hidden`}>
        <Time ms={row.firstSeenMs} form="age" />
      </td>
      <td data-column="assignee" className="ps-1.5 pe-6 text-end align-middle max-wide:hidden">
        <AssigneeMark issue={row} />
      </td>
    </tr>
  )
}

/** Count of matching events, with the whole below it. */
function EventCount({ row }: { readonly row: IssueListRow }) {
  const { matching, eventCountInRange: whole } = row
  const count = matching?.events ?? whole
  return (
    <>
      <span className="max-phone:font-strong">{numberText(count)}</span>
      {matching === null ? null : <Whole text={numberText(whole)} />}
      <span className="text-ink-3 phone:hidden">
        {quantityText(matching === null ? count : whole, 'event').replace(/^[\d,]+/, '')}
      </span>
    </>
  )
}

function UserCount({ row }: { readonly row: IssueListRow }) {
  const { matching } = row
  const text = ({ count, isExact }: IssueListRow['users']) =>
    countText(count, isExact ? 'exact' : 'approximate')
  return (
    <>
      <span className="max-phone:font-strong">{text(usersOf(row))}</span>
      {matching === null ? null : <Whole text={text(row.users)} />}
      <span className="text-ink-3 phone:hidden">
        {quantityText(row.users.count, 'user').replace(/^[\d,]+/, '')}
      </span>
    </>
  )
}

function Whole({ text }: { readonly text: string }) {
  return <span className="text-12 font-normal text-ink-3 phone:block max-phone:ps-1">of {text}</span>
}

function usersOf({ matching, users }: IssueListRow): IssueListRow['users'] {
  return matching?.users ?? users
}

function lastSeenOf({ matching, lastSeenMs }: IssueListRow): number {
  return matching === null || matching.events === 0 ? lastSeenMs : matching.lastSeenMs
}

function TitleLines({ org, row, list, isCursor, onFocus }: Parameters<typeof IssueRow>[0]) {
  const { type, message } = titleParts(row)
  const { culprit } = row
  const badges =
    row.kinds.filter(({ kind }) => kind !== 'other').length +
    (row.category === 'hydration' || row.category === 'skew' ? 1 : 0)
  // A chip never has a line of its own: where nothing else would stand beside it, what is left out on a phone does.
  const isBare = badges === 0 && row.route === null
  return (
    <div className="grid gap-1">
      <div className="flex min-w-0 items-center gap-2">
        <PageLink
          to={paths.issue(org, row.shortId, { list })}
          prefetch
          onFocusCapture={onFocus}
          data-issue={row.shortId}
          title={row.title}
          className={`min-w-0 truncate text-14 after:absolute after:inset-0 focus-visible:outline-none ${isCursor ? '' : FOCUS} max-wide:line-clamp-2 max-wide:whitespace-normal max-wide:wrap-anywhere max-phone:indent-5.5`}
        >
          {type === '' ? null : <b className="font-strong">{type} </b>}
          <bdi>{message}</bdi>
        </PageLink>
        <span className="flex max-wide:hidden">
          <StateChip issue={row} />
        </span>
      </div>
      <div className="flex min-w-0 items-center gap-1.5 overflow-hidden text-12 text-ink-3 max-phone:empty:hidden">
        {stateWord(row) === null ? null : (
          <span className="flex wide:hidden">
            <StateChip issue={row} />
          </span>
        )}
        <span
          className={`row-kinds flex gap-1.5 empty:hidden ${badges > 1 ? 'phone:max-wide:[&_.badge]:gap-0 phone:max-wide:[&_.badge]:px-0.5 phone:max-wide:[&_.badge]:[font-size:0]' : ''}`}
        >
          <CategoryBadge category={row.category} />
          <KindBadges kinds={row.kinds} iconOnly={row.kinds.length > 2} />
        </span>
        {row.route === null ? null : (
          <code className="min-w-0 truncate text-ink-2" title={row.route}>
            {row.route}
          </code>
        )}
        {row.route !== null && culprit !== '' ? (
          <span aria-hidden="true" className="text-line-2 max-wide:hidden">
            /
          </span>
        ) : null}
        <bdi
          className={`min-w-0 flex-1 shrink-[999] truncate text-left ${isBare ? '' : 'max-phone:hidden'} ${row.route === null ? '' : 'max-wide:hidden'}`}
        >
          {culprit}
        </bdi>
        {row.mirrorCount === 0 ? null : (
          <span className="shrink-0 max-wide:hidden">{numberText(row.mirrorCount)} from browser copies</span>
        )}
        <span className="ms-auto flex shrink-0 items-center gap-2 max-phone:hidden">
          <PriorityMark priority={row.priority} />
          {row.shortId}
        </span>
      </div>
    </div>
  )
}
