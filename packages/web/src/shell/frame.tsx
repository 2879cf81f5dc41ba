/**
 * Frame around every page: rail, palette, shortcuts, toasts, and the care for focus, scroll and
 * announcements.
 */
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { FIND_FORM } from '#parts/choices.ts'
import { useFrame } from '#parts/frame-data.ts'
import { keepPage } from '#parts/recent-pages.ts'
import { ShortcutProvider, useShortcuts } from '#parts/shortcuts.tsx'
import { NowProvider } from '#ui/time.tsx'
import { ToastProvider } from '#ui/toast.tsx'
import { basePath } from '#wire/base-path.ts'
import { RAIL_COOKIE } from '#wire/names.ts'
import { Outlet, useLocation, useNavigate, useNavigation, usePage } from '#wire/router.ts'
import { useWire } from '#wire/wire-context.ts'
import { shellPlaces } from './places.ts'
import { Bar, BottomBar, Rail } from './rail.tsx'
import { SignedOutBar } from './signed-out-bar.tsx'
import { WaitNote } from './wait-note.tsx'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const ShortcutDialog = lazy(async () => ({ default: (await import('./shortcut-dialog.tsx')).ShortcutDialog }))

export function Frame() {
  const frame = useFrame()
  const page = usePage()
  useTheme(frame.viewer?.theme ?? 'system')
  return (
    <NowProvider nowMs={frame.nowMs}>
      <ShortcutProvider>
        <ToastProvider>
          <a className="skip-link" href="#main">
            Skip to the content
          </a>
          <LoadingBar />
          {page.frame === 'plain' ? <PlainFrame /> : <AppFrame />}
          <Arrival />
        </ToastProvider>
      </ShortcutProvider>
    </NowProvider>
  )
}

function PlainFrame() {
  return (
    <main id="main" tabIndex={-1} className="plain">
      <Outlet />
    </main>
  )
}

function AppFrame() {
  const frame = useFrame()
  const navigate = useNavigate()
  const { overlay, show, close } = useOverlay()
  const jump = () => show('palette')
  useShortcuts(
    [
      {
        keys: 'mod+k',
        label: 'Go to a page or issue, or paste a digest',
        run: jump,
      },
      { keys: '?', label: 'Show all shortcuts', run: () => show('shortcuts') },
      { keys: '/', label: 'Search', run: () => focusSearch(jump) },
      ...shellPlaces(frame).flatMap(({ key, name, path }) =>
        key === undefined
          ? []
          : [{ keys: `g ${key}`, label: `Go to ${name}`, run: () => void navigate(path) }],
      ),
    ].map((one) => ({ ...one, isEverywhere: true })),
  )
  const typed = useEarlyKeys(overlay?.kind === 'palette' ? overlay : null)
  useRecentPages()
  const rail = useRail()
  const main = (
    <main id="main" tabIndex={-1} className="main">
      <Outlet />
    </main>
  )
  return (
    <>
      {frame.viewer === null ? (
        <>
          <SignedOutBar onJump={jump} />
          {main}
        </>
      ) : (
        <div className="app" data-rail={rail.isCollapsed ? 'collapsed' : 'open'}>
          <Rail isCollapsed={rail.isCollapsed} onCollapse={rail.toggle} onJump={jump} />
          <div className="app-page">
            <Bar onJump={jump} />
            {main}
          </div>
          <BottomBar />
        </div>
      )}
      <FindForm />
      <Suspense>
        {overlay?.kind === 'palette' ? <Palette key={overlay.turn} typed={typed} onClose={close} /> : null}
        {overlay?.kind === 'shortcuts' ? <ShortcutDialog key={overlay.turn} onClose={close} /> : null}
      </Suspense>
    </>
  )
}

interface Overlay {
  readonly kind: 'palette' | 'shortcuts'
  /** Tells it from the one before, which may be of the same kind. */
  readonly turn: number
}

/** The dialog that a key opens over the page. */
function useOverlay() {
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  return {
    overlay,
    show(kind: Overlay['kind']) {
      // The palette's key is heard while it is open, too.
      if (kind === 'palette' && document.querySelector('.palette[open]') !== null) return
      setOverlay((shown) => ({ kind, turn: (shown?.turn ?? 0) + 1 }))
    },
    // A dialog says late that it was closed; another one may have been asked for by then.
    close: () => setOverlay((shown) => (shown === overlay ? null : shown)),
  }
}

