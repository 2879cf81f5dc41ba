import type { Permission } from '@errata/server/access'
import { FRAME } from '#wire/names.ts'
import { useLoaded } from '#wire/router.ts'

/** Data of the frame around every page. */
export interface FrameData {
  readonly nowMs: number
  readonly viewer: {
    readonly id: number
    readonly name: string
    readonly email: string
    readonly isOperator: boolean
    readonly theme: 'system' | 'light' | 'dark'
    /** First page of an organisation. */
    readonly landing: 'overview' | 'issues'
  } | null
  readonly organisations: readonly { readonly slug: string; readonly name: string }[]
  /** Organisation of the address, or the one used last on pages that belong to none. */
  readonly org: {
    readonly slug: string
    readonly name: string
    readonly role: string
    readonly permissions: readonly Permission[]
  } | null
  /** The first of the searches that the viewer has in the organisation. */
  readonly searches: readonly SearchLink[]
  /** How many alert rules are away from normal; `null` for who may not see them. */
  readonly alerts: { readonly critical: number; readonly warning: number } | null
  /** Unread entries of the viewer's inbox, counted up to 100. */
  readonly unread: number
  /** Issues for review of the range that the list has at first, counted up to 100. */
  readonly forReview: number
  /** State last chosen in this browser; `null` if none was. */
  readonly rail: 'open' | 'collapsed' | null
  /** Organisation whose project holds Errata's own failures, when the viewer may read it. */
  readonly selfOrg: string | null
}

export interface SearchLink {
  readonly id: number
  readonly name: string
  readonly query: string
  readonly sort: string
}

/** Frame of a page that nobody signed in to see. */
export const NOBODY: FrameData = {
  ...{ nowMs: 0, viewer: null, organisations: [], org: null, selfOrg: null },
  ...{ searches: [], alerts: null, unread: 0, forReview: 0, rail: null },
}

/** Returns who is signed in and in which organisation, anywhere below the frame. */
export function useFrame(): FrameData {
  return (useLoaded(FRAME) as FrameData | null | undefined) ?? NOBODY // loaded by loadFrame
}

/** Whether the viewer may do something in the organisation of the page: for showing controls, not for guarding. */
export function useCan(permission: Permission): boolean {
  return useFrame().org?.permissions.includes(permission) ?? false
}
