import { resolve } from 'node:path'
import {
  countText,
  readWords,
  SETTING_OPTIONS,
  type Subcommand,
  settingsFrom,
  textOption,
  UsageError,
} from './command-line.ts'

export const restoreCommand: Subcommand = {
  name: ['restore'],
  summary: 'restores a backup into a new data directory',
  help: `errata restore DIR --data NEW [--snapshot NAME]

Makes the data directory NEW, which must be absent or empty, as it was when the snapshot was taken. Every byte is
checked on its way. Ends with 1 where payloads were damaged already when they were backed up.

  --snapshot NAME   such as 2026-11-21T15-20-00Z; the newest by default`,
  async run(args) {
    const { values, words } = readWords(args, { ...SETTING_OPTIONS, snapshot: { type: 'string' } })
    const [directory, ...more] = words
    if (directory === undefined || more.length > 0)
      throw new UsageError('name the one directory of the backup')
    const settings = settingsFrom(values)
    const { restoreDirectory } = await import('@errata/server/offline/upkeep')
    const snapshot = textOption(values, 'snapshot') ?? null
    const done = await restoreDirectory(settings, { directory: resolve(directory), snapshot })
    console.log(
      `restored ${done.snapshot} into ${settings.data}: ${countText(done.files, 'file')}, ${countText(done.events, 'event')}`,
    )
    console.error(
      `Backups do not contain seal.key: put yours into ${settings.data} before the first start, or authenticator apps must be set up again`,
    )
    if (done.damagedBlocks === 0) return 0
    const blocks = countText(done.damagedBlocks, 'payload block')
    console.error(
      `${blocks} of the backup could not be read: their events are lost, unless an earlier snapshot has them`,
    )
    return 1
  },
}