/**
 * Keeps what is typed from the moment the palette is asked for until it is there to be typed into. Returns what takes
 * that over.
 */
function useEarlyKeys(palette: Overlay | null): { readonly current: () => string } {
  const taken = useRef<() => string>(() => '')
  // An effect, because keys are pressed outside of React; a layout one, for the palette's own takes it over.
  useLayoutEffect(() => {
    if (palette === null) return
    let typed = ''
    const take = (event: KeyboardEvent) => {
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey) return
      typed += event.key
      event.preventDefault()
      event.stopPropagation()
    }
    const end = () => removeEventListener('keydown', take, true)
    addEventListener('keydown', take, true)
    taken.current = () => {
      end()
      return typed
    }
    return end
  }, [palette])
  return taken
}

/** Keeps what was opened, for the palette; by its title, which is there once the page is. */
function useRecentPages() {
  const { viewer } = useFrame()
  const { pathname } = useLocation()
  const account = viewer?.email ?? null
  // An effect, because only the browser keeps them.
  useEffect(() => {
    if (account !== null)
      keepPage(account, { path: pathname, title: document.title.replace(/ · Errata$/, '') })
  }, [account, pathname])
}

/** Form by which a menu's field asks without script: the same address, and what was typed. */
function FindForm() {
  const { pathname, search } = useLocation()
  const kept = [...new URLSearchParams(search)].filter(([name]) => name !== 'find')
  return (
    <form id={FIND_FORM} method="get" action={pathname} hidden>
      {kept.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <button type="submit">Find</button>
    </form>
  )
}

/** Whether the rail is collapsed: as last chosen in this browser; else on pages that need all the width. */
function useRail(): { readonly isCollapsed: boolean; readonly toggle: () => void } {
  const { rail } = useFrame()
  const { pathname } = useLocation()
  const [chosen, setChosen] = useState(rail)
  const isCollapsed = chosen === null ? NEEDS_WIDTH.test(pathname) : chosen === 'collapsed'
  return {
    isCollapsed,
    toggle() {
      const next = isCollapsed ? 'open' : 'collapsed'
      setChosen(next)
      // biome-ignore lint/suspicious/noDocumentCookie: the next document is drawn by it, in browsers without the newer way, too
      document.cookie = `${RAIL_COOKIE}=${next}; Path=${basePath() || '/'}; Max-Age=31536000; SameSite=Lax`
    },
  }
}

/** A trace has a time axis of its own. */
const NEEDS_WIDTH = /^\/[^/]+\/traces\/[^/]+$/

/** The search field of the screen (`type="search"` or `data-search`), or the palette where it has none. */
function focusSearch(otherwise: () => void): void {
  const field = document.querySelector<HTMLElement>('main [data-search], main input[type="search"]')
  if (field === null) otherwise()
  else field.focus()
}

/** Shown by CSS only after 150 ms, so that quick pages do not flicker. */
function LoadingBar() {
  const { state } = useNavigation()
  return state === 'idle' ? null : (
    <>
      <div className="loading-bar" role="progressbar" aria-label="Loading" />
      <WaitNote />
    </>
  )
}

/** After a navigation: the new title is announced and the focus goes to the content, as a document load would do. */
function Arrival() {
  const { pathname, key } = useLocation()
  const { reporter, arrived } = useWire()
  const [announced, setAnnounced] = useState('')
  const before = useRef<string | null>(null)
  // Effects, because they follow what the router has already shown; scrolling comes before the page is painted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` names the entry of the history that is shown
  useLayoutEffect(() => arrived(), [key, arrived])
  useEffect(() => {
    const isFirst = before.current === null
    const isSame = before.current === pathname
    before.current = pathname
    if (isFirst || isSame) return
    setAnnounced(document.title)
    reporter?.navigated()
    const active = document.activeElement
    const isKept = active instanceof HTMLElement && active.matches('[autofocus], main *')
    if (!isKept) document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname, reporter])
  return (
    <div className="visually-hidden" aria-live="polite">
      {announced}
    </div>
  )
}

/** The server has set it for the first page; this follows a change without a new document. */
function useTheme(theme: 'system' | 'light' | 'dark'): void {
  // An effect, because the root element is not React's.
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])
}
