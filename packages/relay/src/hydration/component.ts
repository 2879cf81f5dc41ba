/** The component that rendered a node, in a name that outlasts a build. */
import type { PageNode } from './page-types.ts'

/** Shorter names are a minifier's. */
const NAME = /^[A-Z][\w$.]{2,119}$/
/** Put there by the SDK’s plugins for bundlers, where they are told to. */
const MARK = 'data-sentry-component'

export function componentOf(node: PageNode): string | null {
  const element = node.closest ? node : node.parentElement
  const marked = element?.closest?.(`[${MARK}]`)?.getAttribute?.(MARK)
  return marked ?? reactName(node)
}

/**
 * React hangs what it knows of a node on it, under a key that ends in random. The innermost component or nothing: those
 * around one whose name was minified are not it.
 */
function reactName(node: PageNode): string | null {
  const key = Object.keys(node).find((each) => each.startsWith('__reactFiber$')) ?? ''
  for (let at = part(node, key); at; at = part(at, 'return')) {
    const type = part(at, 'type')
    const component = part(type, 'render') ?? part(type, 'type') ?? type
    if (typeof component !== 'function') continue
    const name: unknown = part(type, 'displayName') ?? component.name
    return typeof name === 'string' && NAME.test(name) ? name : null
  }
  return null
}

function part(value: unknown, key: string): unknown {
  return value instanceof Object ? Reflect.get(value, key) : undefined
}
