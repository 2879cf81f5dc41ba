import type { IssueListRow } from '#parts/issue-types.ts'
import { Button } from '#ui/button.tsx'
import { closeDialog, Dialog, DialogCancel } from '#ui/dialog.tsx'
import { quantityText } from '#ui/number-text.ts'
import { ActionForm } from '#wire/action-form.tsx'
import { BULK_DELETE_ID } from './bulk-bar.tsx'

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
        This deletes {what}, with comments, digests and activity. It can’t be undone. If the same errors
        happen again, they create new issues.
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
            <DialogCancel dialog={BULK_DELETE_ID}>Cancel</DialogCancel>
            <Button type="submit" variant="danger" busy={pending}>
              Delete {quantityText(events, 'event')}
            </Button>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
