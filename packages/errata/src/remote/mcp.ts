import { readOptions, type Subcommand } from '../command-line.ts'
import { ADDRESS_HELP, ADDRESS_OPTIONS, addressFrom } from './connection.ts'

export const mcpCommand: Subcommand = {
  name: ['mcp'],
  summary: 'connects a coding agent to an Errata server, over stdio',
  help: `errata mcp [--url URL] [--token TOKEN]

A Model Context Protocol server on standard input and output, for agents that start one as a command. It forwards
everything to /mcp of the Errata server until its input ends.

${ADDRESS_HELP}`,
  async run(args) {
    const address = addressFrom(readOptions(args, ADDRESS_OPTIONS), process.env)
    // The protocol's library is loaded by nobody else who uses the command line.
    const { passOn } = await import('./agent-bridge.ts')
    await passOn(address)
    return 0
  },
}
