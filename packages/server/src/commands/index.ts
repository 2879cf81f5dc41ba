export type { Asking, PersonAsking, RequestFacts } from './asking.ts'
export { type CommandOptions, type Commands, createCommands } from './commands.ts'
export type { ArchiveRequest, IssueSelection } from './issues.ts'
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
export type { SignedIn } from './sessions.ts'
export type { SetupInput } from './sign-in.ts'
export { slugFrom } from './slugs.ts'
