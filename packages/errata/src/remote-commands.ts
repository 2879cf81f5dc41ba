/** Commands that ask a server somewhere, and need neither its data nor its package. */
import type { Subcommand } from './command-line.ts'
import { eventsCommand } from './remote/events.ts'
import { issueCommand } from './remote/issue.ts'
import { issuesCommand } from './remote/issues.ts'
import { mcpCommand } from './remote/mcp.ts'
import { tailCommand } from './remote/tail.ts'
import { uploadBuildCommand } from './upload-build/upload-build.ts'

export const REMOTE_COMMANDS: readonly Subcommand[] = [
  uploadBuildCommand,
  issuesCommand,
  issueCommand,
  eventsCommand,
  tailCommand,
  mcpCommand,
]
