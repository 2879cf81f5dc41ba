import type { Permission } from '@errata/server/access'
import { useRouteLoaderData } from 'react-router'
import type { FrameData } from '#shell/frame.server.ts'
import { FRAME } from '#wire/names.ts'

const NOBODY: FrameData = { nowMs: 0, viewer: null, organisations: [], org: null, selfOrg: null }

/** Who is signed in and in which organisation, anywhere below the frame. */
export function useFrame(): FrameData {
  return (useRouteLoaderData(FRAME) as FrameData | null | undefined) ?? NOBODY // loaded by loadFrame
}

/** Whether the viewer may do something in the organisation of the page: for showing controls, not for guarding. */
export function useCan(permission: Permission): boolean {
  return useFrame().org?.permissions.includes(permission) ?? false
}
