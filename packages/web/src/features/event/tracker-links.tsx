/** Issues of trackers that this one is linked to: their state, and a way to create one or link one that exists. */
import { FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { Dialog, DialogButton, DialogCancel } from '#ui/dialog.tsx'
import { Icon, type IconName } from '#ui/icons.tsx'
import { SideSection } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { IssueShared } from './issue.server.ts'

type Link = IssueShared['links'][number]

const STATES: Readonly<
  Record<Link['state'], { readonly icon: IconName; readonly ink: string; readonly word: string }>
> = {
  open: { icon: 'exclamation', ink: 'text-ink-2', word: 'open' },
  closed: { icon: 'check', ink: 'text-good', word: 'closed' },
  missing: { icon: 'close', ink: 'text-ink-3', word: 'not found' },
}

const CREATE_ID = 'tracker-create'
const LINK_ID = 'tracker-link'

export function TrackerLinks({ data }: { readonly data: IssueShared }) {
  const { links, trackers } = data
  const canWrite = useCan('issue.write')
  const canSetUp = useCan('tracker.write')
  const mayAdd = canWrite && trackers.length > 0
  if (links.length === 0 && !mayAdd && !canSetUp) return null
  return (
    <SideSection title="Issue trackers">
      {links.length === 0 ? null : (
        <ul aria-label="Linked issues" className="mb-3 grid gap-2.5 text-13">
          {links.map((link) => (
            <LinkLine key={link.id} link={link} issue={data.view.issue.shortId} canWrite={canWrite} />
          ))}
        </ul>
      )}
      {mayAdd ? (
        <div className="flex flex-wrap gap-2">
          <DialogButton dialog={CREATE_ID} size="small">
            Create issue…
          </DialogButton>
          <DialogButton dialog={LINK_ID} size="small">
            Link issue…
          </DialogButton>
          <CreateDialog data={data} />
          <LinkDialog data={data} />
        </div>
      ) : trackers.length === 0 && canSetUp ? (
        <PageLink className="link text-12 max-phone:leading-11" to={paths.newTracker(data.org)}>
          Set up GitHub, GitLab, Gitea, Jira or Linear
        </PageLink>
      ) : null}
    </SideSection>
  )
}

function LinkLine(props: { readonly link: Link; readonly issue: string; readonly canWrite: boolean }) {
  const { link, issue, canWrite } = props
  const { icon, ink, word } = STATES[link.state]
  const toast = useToast()
  return (
    <li className="flex min-w-0 items-start gap-2">
      <Icon name={icon} size={14} className={`mt-0.5 shrink-0 ${ink}`} />
      <span className="grid min-w-0 flex-1">
        <span className="flex min-w-0 items-baseline gap-2">
          <a
            className="link foreign min-w-0 truncate max-phone:leading-11"
            href={link.url}
            target="_blank"
            rel="noreferrer noopener"
          >
            {link.ref}
          </a>
          <span className={`shrink-0 text-12 ${ink}`}>{word}</span>
        </span>
        <span className="foreign truncate text-12 text-ink-3" title={link.title}>
          {link.title}
        </span>
        <span className="text-12 text-ink-3">
          {link.service}, as of <Time ms={link.checkedMs} />
        </span>
      </span>
      {canWrite ? (
        <ActionForm
          action="issue.tracker.unlink"
          hidden={{ ref: issue, link: link.id }}
          onResult={() => toast({ text: `${link.ref} unlinked` })}
        >
          <button type="submit" className="copy touch" aria-label={`Unlink ${link.ref}`}>
            <Icon name="close" size={14} />
          </button>
        </ActionForm>
      ) : null}
    </li>
  )
}

function CreateDialog({ data: { view, trackers } }: { readonly data: IssueShared }) {
  const toast = useToast()
  const { shortId } = view.issue
  return (
    <Dialog id={CREATE_ID} title={`Create an issue for ${shortId}`}>
      <p className="mb-4 text-13 text-ink-2">
        It contains the title, the failure with its stack and code, where and how often it happens, and a link
        back.
      </p>
      <ActionForm
        action="issue.tracker.create"
        hidden={{ ref: shortId }}
        className="grid gap-4"
        onResult={() => toast({ text: 'Issue created' })}
      >
        <FormRefusal />
        <FormSelect name="tracker" label="Issue tracker">
          {trackers.map(({ id, name, service, place }) => (
            <option key={id} value={id}>{`${name} (${service}, ${place})`}</option>
          ))}
        </FormSelect>
        <FormText
          name="place"
          label="Repository, project or team"
          hint="Leave empty for the tracker’s default."
          autoComplete="off"
        />
        <div className="flex justify-end gap-2">
          <DialogCancel dialog={CREATE_ID}>Cancel</DialogCancel>
          <Submit>Create issue</Submit>
        </div>
      </ActionForm>
    </Dialog>
  )
}

function LinkDialog({ data: { view } }: { readonly data: IssueShared }) {
  const toast = useToast()
  const { shortId } = view.issue
  return (
    <Dialog id={LINK_ID} title={`Link ${shortId} to an issue`}>
      <ActionForm
        action="issue.tracker.link"
        hidden={{ ref: shortId }}
        className="grid gap-4"
        onResult={() => toast({ text: 'Issue linked' })}
      >
        <FormRefusal />
        <FormText
          name="url"
          label="Issue URL"
          type="url"
          mono
          hint="In any connected issue tracker."
          autoComplete="off"
          required
        />
        <div className="flex justify-end gap-2">
          <DialogCancel dialog={LINK_ID}>Cancel</DialogCancel>
          <Submit>Link issue</Submit>
        </div>
      </ActionForm>
    </Dialog>
  )
}
