/** An issue behind a link that needs no account. */

import { FormRefusal, FormSelect, Submit } from '#parts/form-parts.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Dialog, DialogCancel } from '#ui/dialog.tsx'
import { Time } from '#ui/time.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import type { IssueShared } from './issue.server.ts'

export const SHARE_ID = 'issue-share'

export function ShareDialog({ data, canWrite }: { readonly data: IssueShared; readonly canWrite: boolean }) {
  const { shortId } = data.view.issue
  const { share } = data
  return (
    <Dialog id={SHARE_ID} title={`Share ${shortId}`}>
      <p className="text-13 text-ink-2">
        Anyone with the link can read this issue without an account: the failure, its stack with code, and
        technical tags. Users, IP addresses, emails, requests and the contents of breadcrumbs are left out.
      </p>
      {share === null ? null : (
        <>
          {share.url === null ? (
            <p className="mt-4 text-13">
              The link works, but can’t be shown again. Revoke it to create another.
            </p>
          ) : (
            <p className="mt-4 flex items-center gap-1">
              <input
                className="field min-w-0 flex-1 font-mono text-12"
                readOnly
                value={share.url}
                aria-label="Share link"
              />
              <CopyButton text={share.url} name="Copy the link" />
            </p>
          )}
          <p className="mt-2 text-12 text-ink-3">
            Shared by {share.createdBy} <Time ms={share.createdMs} />.{' '}
            {share.expiresMs === null ? (
              'Open until it’s revoked.'
            ) : (
              <>
                Expires <Time ms={share.expiresMs} form="until" />.
              </>
            )}
          </p>
        </>
      )}
      {canWrite ? (
        <ActionForm
          action={share === null ? 'issue.share' : 'issue.unshare'}
          hidden={{ ref: shortId }}
          className="mt-5 flex flex-wrap items-end justify-end gap-2"
        >
          <FormRefusal />
          {share === null ? <Expiry /> : null}
          <DialogCancel dialog={SHARE_ID}>Close</DialogCancel>
          {share === null ? <Submit>Create link</Submit> : <Submit variant="danger">Revoke link</Submit>}
        </ActionForm>
      ) : null}
    </Dialog>
  )
}

const EXPIRIES = [
  { days: 7, name: 'In 7 days' },
  { days: 30, name: 'In 30 days' },
  { days: 90, name: 'In 90 days' },
] as const

function Expiry() {
  return (
    <div className="w-full">
      <FormSelect name="expires" label="Expires" initial="90">
        {EXPIRIES.map(({ days, name }) => (
          <option key={days} value={days}>
            {name}
          </option>
        ))}
        <option value="">When it’s revoked</option>
      </FormSelect>
    </div>
  )
}
