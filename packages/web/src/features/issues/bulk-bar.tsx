import { ArchiveMenu, AssignMenu } from '#parts/change-menus.tsx'
import type { Choices } from '#parts/choices.ts'
import type { IssueListRow, IssueTab } from '#parts/issue-types.ts'
import { Button } from '#ui/button.tsx'
import { DialogButton } from '#ui/dialog.tsx'
import { Icon } from '#ui/icons.tsx'
import { numberText } from '#ui/number-text.ts'
import { useHydrated } from '#ui/time.tsx'

export const BULK_ARCHIVE_ID = 'bulk-archive'
export const BULK_DELETE_ID = 'bulk-delete'
export const BULK_MERGE_ID = 'bulk-merge'

/** Bar of actions on the selected issues, in place of the *Issue* heading. Lives in the list's form. */
export function BulkBar(props: {
  readonly selected: readonly IssueListRow[]
  readonly shown: number
  readonly tab: IssueTab
  readonly org: string
  readonly choices: Choices
  readonly pending: boolean
  readonly canDelete: boolean
  readonly onSelectAll: () => void
  /** Number of issues that the list finds, and how many may change at once. */
  readonly all: {
    readonly total: number
    readonly most: number
    readonly list: string
    readonly isChosen: boolean
  }
  readonly onSelectMatching: () => void
  readonly onClear: () => void
}) {
  const { selected, shown, all } = props
  const count = selected.length
  const hydrated = useHydrated()
  const isOneProject = new Set(selected.map((row) => row.projectId)).size <= 1
  const mergeBlock = all.isChosen
    ? 'To merge, select issues on this page'
    : count < 2
      ? 'Select two issues or more'
      : isOneProject
        ? undefined
        : 'Select issues of one project'
  return (
    <div className="relative -my-1 flex items-center gap-1.5 overflow-x-auto py-1 whitespace-nowrap max-phone:[scrollbar-width:none] max-phone:[&>.btn]:h-11 max-phone:[&>.btn]:min-w-11">
      {hydrated ? (
        <span className="num me-2 font-strong text-ink-2" aria-live="polite">
          {all.isChosen ? `All ${numberText(all.total)}` : `${numberText(count)} of ${numberText(shown)}`}{' '}
          {count === shown ? (
            <Matching {...props} />
          ) : (
            <button type="button" className="link font-normal max-phone:hidden" onClick={props.onSelectAll}>
              Select all
            </button>
          )}
        </span>
      ) : null}
      {props.tab === 'archived' ? (
        <Button type="submit" name="change" value="unresolve" size="bulk" busy={props.pending}>
          <Icon name="archive" size={14} /> Unarchive
        </Button>
      ) : (
        <>
          <Button type="submit" name="change" value="resolve" size="bulk" shortcut="e" busy={props.pending}>
            <Icon name="check" size={14} /> Resolve
          </Button>
          <ArchiveMenu className="btn btn-bulk" buttonId={BULK_ARCHIVE_ID} />
        </>
      )}
      <AssignMenu className="btn btn-bulk" org={props.org} choices={props.choices} />
      {hydrated ? (
        <DialogButton dialog={BULK_MERGE_ID} size="bulk" disabledReason={mergeBlock}>
          <Icon name="merge" size={14} /> Merge{count > 1 && !all.isChosen ? ` ${numberText(count)}` : ''}
        </DialogButton>
      ) : (
        <Button type="submit" name="change" value="merge" size="bulk">
          <Icon name="merge" size={14} /> Merge
        </Button>
      )}
      {all.isChosen ? <input type="hidden" name="all" value={`?${all.list}`} /> : null}
      {hydrated && props.canDelete && !all.isChosen ? (
        <DialogButton dialog={BULK_DELETE_ID} size="bulk">
          <Icon name="trash" size={14} label="Delete…" />
        </DialogButton>
      ) : null}
      {hydrated ? (
        <Button variant="quiet" size="bulk" onClick={props.onClear}>
          Clear
        </Button>
      ) : null}
    </div>
  )
}

/** The way from a page of ticks to everything that the list finds. */
function Matching({ all, shown, onSelectMatching }: Parameters<typeof BulkBar>[0]) {
  if (all.isChosen || all.total <= shown) return null
  if (all.total > all.most) {
    return (
      <span className="font-normal text-ink-3" title="Narrow the search to change all that match">
        at most {numberText(all.most)} at once
      </span>
    )
  }
  return (
    <button type="button" className="link font-normal" onClick={onSelectMatching}>
      Select all {numberText(all.total)} that match
    </button>
  )
}
