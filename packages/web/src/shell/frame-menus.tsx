/** Menus of the frame: organisations with what belongs to one, and the person who is signed in. */
import { BrandMark } from '#parts/brand-mark.tsx'
import { DocsLink } from '#parts/docs-link.tsx'
import type { FrameData } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { usePolledCount } from '#parts/polled-count.ts'
import { initialsOf } from '#ui/avatar.tsx'
import { Icon } from '#ui/icons.tsx'
import { Menu, MenuHead, MenuLine, menuItem } from '#ui/menu.tsx'
import { boundedText } from '#ui/number-text.ts'
import { ActionForm } from '#wire/action-form.tsx'
import { PageLink } from '#wire/page-link.tsx'

const UNREAD_POLL_MS = 10_000

export function OrgMenu({ frame }: { readonly frame: FrameData }) {
  const { org, organisations } = frame
  return (
    <Menu
      label={
        <>
          <span className="org-mark">
            <BrandMark />
          </span>
          <span className="org-name foreign">{org?.name ?? 'Errata'}</span>
        </>
      }
      name={org === null ? 'Errata' : `Organisation: ${org.name}`}
      className="org-menu"
    >
      {organisations.length === 0 ? null : <MenuHead>Organisations</MenuHead>}
      {organisations.map(({ slug, name }) => (
        <PageLink
          key={slug}
          to={frame.viewer?.landing === 'issues' ? paths.issues(slug) : paths.overview(slug)}
          className={menuItem}
          aria-current={slug === org?.slug ? 'true' : undefined}
        >
          <span className="foreign min-w-0 flex-1 truncate">{name}</span>
          {slug === org?.slug ? <Icon name="check" size={14} /> : null}
        </PageLink>
      ))}
      {org === null ? null : <OrgPlaces org={org} />}
      {frame.viewer?.isOperator === true ? (
        <PageLink to={paths.system()} className={menuItem}>
          System
        </PageLink>
      ) : null}
    </Menu>
  )
}

function OrgPlaces({ org }: { readonly org: NonNullable<FrameData['org']> }) {
  return (
    <>
      <MenuLine />
      {org.permissions.includes('member.read') ? (
        <PageLink to={paths.members(org.slug)} className={menuItem}>
          Members
        </PageLink>
      ) : null}
      <PageLink to={paths.orgSettings(org.slug)} className={menuItem}>
        Settings
      </PageLink>
      {org.permissions.includes('project.create') ? (
        <PageLink to={paths.newProject(org.slug)} className={menuItem}>
          New project
        </PageLink>
      ) : null}
    </>
  )
}

export function PersonMenu(props: {
  readonly viewer: NonNullable<FrameData['viewer']>
  /** Unread entries of the inbox, as the page came with them. */
  readonly unread: number
  /** Beside the initials, where there is room. */
  readonly withName?: true
}) {
  const { viewer } = props
  const shown = viewer.name === '' ? viewer.email : viewer.name
  const loaded = props.unread
  const unread = usePolledCount(paths.inboxUnread(), { everyMs: UNREAD_POLL_MS, loaded }) ?? loaded
  return (
    <Menu
      label={
        <>
          <span className="person">{initialsOf(shown)}</span>{' '}
          {unread === 0 ? null : <span className="person-unread num">{boundedText(unread)}</span>}{' '}
          {props.withName === true ? <span className="person-name foreign">{shown}</span> : null}
        </>
      }
      // As it stands there, so that it is found by what is seen.
      name={`${initialsOf(shown)} ${unread === 0 ? '' : `${boundedText(unread)} `}${shown}: account${unread === 0 ? '' : ', unread entries'}`}
      className="person-button touch"
      align="end"
      chevron={false}
    >
      <div className="px-2 py-1.5 text-13">
        <div className="foreign font-medium">{shown}</div>
        <div className="foreign text-12 text-ink-3">{viewer.email}</div>
      </div>
      <MenuLine />
      <PageLink to={paths.inbox()} className={menuItem}>
        <Icon name="document" size={14} /> Inbox
        {unread === 0 ? null : <span className="num ms-auto text-12 text-ink-3">{boundedText(unread)}</span>}
      </PageLink>
      <PageLink to={paths.account()} className={menuItem}>
        <Icon name="person" size={14} /> Account
      </PageLink>
      <PageLink to={paths.accountTheme()} className={menuItem}>
        <Icon name="moon" size={14} /> Appearance
      </PageLink>
      <DocsLink className={menuItem}>
        <Icon name="document" size={14} /> Documentation
      </DocsLink>
      <MenuLine />
      <ActionForm action="auth.sign-out">
        <button type="submit" className={menuItem}>
          <Icon name="sign-out" size={14} /> Sign out
        </button>
      </ActionForm>
    </Menu>
  )
}
