/** Menu of rarer actions: bookmark an issue, send it elsewhere, delete it. */

import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { writeClipboard } from '#ui/copy-button.tsx'
import { DialogButton } from '#ui/dialog.tsx'
import { Icon } from '#ui/icons.tsx'
import { Menu, MenuHead, MenuLine, menuItem } from '#ui/menu.tsx'
import { useToast } from '#ui/toast.tsx'
import { withBasePath } from '#wire/base-path.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { IssueShared } from './issue.server.ts'
import { MarkEntries } from './mark-entries.tsx'
import { eventPaths } from './paths.ts'
import { SHARE_ID, ShareDialog } from './share-dialog.tsx'
import { isSplittable, SPLIT_ID } from './split-section.tsx'

/** `deletion`: the dialog that asks, for who may delete. */
export function MoreMenu({
  data,
  deletion,
}: {
  readonly data: IssueShared
  readonly deletion: string | null
}) {
  const canWrite = useCan('issue.write')
  const mayConfigure = useCan('project.write')
  const canSplit = mayConfigure && isSplittable(data.view.issue)
  const canShare = canWrite || data.share !== null
  return (
    <>
      <Menu className="btn btn-icon touch" align="end" chevron={false} name="More actions" label="•••">
        <MarkEntries data={data} />
        <CopyEntries data={data} />
        {canSplit ? (
          <>
            <MenuLine />
            <PageLink
              className={menuItem}
              to={`${paths.issueMerged(data.org, data.view.issue.shortId)}#${SPLIT_ID}`}
            >
              <Icon name="merge" size={14} /> Split by message…
            </PageLink>
          </>
        ) : null}
        {canWrite || canShare || deletion !== null ? <MenuLine /> : null}
        {canWrite ? (
          <PageLink className={menuItem} to={eventPaths.issueSend(data.org, data.view.issue.shortId)}>
            <Icon name="arrow" size={14} /> Send to…
          </PageLink>
        ) : null}
        {canShare ? (
          <DialogButton dialog={SHARE_ID} className={menuItem}>
            <Icon name="link" size={14} />
            {data.share === null ? 'Share by link…' : 'Share link…'}
          </DialogButton>
        ) : null}
        {deletion === null ? null : (
          <DialogButton dialog={deletion} className={`${menuItem} text-bad`}>
            <Icon name="trash" size={14} /> Delete…
          </DialogButton>
        )}
      </Menu>
      {canShare ? <ShareDialog data={data} canWrite={canWrite} /> : null}
    </>
  )
}

function CopyEntries({ data }: { readonly data: IssueShared }) {
  const toast = useToast()
  const copy = async (reader: 'report' | 'agent') => {
    const text = await readMarkdown(eventPaths.issueMarkdown(data.org, data.view.issue.shortId, reader))
    const isCopied = text !== null && (await writeClipboard(text))
    toast(isCopied ? { text: 'Copied as Markdown' } : { tone: 'bad', text: 'Not copied; try again' })
  }
  return (
    <>
      <MenuHead>Copy as Markdown</MenuHead>
      <button type="button" className={menuItem} onClick={() => void copy('report')}>
        For a bug report
      </button>
      <button type="button" className={menuItem} onClick={() => void copy('agent')}>
        For a coding agent
      </button>
    </>
  )
}

async function readMarkdown(path: string): Promise<string | null> {
  try {
    const answer: unknown = await (
      await fetch(withBasePath(path), { headers: { Accept: 'application/json' } })
    ).json()
    const isText = typeof answer === 'object' && answer !== null && 'markdown' in answer
    return isText && typeof answer.markdown === 'string' ? answer.markdown : null
  } catch {
    // No answer: the toast says that nothing was copied.
    return null
  }
}
