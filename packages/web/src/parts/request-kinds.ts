import type { IconName } from '#ui/icons.tsx'
import type { RequestKind } from './issue-types.ts'

/** How each kind of request is called and drawn; `other` has neither. */
export const REQUEST_KINDS: Readonly<
  Record<RequestKind, { readonly label: string; readonly icon: IconName } | null>
> = {
  document: { label: 'document', icon: 'document' },
  'page-data': { label: 'page-data', icon: 'braces' },
  prefetch: { label: 'prefetch', icon: 'prefetch' },
  action: { label: 'action', icon: 'action' },
  'route-handler': { label: 'route handler', icon: 'route-handler' },
  static: { label: 'static', icon: 'document' },
  browser: { label: 'browser', icon: 'browser' },
  other: null,
}
