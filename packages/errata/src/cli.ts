/** The `errata` command: one subcommand a file, each with its own help. */
import { checkCommand } from './check.ts'
import { type Subcommand, UsageError } from './command-line.ts'
import { resetPasswordCommand } from './reset-password.ts'
import { serveCommand } from './serve.ts'
import { setupCommand } from './setup.ts'
import { tokenCommand } from './token.ts'
import { VERSION } from './version.ts'

const EXIT_MS = 500
const SUBCOMMANDS: readonly Subcommand[] = [
  serveCommand,
  setupCommand,
  tokenCommand,
  resetPasswordCommand,
  checkCommand,
]

process.exitCode = await main(process.argv.slice(2))
// A start that failed may leave a thread behind: what was printed is out by then.
setTimeout(() => process.exit(), EXIT_MS).unref()

async function main(args: readonly string[]): Promise<number> {
  if (args[0] === '--version') {
    console.log(VERSION)
    return 0
  }
  const wantsHelp = args.some((word) => HELP.includes(word))
  const command = SUBCOMMANDS.find(({ name }) => name.every((word, index) => args[index] === word))
  if (command === undefined) {
    const asked = args.length === 0 || args[0] === '--help' || args[0] === 'help'
    const print = asked ? console.log : console.error
    print(overview(asked ? null : args.join(' ')))
    return asked ? 0 : 2
  }
  const rest = args.slice(command.name.length)
  if (rest.includes('--help')) {
    console.log(command.help)
    return 0
  }
  try {
    return await command.run(rest)
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : String(cause))
    if (cause instanceof UsageError) console.error(`\n${command.help}`)
    return cause instanceof UsageError ? 2 : 1
  }
}

function overview(unknown: string | null): string {
  const lines = SUBCOMMANDS.map(({ name, summary }) => `  errata ${name.join(' ').padEnd(22)} ${summary}`)
  const head = unknown === null ? `Errata ${VERSION}` : `errata: there is no command "${unknown}"`
  return [head, '', ...lines, '', 'Each takes --help and --data.'].join('\n')
}
