import { faultsOf, makeTemplate, runSeed } from './run.ts'

const [from = '0', to = from] = process.argv.slice(2)
const template = await makeTemplate()
let next = Number(from)
const failed: number[] = []
const t0 = performance.now()
async function lane() {
  while (next <= Number(to)) {
    const seed = next++
    const timer = setTimeout(() => {
      console.log('STUCK', seed, faultsOf(seed), 0)
      process.exit(1)
    }, 40_000)
    try {
      await runSeed(seed, template)
    } catch (e) {
      failed.push(seed)
      console.log(e)
    }
    clearTimeout(timer)
  }
}
await Promise.all(Array.from({ length: Number(process.env.LANES ?? 1) }, lane))
console.log(
  'failed',
  failed,
  'ms/seed',
  (performance.now() - t0) / (Number(to) - Number(from) + 1),
  process.cpuUsage(),
)
process.exit(0)
