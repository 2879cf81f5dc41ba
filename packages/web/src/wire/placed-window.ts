/** The window as the router sees it: with addresses as the app calls them. See `base-path.ts`. */
import { withBasePath, withoutBase } from './base-path.ts'
import type { Browser } from './browser-router.ts'

export function placedWindow(window: Window): Browser {
  const { history } = window
  return {
    get location() {
      const { origin, pathname, search, hash } = window.location
      const path = withoutBase(pathname)
      const href = `${origin}${path}${search}${hash}`
      // Of another site, or too many redirects: of ours it is told as a browser needs it.
      const assign = (address: string) => window.location.assign(placeInWindow(address, origin))
      return { origin, pathname: path, search, hash, href, assign }
    },
    history: {
      get state() {
        return history.state
      },
      pushState: (state, unused, path) => history.pushState(state, unused, withBasePath(path)),
      replaceState: (state, unused, path) => history.replaceState(state, unused, withBasePath(path)),
    },
    addEventListener: (name, listener) => window.addEventListener(name, listener),
    dispatchEvent: (event) => window.dispatchEvent(event),
  }
}

function placeInWindow(address: string, origin: string): string {
  return address.startsWith(`${origin}/`) ? `${origin}${withBasePath(address.slice(origin.length))}` : address
}
