import { byteSizeText } from '@errata/server/byte-size'
import { countText, readOptions, SETTING_OPTIONS, type Subcommand, settingsFrom } from './command-line.ts'

export const compactCommand: Subcommand = {
  name: ['compact'],
  summary: 'compacts what is stored, and removes deleted events from the disk',
  help: `errata compact [--data DIR]

Rewrites the files of every day: payloads packed tighter, columns sorted, without what was deleted or is past its
retention. A running server does this by itself, once for each day that has ended; this does it now, for today
too. Refuses while a server uses the directory.`,
  async run(args) {
    const settings = settingsFrom(readOptions(args, SETTING_OPTIONS))
    const { compactDirectory } = await import('@errata/server/offline/upkeep')
    const { files, freedBytes } = await compactDirectory(settings)
    console.log(`rewrote ${countText(files, 'file')}; ${byteSizeText(freedBytes)} freed`)
    return 0
  },
}
