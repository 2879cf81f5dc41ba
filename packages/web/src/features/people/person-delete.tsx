import { useEffect } from 'react'
import { Button, buttonClass } from '#ui/button.tsx'
import { Dialog, DialogButton, DialogCancel, openDialog, useDialogId } from '#ui/dialog.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import type { WireError } from '#wire/answers.ts'
import { useLocation, useRevalidator } from '#wire/router.ts'
import { useWire } from '#wire/wire-context.ts'
import type { PersonData } from './people.server.ts'
import { deletedText } from './person-text.ts'

const ACTION = 'person.delete-everywhere'

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
  const { events, traces, others, projectSums } = data
  const { form: posted } = useWire()
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
      {posted?.form === ACTION && posted.error !== null ? (
        // Without script the dialog is closed when its refusal comes.
        <p role="status" className="text-13 text-bad">
          {posted.error.message}
        </p>
      ) : null}
      <Dialog id={dialog} title={`Delete the data of ${name}?`}>
        <p className="text-13 text-ink-2">
          Stored about {name}: {what}. This deletes {gone}: every event and request that names them. They are
          hidden at once and removed from disk within two days. Issues and their counts stay; the person is
          removed from affected users and tags. Titles and comments are not searched, and what arrives later
          is kept. This can’t be undone.
        </p>
        <ActionForm action={ACTION} className="mt-5 flex flex-wrap justify-end gap-2">
          {({ pending, error }) => (
            <>
              {/* Not the form's own hidden fields, which name it: a refused form is shown with other counts. */}
              {Object.entries({ events, traces, others }).map(([name, count]) => (
                <input key={name} type="hidden" name={name} value={count} />
              ))}
              {projectSums.map(({ projectId }) => (
                <input key={projectId} type="hidden" name="projects[]" value={projectId} />
              ))}
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
