import type { IssueListRow } from '#parts/issue-types.ts'
import { Button } from '#ui/button.tsx'
import { closeDialog, Dialog, DialogCancel } from '#ui/dialog.tsx'
import { quantityText } from '#ui/number-text.ts'
import { ActionForm } from '#wire/action-form.tsx'
import { BULK_MERGE_ID } from './bulk-bar.tsx'

/** Asks why, which may stay empty. Stands outside of the list's form, because it is a form itself. */
export function BulkMergeDialog(props: {
  readonly selected: readonly IssueListRow[]
  readonly reasonCharsMax: number
  readonly onResult: (result: unknown) => void
}) {
  const { selected } = props
  return (
    <Dialog id={BULK_MERGE_ID} title={`Merge ${quantityText(selected.length, 'issue')}?`}>
      <ActionForm
        action="issue.change"
        hidden={{ refs: selected.map((row) => row.shortId), change: 'merge' }}
        onResult={(result) => {
          closeDialog(BULK_MERGE_ID)
          props.onResult(result)
        }}
        className="grid gap-4"
      >
        {({ pending, error }) => (
          <>
            <p className="text-13 text-ink-2">
              The issue with the most events keeps its number, state and assignee, and takes in the events and
              comments of the others. Groups can be unmerged later.
            </p>
            <label className="grid gap-1 text-13">
              Reason (optional)
              <input className="field" name="reason" maxLength={props.reasonCharsMax} autoComplete="off" />
              <span className="text-12 text-ink-3">Kept in the activity of the issue.</span>
            </label>
            {error === null ? null : (
              <p role="alert" className="foreign text-13 text-bad">
                {error.fields?.reason?.join(' ') ?? error.message}
              </p>
            )}
            <div className="flex justify-end gap-2">
              <DialogCancel dialog={BULK_MERGE_ID}>Cancel</DialogCancel>
              <Button type="submit" variant="primary" busy={pending}>
                Merge
              </Button>
            </div>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
