export { type CommandOptions, createCommands } from './commands.ts'
export type { TestOutcome } from './notices.ts'
export {
  keyIdField,
  PASSWORD_RULE,
  password,
  projectIdField,
  projectOptions,
  rateLimit,
  read,
  refuseIssues,
  SCHEMAS,
  SLUG_RULE,
  sessionIdField,
  slug,
  teamIdField,
  tokenIdField,
  userIdField,
} from './schemas.ts'
export { slugFrom } from './slugs.ts'
export * from './types.ts'
