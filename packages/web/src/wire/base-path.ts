/**
 * The path that comes before every address of ours, where `--url` has one: `/errata`. Everything of the app speaks of
 * addresses without it; what reads or writes one that a browser sees goes through here. Of a process there is one, which
 * JSX has no way to be handed: this is the second exception to "no singletons", beside `engine.ts`.
 */
let base = typeof document === 'undefined' ? '' : (document.documentElement.dataset.base ?? '')

/** On the server, once: the browser reads it from its document. */
export function setBasePath(path: string): void {
  base = path
}

export function basePath(): string {
  return base
}

/** A path of the app as a browser has to be told it; whole addresses and marks of a page stay as they are. */
export function withBasePath(path: string): string {
  return base !== '' && path.startsWith('/') && !path.startsWith('//') ? `${base}${path}` : path
}

/** A path of this host as the app calls it; `null` for one that is not the app's. */
export function ownPathOf(path: string): string | null {
  return base === '' || path === base || path.startsWith(`${base}/`) ? withoutBase(path) : null
}

/** A path that a browser has, as the app calls it. */
export function withoutBase(path: string): string {
  if (base === '') return path
  if (path === base) return '/'
  return path.startsWith(`${base}/`) ? path.slice(base.length) : path
}
