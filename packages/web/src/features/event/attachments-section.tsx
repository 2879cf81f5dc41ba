/** Files that came with the event: each is downloaded, and pictures are shown small. */
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { Dialog, DialogButton, DialogCancel } from '#ui/dialog.tsx'
import { bytesText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import type { IssueData } from './issue.server.ts'
import { eventPaths } from './paths.ts'

type File = IssueData['attachments'][number]

/** Larger ones would be loaded whole for a small picture. */
const PICTURE_BYTES_MAX = 4 * 1024 * 1024

export function AttachmentsSection({ data }: { readonly data: IssueData }) {
  const { attachments, org } = data
  const mayDelete = useCan('issue.delete')
  if (attachments.length === 0) return null
  const bytes = attachments.reduce((sum, file) => sum + file.bytes, 0)
  return (
    <Section
      title="Attachments"
      note={`${quantityText(attachments.length, 'file')}, ${bytesText(bytes)}; not scrubbed`}
    >
      <ul aria-label="Attachments" className="grid gap-2 text-13">
        {attachments.map((file) => (
          <FileLine
            key={file.id}
            file={file}
            place={{ org, project: data.view.project.slug }}
            mayDelete={mayDelete}
          />
        ))}
      </ul>
    </Section>
  )
}

function FileLine({
  file,
  place: { org, project },
  mayDelete,
}: {
  readonly file: File
  readonly place: { readonly org: string; readonly project: string }
  readonly mayDelete: boolean
}) {
  const { id, name, servedAs, bytes, eventId } = file
  const href = eventPaths.attachment(org, project, { event: eventId, id })
  const dialog = `delete-${id}`
  const isShown = file.isPicture && bytes > 0 && bytes <= PICTURE_BYTES_MAX
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      {isShown ? (
        <a href={href} download={name} className="shrink-0">
          <img
            src={href}
            alt={name}
            loading="lazy"
            className="h-16 max-w-32 rounded-mark border border-line-2 object-contain"
          />
        </a>
      ) : null}
      <span className="grid min-w-0 flex-1">
        <a href={href} download={name} className="link foreign truncate max-phone:leading-11" title={name}>
          {name}
        </a>
        <span className="text-12 text-ink-3">
          {servedAs}, {bytesText(bytes)}
        </span>
      </span>
      {mayDelete ? (
        <>
          <DialogButton dialog={dialog} size="small">
            Delete…
          </DialogButton>
          <DeleteDialog id={dialog} file={file} project={project} />
        </>
      ) : null}
    </li>
  )
}

function DeleteDialog({
  id,
  file,
  project,
}: {
  readonly id: string
  readonly file: File
  readonly project: string
}) {
  const toast = useToast()
  return (
    <Dialog id={id} title="Delete attachment">
      <ActionForm action="issue.attachment-delete" onResult={() => toast({ text: 'Attachment deleted' })}>
        <input type="hidden" name="project" value={project} />
        <input type="hidden" name="event" value={file.eventId} />
        <input type="hidden" name="attachment" value={file.id} />
        <p className="mb-4 text-13">
          Deletes <span className="foreign">{file.name}</span> ({bytesText(file.bytes)}) for good. The event
          stays.
        </p>
        <FormRefusal />
        <div className="flex gap-2">
          <Submit>Delete</Submit>
          <DialogCancel dialog={id}>Cancel</DialogCancel>
        </div>
      </ActionForm>
    </Dialog>
  )
}
