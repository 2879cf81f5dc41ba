import { Button } from '#ui/button.tsx'
import { Dialog, DialogButton, DialogCancel, useDialogId } from '#ui/dialog.tsx'
import { ActionForm } from '#wire/action-form.tsx'

/** Says in numbers what goes, and deletes that much. */
export function DeletePerson(props: {
  readonly name: string
  /** All that there is, as it was counted. */
  readonly what: string
  /** Words for what is deleted. */
  readonly gone: string
}) {
  const { name, what, gone } = props
  const dialog = useDialogId()
  const isNothing = what === 'nothing'
  return (
    <>
      <DialogButton
        dialog={dialog}
        variant="danger-plain"
        disabledReason={isNothing ? 'Nothing is stored of this person' : undefined}
      >
        Delete data…
      </DialogButton>
      <Dialog id={dialog} title={`Delete the data of ${name}?`}>
        <p className="text-13 text-ink-2">
          Stored of {name}: {what}. This deletes {gone}: every event and request that names them. They are
          hidden at once and removed from disk within two days. Issues and their counts stay; the person is
          removed from affected users and tags. Titles and comments are not searched, and what arrives later
          is kept. This can’t be undone.
        </p>
        <ActionForm
          action="person.delete-everywhere"
          hidden={{ counted: what }}
          className="mt-5 flex flex-wrap justify-end gap-2"
        >
          {({ pending, error }) => (
            <>
              {error === null ? null : (
                <span role="alert" className="me-auto text-13 text-bad">
                  {error.message}
                </span>
              )}
              <DialogCancel dialog={dialog}>Cancel</DialogCancel>
              <Button type="submit" variant="danger" busy={pending}>
                Delete {gone}
              </Button>
            </>
          )}
        </ActionForm>
      </Dialog>
    </>
  )
}
