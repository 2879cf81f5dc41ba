export { sessionCookie } from './cookie.ts'
export { checkOrigin } from './origin.ts'
export * from './permissions.ts'
export * from './viewer.ts'
