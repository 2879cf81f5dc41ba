/** Archive, take back, delete. */
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { versionOf } from '#parts/release-text.ts'
import { Dialog, DialogButton, DialogCancel, useDialogId } from '#ui/dialog.tsx'
import { bytesText, quantityText } from '#ui/number-text.ts'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadReleaseDeploys, ReleasePageData } from './release.server.ts'

type View = ReleasePageData['view']

export function ReleaseActions() {
  const { view } = usePageData<typeof loadReleaseDeploys>()
  const dialog = useDialogId()
  const toast = useToast()
  const { version, status } = view.release
  if (!useCan('release.write')) return null
  const isOpen = status === 'open'
  return (
    <div className="flex flex-wrap gap-2">
      <ActionForm
        action="release.status"
        hidden={{ version, status: isOpen ? 'archived' : 'open' }}
        onResult={() => toast({ text: isOpen ? 'Release archived' : 'Release restored' })}
      >
        <Submit variant="plain">{isOpen ? 'Archive' : 'Restore'}</Submit>
        <FormRefusal />
      </ActionForm>
      <DialogButton dialog={dialog} variant="danger-plain">
        Delete…
      </DialogButton>
      <Dialog id={dialog} title={`Delete release ${versionOf(version)}?`}>
        <p className="mb-4 max-w-110 text-13 text-ink-2">
          {`This deletes ${lostText(view)}. `}
          Its events and issues stay; frames resolved by its source maps show the built code. This can’t be
          undone.
        </p>
        <ActionForm action="release.delete" hidden={{ version }} className="grid gap-4">
          <FormRefusal />
          <div className="flex justify-end gap-2">
            <DialogCancel dialog={dialog}>Cancel</DialogCancel>
            <Submit variant="danger">{deleteLabel(view)}</Submit>
          </div>
        </ActionForm>
      </Dialog>
    </div>
  )
}

function lostText({ release, uploads }: View): string {
  const parts = [
    'the release',
    ...(release.commitCount === 0 ? [] : [quantityText(release.commitCount, 'commit')]),
    ...(release.deployCount === 0 ? [] : [quantityText(release.deployCount, 'deploy')]),
    ...(uploads === null
      ? []
      : [
          `${quantityText(uploads.bundles, 'artifact bundle')} (${quantityText(uploads.files, 'file')}, ${bytesText(uploads.bytes)})`,
        ]),
  ]
  const last = parts.pop() ?? ''
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

function deleteLabel({ uploads }: View): string {
  return uploads === null ? 'Delete release' : `Delete release and ${quantityText(uploads.bundles, 'bundle')}`
}
