export { sessionCookie } from './cookie.ts'
export { checkOrigin, originHeaders, usedOrigin } from './origin.ts'
export { PERMISSIONS, type Permission, type PermissionEntry, SCOPES } from './permissions.ts'
export type { PersonViewer } from './viewer.ts'
