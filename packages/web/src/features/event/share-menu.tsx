/** An issue elsewhere: as Markdown in the clipboard, or behind a link that needs no account. */

import { FormRefusal, FormSelect, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Dialog, DialogButton, DialogCancel } from '#ui/dialog.tsx'
import { Icon } from '#ui/icons.tsx'
import { Menu, MenuHead, MenuLine, menuItem } from '#ui/menu.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import type { IssueShared } from './issue.server.ts'

const SHARE_ID = 'issue-share'

export function ShareMenu({ data }: { readonly data: IssueShared }) {
  const { org, share } = data
  const { shortId } = data.view.issue
  const canWrite = useCan('issue.write')
  const toast = useToast()
  const copy = async (reader: 'report' | 'agent') => {
    const text = await readMarkdown(paths.issueMarkdown(org, shortId, reader))
    const isCopied = text !== null && (await writeClipboard(text))
    toast(isCopied ? { text: 'Copied as Markdown' } : { tone: 'bad', text: 'Not copied; try again' })
  }
  return (
    <>
      <Menu
        className="btn btn-icon touch"
        align="end"
        chevron={false}
        name="Share and copy"
        label={<Icon name="link" size={14} />}
      >
        <MenuHead>Copy as Markdown</MenuHead>
        <button type="button" className={menuItem} onClick={() => void copy('report')}>
          For a bug report
        </button>
        <button type="button" className={menuItem} onClick={() => void copy('agent')}>
          For a coding agent
        </button>
        {canWrite || share !== null ? (
          <>
            <MenuLine />
            <DialogButton dialog={SHARE_ID} className={menuItem}>
              {share === null ? 'Share by link…' : 'Share link…'}
            </DialogButton>
          </>
        ) : null}
      </Menu>
      {canWrite || share !== null ? <ShareDialog data={data} canWrite={canWrite} /> : null}
    </>
  )
}

function ShareDialog({ data, canWrite }: { readonly data: IssueShared; readonly canWrite: boolean }) {
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

async function readMarkdown(path: string): Promise<string | null> {
  try {
    const answer: unknown = await (await fetch(path, { headers: { Accept: 'application/json' } })).json()
    const isText = typeof answer === 'object' && answer !== null && 'markdown' in answer
    return isText && typeof answer.markdown === 'string' ? answer.markdown : null
  } catch {
    // No answer: the toast says that nothing was copied.
    return null
  }
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Refused, or no clipboard on an insecure origin: the toast says so.
    return false
  }
}
