import { resolve } from 'node:path'
import { byteSizeText } from '@errata/server/byte-size'
import { backupDirectory, verifyDirectory } from '@errata/server/offline/backup'
import {
  countText,
  readWords,
  SETTING_OPTIONS,
  type Subcommand,
  settingsFrom,
  textOption,
  UsageError,
} from './command-line.ts'
import { leaveToOwner } from './directory-owner.ts'
import { VERSION } from './version.ts'

export const backupCommand: Subcommand = {
  name: ['backup'],
  summary: 'copies the data directory, beside a running server',
  help: `errata backup DIR [--data DIR] [--backup-keep N]
errata backup --verify DIR [--snapshot NAME]

Adds a snapshot of the data directory to DIR: what changed since the last one is written, and read back. The server may
run. "errata restore" makes a data directory of it.

  --verify          reads every byte of a snapshot instead and says whether it is whole
  --snapshot NAME   which one; the newest by default`,
  async run(args) {
    const kinds = { ...SETTING_OPTIONS, verify: { type: 'boolean' }, snapshot: { type: 'string' } } as const
    const { values, words } = readWords(args, kinds)
    const settings = settingsFrom(values)
    const [given, ...more] = words
    const directory = given === undefined ? settings.backup.directory : resolve(given)
    if (directory === null || more.length > 0) throw new UsageError('name one directory for the backup')
    if (values.verify === true) {
      const { files, bytes } = await verifyDirectory(directory, textOption(values, 'snapshot') ?? null)
      console.log(`whole: ${countText(files, 'file')}, ${byteSizeText(bytes)}`)
      return 0
    }
    const { data, backup } = settings
    leaveToOwner(directory)
    const done = await backupDirectory({ data, directory, keep: backup.keep, version: VERSION })
    console.log(
      `${done.snapshot}: ${countText(done.files, 'file')}, ${byteSizeText(done.bytes)}, ${byteSizeText(done.newBytes)} of them newly written, ` +
        `up to seq ${done.appliedSeq}, in ${(done.elapsedMs / 1_000).toFixed(1)} s`,
    )
    return 0
  },
}
