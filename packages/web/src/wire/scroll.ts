/** Remembers how far each entry of the history was scrolled, over reloads too, and goes back there. */
import type { BrowserRouter } from './browser-router.ts'

const STORAGE_KEY = 'errata-scroll'
/** Entries remembered; the oldest go first. */
const POSITIONS_MAX = 200

/** Starts remembering; answers what must be called when another page is shown. */
export function keepScroll(router: BrowserRouter, storage: Pick<Storage, 'getItem' | 'setItem'>): () => void {
  const positions = readPositions(storage.getItem(STORAGE_KEY))
  router.onLeave(({ key }) => {
    positions[key] = window.scrollY
  })
  window.history.scrollRestoration = 'manual'
  window.addEventListener('pageshow', () => {
    window.history.scrollRestoration = 'manual'
  })
  window.addEventListener('pagehide', () => {
    positions[router.state.shown.location.key] = window.scrollY
    storage.setItem(
      STORAGE_KEY,
      JSON.stringify(Object.fromEntries(Object.entries(positions).slice(-POSITIONS_MAX))),
    )
    window.history.scrollRestoration = 'auto'
  })
  return () => {
    const { location, keepsScroll } = router.state.shown
    const saved = positions[location.key]
    if (typeof saved === 'number') window.scrollTo(0, saved)
    else if (location.hash !== '') document.getElementById(location.hash.slice(1))?.scrollIntoView()
    else if (!keepsScroll) window.scrollTo(0, 0)
  }
}

function readPositions(text: string | null): Record<string, number> {
  try {
    return { ...JSON.parse(text ?? '{}') }
  } catch {
    return {} // somebody else's text under our key
  }
}
