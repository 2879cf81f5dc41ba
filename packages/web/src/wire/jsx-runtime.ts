/** Runtime of JSX: React's own, with addresses of elements as a browser needs them. See `base-path.ts`. */
import { Fragment, jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime'
import { basePath, withBasePath } from './base-path.ts'

/** @public Taken by what JSX is compiled to, as are the others. */
export { Fragment }

type Jsx = typeof reactJsx

/** @public */
export const jsx: Jsx = (type, props, key) => reactJsx(type, placeAddresses(type, props), key)
/** @public */
export const jsxs: Jsx = (type, props, key) => reactJsxs(type, placeAddresses(type, props), key)

const ADDRESSES = ['href', 'action', 'formAction', 'src'] as const

/** Components hand addresses on: only what becomes an element is changed, so that none is changed twice. */
function placeAddresses(type: unknown, props: unknown): unknown {
  if (basePath() === '' || typeof type !== 'string' || typeof props !== 'object' || props === null)
    return props
  const changed: Record<string, string> = {}
  for (const name of ADDRESSES) {
    const value: unknown = Object.getOwnPropertyDescriptor(props, name)?.value
    if (typeof value === 'string' && withBasePath(value) !== value) changed[name] = withBasePath(value)
  }
  return Object.keys(changed).length === 0 ? props : { ...props, ...changed }
}
