/** Brand, organisation, places, the jump box and the person: one bar, 48 px, on every page of the app. */

import { BrandMark } from '#parts/brand-mark.tsx'
import { DocsLink } from '#parts/docs-link.tsx'
import type { FrameData } from '#parts/frame-data.ts'
import { useFrame } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { initialsOf } from '#ui/avatar.tsx'
import { Icon } from '#ui/icons.tsx'
import { Key } from '#ui/key.tsx'
import { Menu, MenuHead, MenuLine, menuItem } from '#ui/menu.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation } from '#wire/router.ts'
import { type Place, placeOf, placesOf } from './places.ts'

export function TopBar({ onJump }: { readonly onJump: () => void }) {
  const frame = useFrame()
  const { pathname } = useLocation()
  const places = placesOf(frame)
  const here = placeOf(places, pathname)
  return (
    <header className="top-bar">
      <PageLink to={paths.home()} className="brand" aria-label="Errata, home">
        <BrandMark />
        <span className="max-phone:hidden">Errata</span>
      </PageLink>
      {frame.organisations.length > 0 ? <OrgMenu frame={frame} /> : null}
      <nav aria-label="Places" className="places max-wide:hidden">
        {places
          .filter(({ isMain }) => isMain)
          .map((place) => (
            <PlaceLink key={place.path} place={place} isHere={place === here} />
          ))}
      </nav>
      <PlacesMenu places={places} here={here} />
      <Jump onJump={onJump} />
      {frame.viewer === null ? (
        <PageLink to={paths.signIn()} className="link ms-3 text-13">
          Sign in
        </PageLink>
      ) : (
        <PersonMenu viewer={frame.viewer} />
      )}
    </header>
  )
}

function OrgMenu({ frame }: { readonly frame: FrameData }) {
  return (
    <Menu
      label={
        <span className="max-w-40 truncate max-phone:max-w-28">{frame.org?.name ?? 'Organisation'}</span>
      }
      name={`Organisation: ${frame.org?.name ?? 'none'}`}
      className="org-menu"
    >
      <MenuHead>Organisations</MenuHead>
      {frame.organisations.map(({ slug, name }) => (
        <PageLink
          key={slug}
          to={paths.issues(slug)}
          className={menuItem}
          aria-current={slug === frame.org?.slug ? 'true' : undefined}
        >
          <span className="foreign min-w-0 flex-1 truncate">{name}</span>
          {slug === frame.org?.slug ? <Icon name="check" size={14} /> : null}
        </PageLink>
      ))}
    </Menu>
  )
}

function PlaceLink({ place, isHere }: { readonly place: Place; readonly isHere: boolean }) {
  return (
    <PageLink to={place.path} prefetch className="place" aria-current={isHere ? 'page' : undefined}>
      {place.name}
    </PageLink>
  )
}

/** The places where the bar has no room for them. */
function PlacesMenu({ places, here }: { readonly places: readonly Place[]; readonly here: Place | null }) {
  if (places.length === 0) return null
  return (
    <span className="contents wide:hidden">
      <Menu
        label={
          <>
            <Icon name="menu" />
            <span className="max-phone:hidden">{here?.name ?? 'Places'}</span>
          </>
        }
        name={here === null ? 'Places' : `Places: ${here.name}`}
        className="btn btn-quiet touch max-phone:min-w-11"
        chevron={false}
      >
        {places.map((place) => (
          <PageLink
            key={place.path}
            to={place.path}
            className={menuItem}
            aria-current={place === here ? 'page' : undefined}
          >
            {place.name}
          </PageLink>
        ))}
      </Menu>
    </span>
  )
}

/** Looks like a field and opens the palette; without script it leads to the digest page. */
function Jump({ onJump }: { readonly onJump: () => void }) {
  return (
    <a
      href={paths.digest()}
      className="jump"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onJump()
      }}
    >
      <Icon name="search" size={14} />
      <span className="min-w-0 flex-1 truncate max-phone:sr-only">Jump to, or paste a digest</span>
      <span className="max-phone:hidden">
        <Key>Ctrl K</Key>
      </span>
    </a>
  )
}

function PersonMenu({ viewer }: { readonly viewer: NonNullable<FrameData['viewer']> }) {
  const shown = viewer.name === '' ? viewer.email : viewer.name
  return (
    <Menu
      label={<span className="person">{initialsOf(shown)}</span>}
      name={`${initialsOf(shown)}: account of ${shown}`}
      className="person-button touch"
      align="end"
      chevron={false}
    >
      <div className="px-2 py-1.5 text-13">
        <div className="foreign font-medium">{shown}</div>
        <div className="foreign text-12 text-ink-3">{viewer.email}</div>
      </div>
      <MenuLine />
      <PageLink to={paths.account()} className={menuItem}>
        <Icon name="person" size={14} /> Account
      </PageLink>
      <PageLink to={paths.accountTheme()} className={menuItem}>
        <Icon name="moon" size={14} /> Theme
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
