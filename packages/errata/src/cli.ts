/** The `errata` command: one subcommand a file, each with its own help. */
import { runCommandLine } from './run-command.ts'
import { SUBCOMMANDS } from './subcommands.ts'

await runCommandLine(SUBCOMMANDS)
