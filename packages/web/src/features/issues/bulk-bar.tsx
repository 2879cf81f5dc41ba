import { ArchiveMenu, AssignMenu } from '#parts/change-menus.tsx'
import type { IssueListRow, IssueTab, Member } from '#parts/issue-types.ts'
import { Button } from '#ui/button.tsx'
import { closeDialog, Dialog, DialogButton, DialogCancel } from '#ui/dialog.tsx'
import { Icon } from '#ui/icons.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { useHydrated } from '#ui/time.tsx'
import { ActionForm } from '#wire/action-form.tsx'

export const BULK_ARCHIVE_ID = 'bulk-archive'
const BULK_DELETE_ID = 'bulk-delete'

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
        : 'They are of different projects'
  return (
    <div className="-my-1 flex items-center gap-1.5 overflow-x-auto py-1 whitespace-nowrap">
      {hydrated ? (
        <span className="num me-2 font-strong text-ink-2" aria-live="polite">
          {numberText(count)} of {numberText(shown)}{' '}
          {count === shown ? null : (
            <button type="button" className="link font-normal max-wide:hidden" onClick={props.onSelectAll}>
              Select all
            </button>
          )}
        </span>
      ) : null}
      {props.tab === 'archived' ? (
        <Button type="submit" name="change" value="unresolve" size="bulk" busy={props.pending}>
          <Icon name="archive" size={14} /> Take back
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
        <Button
          variant="quiet"
          size="bulk"
          shortcut="Esc"
          className="max-wide:hidden"
          onClick={props.onClear}
        >
          Clear
        </Button>
      ) : null}
    </div>
  )
}

/** Says in numbers what goes. Stands outside of the list's form, because it is a form itself. */
export function BulkDeleteDialog({
  selected,
  onDone,
}: {
  readonly selected: readonly IssueListRow[]
  readonly onDone: (count: number) => void
}) {
  const events = selected.reduce((sum, row) => sum + row.eventCount, 0)
  const what = `${quantityText(selected.length, 'issue')} and ${quantityText(events, 'event')}`
  return (
    <Dialog id={BULK_DELETE_ID} title={`Delete ${quantityText(selected.length, 'issue')}?`}>
      <p className="text-13 text-ink-2">
        This deletes {what}, with comments, digests and activity. It cannot be undone. The same errors make
        new issues when they come again.
      </p>
      <ActionForm
        action="issue.delete"
        hidden={{ refs: selected.map((row) => row.shortId) }}
        onResult={() => {
          closeDialog(BULK_DELETE_ID)
          onDone(selected.length)
        }}
        className="mt-5 flex justify-end gap-2"
      >
        {({ pending, error }) => (
          <>
            {error === null ? null : (
              <span role="alert" className="me-auto text-13 text-bad">
                {error.message}
              </span>
            )}
            <DialogCancel dialog={BULK_DELETE_ID}>Keep {selected.length === 1 ? 'it' : 'them'}</DialogCancel>
            <Button type="submit" variant="danger" busy={pending}>
              Delete {quantityText(events, 'event')}
            </Button>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
