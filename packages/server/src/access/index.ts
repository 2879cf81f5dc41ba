export { AGENT_TOOL_LIST, type AgentTool } from './agent-tools.ts'
export { deviceCookie, flowCookie, sessionCookie } from './cookie.ts'
export { checkOrigin, originHeaders, usedOrigin } from './origin.ts'
export {
  PERMISSIONS,
  type Permission,
  type PermissionEntry,
  SCOPE_GROUPS,
  SCOPES,
  scopesWithin,
} from './permissions.ts'
export type { PersonViewer } from './viewer.ts'
