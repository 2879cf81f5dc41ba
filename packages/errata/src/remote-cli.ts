/** The `errata` command that every installation serves at /packages/errata.tgz: small, without dependencies, on Node 20. */
import { REMOTE_COMMANDS } from './remote-commands.ts'
import { runCommandLine } from './run-command.ts'

await runCommandLine(REMOTE_COMMANDS)
