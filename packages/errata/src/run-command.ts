/** Runs one subcommand of a list: shared by the command that serves and the one that only asks a server. */
import { type Subcommand, UsageError } from './command-line.ts'
import { VERSION } from './version.ts'

const EXIT_MS = 500

/** Sets the exit status. */
export async function runCommandLine(commands: readonly Subcommand[]): Promise<void> {
  process.exitCode = await run(commands, process.argv.slice(2))
  // A start that failed may leave a thread behind: what was printed is out by then.
  setTimeout(() => process.exit(), EXIT_MS).unref()
}

async function run(commands: readonly Subcommand[], args: readonly string[]): Promise<number> {
  if (args[0] === '--version') {
    console.log(VERSION)
    return 0
  }
  const command = commands.find(({ name }) => name.every((word, index) => args[index] === word))
  if (command === undefined) {
    const asked = args.length === 0 || args[0] === 'help' || args.some(isHelp)
    const print = asked ? console.log : console.error
    print(asked ? helpOf(commands, args[0]) : overview(commands, args.join(' ')))
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
function helpOf(commands: readonly Subcommand[], word: string | undefined): string {
  const begun = commands.filter(({ name }) => name[0] === word)
  return begun.length === 0 ? overview(commands, null) : begun.map(({ help }) => help).join('\n\n')
}

function overview(commands: readonly Subcommand[], unknown: string | null): string {
  const width = Math.max(...commands.map(({ name }) => name.join(' ').length))
  const lines = commands.map(({ name, summary }) => `  errata ${name.join(' ').padEnd(width)}  ${summary}`)
  const head = unknown === null ? `Errata ${VERSION}` : `errata: there is no command "${unknown}"`
  const uses = commands.some(({ name }) => name[0] === 'serve')
    ? 'All commands take --help. Commands on a data directory take --data; commands that call an Errata server\ntake --url and --token.'
    : 'All commands take --help, --url and --token. Commands that run a server are in the package of Errata itself.'
  return [head, '', ...lines, '', uses].join('\n')
}
