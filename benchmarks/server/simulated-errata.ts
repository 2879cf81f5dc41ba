/** The built product inside a process of ours, with a clock of ours: how a test of weeks fits into minutes. */
import { pathToFileURL } from 'node:url'
import type { SimulatedStart } from './start-simulated.ts'

interface Product {
  startErrata(options: object): Promise<{ readonly port: number; close(): Promise<void> }>
}

const start = JSON.parse(process.argv[2] ?? '{}') as SimulatedStart // written by start-simulated.ts
const product = (await import(pathToFileURL(start.entry).href)) as Product // what packages/errata exports
const errata = await product.startErrata({
  data: start.data,
  port: 0,
  host: '127.0.0.1',
  logLevel: 'warn',
  clock: start.clock,
  ...(start.maxDisk === undefined ? {} : { maxDisk: start.maxDisk }),
})
process.on('disconnect', () => process.exit(1))
process.on('message', () => {
  void errata.close().then(
    () => process.exit(0),
    (cause: unknown) => {
      console.error(cause)
      process.exit(1)
    },
  )
})
process.send?.(errata.port)
