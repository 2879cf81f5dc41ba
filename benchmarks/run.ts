/** `npm run bench`: measures the built product on this machine and says how. README.md beside this file has the method. */
import { join } from 'node:path'
import { ROOT } from '../scripts/node24.mjs'
import { startGenerator } from './load/generator.ts'
import { describeAlerts, measureAlerts } from './measures/alerts.ts'
import { describeIngest, measureIngest } from './measures/ingest.ts'
import { describeKill, measureKill } from './measures/kill.ts'
import { describeLatency, measureLatency } from './measures/latency.ts'
import { describeMaps, measureMaps } from './measures/maps.ts'
import { describeOverview, measureOverview } from './measures/overview.ts'
import { describeReads, measureReads } from './measures/reads.ts'
import { ingestCases } from './measures/rounds.ts'
import { describeSpans, measureSpans } from './measures/spans.ts'
import { describeStart, measureStart } from './measures/start.ts'
import { describeTarget, measureTarget } from './measures/target.ts'
import type { Measured, Tools } from './measures/tools.ts'
import { describeViewers, measureViewers } from './measures/viewers.ts'
import { measureWide } from './measures/wide.ts'
import { type BenchOptions, type MeasureName, readBenchOptions, USAGE } from './options.ts'
import { describeAgainst } from './pairs/describe.ts'
import { measureAgainst } from './pairs/pairs.ts'
import { treeOf } from './pairs/tree.ts'
import { optionsOrSentence } from './refusal.ts'
import { thisMachine } from './report/machine.ts'
import { asText, type BenchReport, writeReport } from './report/report.ts'
import { describeWide } from './report/wide-report.ts'
import { findProduct, type Product } from './server/build.ts'

/**
 * Runs of each measure, one after another: each has the machine to itself. `null`: there was nothing to
 * measure.
 */
const RUNS: Readonly<Record<MeasureName, (tools: Tools) => Promise<Measured>>> = {
  ingest: async (tools) => {
    const reports = []
    for (const given of ingestCases(tools.options)) reports.push(await measureIngest(given, tools))
    return describeIngest(reports)
  },
  maps: async (tools) => describeMaps(await measureMaps(tools)),
  spans: async (tools) => describeSpans(await measureSpans(tools)),
  alerts: async (tools) => describeAlerts(await measureAlerts(tools)),
  latency: async (tools) => describeLatency(await measureLatency(tools)),
  viewers: async (tools) => describeViewers(await measureViewers(tools)),
  reads: async (tools) => describeReads(await measureReads(tools)),
  overview: async (tools) => describeOverview(await measureOverview(tools)),
  start: async (tools) => describeStart(await measureStart(tools)),
  kill: async (tools) => describeKill(await measureKill(tools)),
  wide: async (tools) => describeWide(await measureWide(tools)),
}

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(USAGE)
    return 0
  }
  const options = optionsOrSentence(() => readBenchOptions(args), 'npm run bench')
  if (options === null) return 2
  // A signal ends this process by `exit`, whose listeners end the servers it started.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))
  const machine = thisMachine()
  const product =
    options.target === null ? findProduct({ noBuild: options.noBuild, directory: options.package }) : null
  await using generator = startGenerator()
  const shared = { options, generator, onProgress: (line: string) => console.error(line) }
  const measured = await measuredBy(shared, product)
  const report: BenchReport = {
    date: new Date().toISOString(),
    form: options.full ? 'full' : 'quick',
    command: ['npm run bench', ...(args.length === 0 ? [] : ['--', ...withoutSecrets(args)])].join(' '),
    machine,
    product: describeProduct(product, options),
    corpus: `generated, seed ${options.seed}: errors of about 5 and 18 KB as JavaScript SDKs send them, gzip-6, every event unique`,
    notes: measured.flatMap(({ notes }) => notes),
    rows: measured.flatMap(({ rows }) => rows),
    details: Object.assign({}, ...measured.map(({ name, details }) => ({ [name]: details }))),
  }
  console.log(`\n${asText(report)}`)
  if (options.out !== 'none') {
    // Of pairs the last state is kept alone: their figures mean something beside their commit.
    const name = options.against === null ? null : options.wholeOnly ? 'last-whole' : 'last-pairs'
    const written = writeReport(options.out ?? join(ROOT, 'benchmarks/results'), report, name)
    console.log(`\nWritten: ${written}.json and .md`)
  }
  return report.rows.some(({ met }) => met === false) && options.full ? 1 : 0
}

async function measuredBy(
  shared: Omit<Tools, 'product' | 'found'>,
  product: Product | null,
): Promise<readonly Measured[]> {
  const { against } = shared.options
  if (product === null) return [await overThere(shared)]
  if (against === null) return measureAll({ ...shared, product, found: {} })
  return [describeAgainst(await measureAgainst(await treeOf(against), product, shared))]
}

async function measureAll(tools: Tools): Promise<readonly Measured[]> {
  const all: Measured[] = []
  for (const name of tools.options.only) {
    const startMs = performance.now()
    all.push(await RUNS[name](tools))
    tools.onProgress(`${name}: ${Math.round((performance.now() - startMs) / 1_000)} s`)
  }
  return all
}

async function overThere(tools: Pick<Tools, 'options' | 'generator' | 'onProgress'>): Promise<Measured> {
  return describeTarget(await measureTarget(tools))
}

function describeProduct(product: Product | null, { target, profiles }: BenchOptions): string {
  if (product === null) return `another server at ${target}`
  return `Errata, sources ${product.hash}${profiles === null ? '' : ', profiled (slower)'}`
}

/** A DSN's key and a header's token do not belong into a file that is kept. */
function withoutSecrets(args: readonly string[]): readonly string[] {
  return args.map((arg, index) => (/^--(dsn|drained-header)$/.test(args[index - 1] ?? '') ? '…' : arg))
}
