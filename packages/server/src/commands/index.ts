export { RULE_DRAFT } from './alert-schemas.ts'
export { alertBody, CHANNEL_FORMS } from './channels.ts'
export { PASSWORD_RULE, read, SCHEMAS, SLUG_RULE } from './schemas.ts'
export type { SignedIn } from './sessions.ts'
