/** `node scripts/with-node24.mjs benchmarks/profile.ts DIR [lines]`: where the time of each profiled thread went, by function itself. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CpuProfile } from './report/cpu-profile.ts'

const LINES_DEFAULT = 25
const [directory, lines = String(LINES_DEFAULT)] = process.argv.slice(2)
if (directory === undefined) {
  console.error('Name the folder that --cpu-prof wrote.')
  process.exitCode = 2
} else {
  for (const name of readdirSync(directory).filter((file) => file.endsWith('.cpuprofile')))
    console.log(summaryOf(name, JSON.parse(readFileSync(join(directory, name), 'utf8')) as CpuProfile)) // written by V8
}

function summaryOf(name: string, { nodes, samples, timeDeltas }: CpuProfile): string {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]))
  const selfMicros = new Map<string, number>()
  samples.forEach((id, index) => {
    const place = places.get(id) ?? 'unknown'
    selfMicros.set(place, (selfMicros.get(place) ?? 0) + (timeDeltas[index] ?? 0))
  })
  const idle = (selfMicros.get('(idle)') ?? 0) + (selfMicros.get('(program)') ?? 0)
  const total = [...selfMicros.values()].reduce((sum, micros) => sum + micros, 0)
  const busy = Math.max(1, total - idle)
  const rows = [...selfMicros]
    .filter(([place]) => place !== '(idle)' && place !== '(program)')
    .sort((a, b) => b[1] - a[1])
    .slice(0, Number(lines))
    .map(([place, micros]) => `  ${((micros * 100) / busy).toFixed(1).padStart(5)} %  ${place}`)
  return [`\n${name}: ${Math.round(busy / 1_000)} ms busy of ${Math.round(total / 1_000)}`, ...rows].join(
    '\n',
  )
}

function placeOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const file = url.split('/').at(-1) ?? ''
  const name = functionName === '' ? '(anonymous)' : functionName
  return file === '' ? name : `${name}  ${file}:${lineNumber + 1}`
}
