export { type CommandOptions, createCommands } from './commands.ts'
export type { TestOutcome } from './notices.ts'
export {
  keyIdField,
  password,
  projectIdField,
  projectOptions,
  rateLimit,
  read,
  refuseIssues,
  SCHEMAS,
  sessionIdField,
  slug,
  teamIdField,
  tokenIdField,
  userIdField,
} from './schemas.ts'
export { slugFrom } from './slugs.ts'
export * from './types.ts'
