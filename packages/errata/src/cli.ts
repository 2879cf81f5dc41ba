/** The `errata` command: one subcommand a file, each with its own help. */
import { backupCommand } from './backup.ts'
import { checkCommand } from './check.ts'
import { type Subcommand, UsageError } from './command-line.ts'
import { compactCommand } from './compact.ts'
import { rebuildCommand } from './rebuild.ts'
import { eventsCommand } from './remote/events.ts'
import { issueCommand } from './remote/issue.ts'
import { issuesCommand } from './remote/issues.ts'
import { mcpCommand } from './remote/mcp.ts'
import { tailCommand } from './remote/tail.ts'
import { resetPasswordCommand } from './reset-password.ts'
import { resetSecondFactorCommand } from './reset-second-factor.ts'
import { restoreCommand } from './restore.ts'
import { serveCommand } from './serve.ts'
import { setupCommand } from './setup.ts'
import { tokenCommand } from './token.ts'
import { uploadBuildCommand } from './upload-build/upload-build.ts'
import { VERSION } from './version.ts'

const EXIT_MS = 500
const SUBCOMMANDS: readonly Subcommand[] = [
  serveCommand,
  setupCommand,
  tokenCommand,
  resetPasswordCommand,
  resetSecondFactorCommand,
  uploadBuildCommand,
  issuesCommand,
  issueCommand,
  eventsCommand,
  tailCommand,
  mcpCommand,
  checkCommand,
  rebuildCommand,
  compactCommand,
  backupCommand,
  restoreCommand,
]

process.exitCode = await main(process.argv.slice(2))
// A start that failed may leave a thread behind: what was printed is out by then.
setTimeout(() => process.exit(), EXIT_MS).unref()

async function main(args: readonly string[]): Promise<number> {
  if (args[0] === '--version') {
    console.log(VERSION)
    return 0
  }
  const command = SUBCOMMANDS.find(({ name }) => name.every((word, index) => args[index] === word))
  if (command === undefined) {
    const asked = args.length === 0 || args[0] === 'help' || args.some(isHelp)
    const print = asked ? console.log : console.error
    print(asked ? helpOf(args[0]) : overview(args.join(' ')))
    return asked ? 0 : 2
  }
  const rest = args.slice(command.name.length)
  if (rest.some(isHelp)) {
    console.log(command.help)
    return 0
  }
  try {
    return await command.run(rest)
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : String(cause))
    if (cause instanceof UsageError) console.error(`See "errata ${command.name.join(' ')} --help".`)
    return cause instanceof UsageError ? 2 : 1
  }
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

/** `errata token --help` names the first word alone: help of every command that begins with it. */
function helpOf(word: string | undefined): string {
  const begun = SUBCOMMANDS.filter(({ name }) => name[0] === word)
  return begun.length === 0 ? overview(null) : begun.map(({ help }) => help).join('\n\n')
}

function overview(unknown: string | null): string {
  const width = Math.max(...SUBCOMMANDS.map(({ name }) => name.join(' ').length))
  const lines = SUBCOMMANDS.map(({ name, summary }) => `  errata ${name.join(' ').padEnd(width)}  ${summary}`)
  const head = unknown === null ? `Errata ${VERSION}` : `errata: there is no command "${unknown}"`
  return [
    head,
    '',
    ...lines,
    '',
    'Each takes --help, and those that use a data directory take --data. Those that ask an Errata server take\n--url and --token.',
  ].join('\n')
}
