import {
  countText,
  readOptions,
  SETTING_OPTIONS,
  type Subcommand,
  settingsFrom,
  textOption,
} from './command-line.ts'

export const rebuildCommand: Subcommand = {
  name: ['rebuild'],
  summary: 'rebuilds the columns from the payloads',
  help: `errata rebuild [--data DIR] [--file NAME] [--discard-later]

Rebuilds every column file, or the one named, from the payloads kept beside it: for a file that is damaged or missing.
Issues, counts and digests stay as they are, as do rows whose payloads are damaged or gone where the columns can be
read. Refuses while a server uses the directory. "errata check --deep" says whether it is needed.

  --file NAME       such as error-2026-11-21.90
  --discard-later   first discards events stored later than the control store knows: for a control store that was
                    restored to an earlier state, when there is no other copy`,
  async run(args) {
    const values = readOptions(args, {
      ...SETTING_OPTIONS,
      file: { type: 'string' },
      'discard-later': { type: 'boolean' },
    })
    const settings = settingsFrom(values)
    const { rebuildDirectory } = await import('@errata/server/offline/upkeep')
    const name = textOption(values, 'file')
    let lost = 0
    const files = await rebuildDirectory(settings, {
      only: name === undefined ? null : [name],
      discardLater: values['discard-later'] === true,
      onFile(done) {
        const { name: file, rows, damagedBlocks, keptRows } = done
        lost += damagedBlocks + keptRows
        const unread =
          damagedBlocks === 0 ? '' : `, ${countText(damagedBlocks, 'payload block')} could not be read`
        const kept =
          keptRows === 0 ? '' : `, ${keptRows} of them without a payload, by the rows that were there`
        console.log(`${file}  ${countText(rows, 'row')}${kept}${unread}`)
      },
    })
    console.log(`rebuilt ${countText(files, 'file')}`)
    return lost === 0 ? 0 : 1
  },
}
