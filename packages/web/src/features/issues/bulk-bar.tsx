import { ArchiveMenu, AssignMenu } from '#parts/change-menus.tsx'
import type { IssueListRow, IssueTab, Member } from '#parts/issue-types.ts'
import { Button } from '#ui/button.tsx'
import { DialogButton } from '#ui/dialog.tsx'
import { Icon } from '#ui/icons.tsx'
import { numberText } from '#ui/number-text.ts'
import { useHydrated } from '#ui/time.tsx'

export const BULK_ARCHIVE_ID = 'bulk-archive'
export const BULK_DELETE_ID = 'bulk-delete'

/** What can be done with the selected issues, in place of the *Issue* heading. Lives in the list's form. */
export function BulkBar(props: {
  readonly selected: readonly IssueListRow[]
  readonly shown: number
  readonly tab: IssueTab
  readonly members: readonly Member[]
  readonly pending: boolean
  readonly canDelete: boolean
  readonly onSelectAll: () => void
  readonly onClear: () => void
}) {
  const { selected, shown } = props
  const count = selected.length
  const hydrated = useHydrated()
  const isOneProject = new Set(selected.map((row) => row.projectId)).size <= 1
  const mergeBlock =
    hydrated && count < 2
      ? 'Select two issues or more'
      : isOneProject
        ? undefined
        : 'Select issues of one project'
  return (
    <div className="relative -my-1 flex items-center gap-1.5 overflow-x-auto py-1 whitespace-nowrap max-phone:[scrollbar-width:none] max-phone:[&>.btn]:h-11 max-phone:[&>.btn]:min-w-11">
      {hydrated ? (
        <span className="num me-2 font-strong text-ink-2" aria-live="polite">
          {numberText(count)} of {numberText(shown)}{' '}
          {count === shown ? null : (
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
      <AssignMenu className="btn btn-bulk" members={props.members} />
      <Button
        type="submit"
        name="change"
        value="merge"
        size="bulk"
        disabledReason={mergeBlock}
        busy={props.pending}
      >
        <Icon name="merge" size={14} /> Merge{hydrated && count > 1 ? ` ${numberText(count)}` : ''}
      </Button>
      {hydrated && props.canDelete ? (
        <DialogButton dialog={BULK_DELETE_ID} size="bulk">
          <Icon name="trash" size={14} label="Delete…" />
        </DialogButton>
      ) : null}
      {hydrated ? (
        <Button variant="quiet" size="bulk" shortcut="Esc" onClick={props.onClear}>
          Clear
        </Button>
      ) : null}
    </div>
  )
}
