/** `npm run soak`: a simulated day of steady traffic with retention; memory and disk must stay level. See README.md. */
import { join } from 'node:path'
import { ROOT } from '../scripts/node24.mjs'
import { measureSoak } from './measures/soak.ts'
import { optionsOrSentence } from './refusal.ts'
import { thisMachine } from './report/machine.ts'
import { asText, type BenchReport, writeReport } from './report/report.ts'
import { soakRows } from './report/soak-rows.ts'
import { findProduct } from './server/build.ts'
import { readSoakOptions, SOAK_USAGE } from './soak-options.ts'

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(SOAK_USAGE)
    return 0
  }
  const options = optionsOrSentence(() => readSoakOptions(args), 'npm run soak')
  if (options === null) return 2
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))
  const machine = thisMachine()
  const product = findProduct({ noBuild: options.noBuild, directory: null })
  const soak = await measureSoak({ product, options, onProgress: (line) => console.error(line) })
  const megabytes = /^(\d+)\s*MB$/i.exec(options.maxDisk)?.[1]
  const rows = soakRows(soak, options.hours, megabytes === undefined ? null : Number(megabytes))
  const report: BenchReport = {
    date: new Date().toISOString(),
    form: 'soak',
    command: ['npm run soak', ...(args.length === 0 ? [] : ['--', ...args])].join(' '),
    machine,
    product: `Errata, sources ${product.hash}`,
    corpus: `generated, seed ${options.seed}: errors of about 5 KB, 400 stacks, every event unique`,
    notes: [
      `${options.hours} simulated hours around a midnight, ${soak.speed.toFixed(0)} times as fast, ${soak.rate.toFixed(1)} events a simulated second`,
      `retention: the data directory may take ${options.maxDisk}; the project is as a new one is, caps on`,
    ],
    rows,
    details: { soak },
  }
  console.log(`\n${asText(report)}`)
  console.log(`\nWritten: ${writeReport(join(ROOT, 'benchmarks/results'), report)}.json and .md`)
  return rows.some(({ met }) => met === false) ? 1 : 0
}
