import { useEffect } from 'react'
import { Button, buttonClass } from '#ui/button.tsx'
import { Dialog, DialogButton, DialogCancel, openDialog, useDialogId } from '#ui/dialog.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import type { WireError } from '#wire/answers.ts'
import { useLocation, useRevalidator } from '#wire/router.ts'
import type { PersonData } from './people.server.ts'
import { deletedText } from './person-text.ts'

/** Says in numbers what goes, offers the export of it, and deletes that much. */
export function DeletePerson(props: {
  readonly name: string
  /** All that there is, as it was counted. */
  readonly what: string
  readonly data: PersonData
  /** Address of the export. */
  readonly file: string
}) {
  const { name, what, data, file } = props
  const { events, traces, projectSums } = data
  const gone = deletedText(data)
  const dialog = useDialogId()
  const isNothing = what === 'nothing'
  const isAsked = new URLSearchParams(useLocation().search).get('ask') === 'delete'
  // An effect, because a dialog opens by a call.
  useEffect(() => {
    if (isAsked && !isNothing) openDialog(dialog)
  }, [isAsked, isNothing, dialog])
  return (
    <>
      <DialogButton
        dialog={dialog}
        variant="danger-plain"
        disabledReason={isNothing ? 'No data about this person' : undefined}
      >
        Delete data…
      </DialogButton>
      <Dialog id={dialog} title={`Delete the data of ${name}?`}>
        <p className="text-13 text-ink-2">
          Stored about {name}: {what}. This deletes {gone}: every event and request that names them. They are
          hidden at once and removed from disk within two days. Issues and their counts stay; the person is
          removed from affected users and tags. Titles and comments are not searched, and what arrives later
          is kept. This can’t be undone.
        </p>
        <ActionForm
          action="person.delete-everywhere"
          hidden={{ events, traces, projects: projectSums.length }}
          className="mt-5 flex flex-wrap justify-end gap-2"
        >
          {({ pending, error }) => (
            <>
              {error === null ? null : <Refused error={error} />}
              <a className={buttonClass('plain', undefined, 'me-auto')} href={file} download>
                Export data
              </a>
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

function Refused({ error }: { readonly error: WireError }) {
  const { revalidate } = useRevalidator()
  // An effect, because the numbers above are read anew: they are what is confirmed next.
  useEffect(() => {
    if (error.code === 'conflict') void revalidate()
  }, [error, revalidate])
  return (
    <p role="alert" className="basis-full text-13 text-bad">
      {error.message}
    </p>
  )
}
