/** The built product inside a process of ours, with a clock of ours: how a test of weeks fits into minutes. */
import { pathToFileURL } from 'node:url'
import { catchUp, lateClock } from '../../packages/server/src/base/clock.ts'
import type { SimulatedStart } from './start-simulated.ts'

interface Product {
  startErrata(
    options: object,
  ): Promise<{ readonly port: number; readonly setupCode: string | null; close(): Promise<void> }>
}

const start = JSON.parse(process.argv[2] ?? '{}') as SimulatedStart // written by start-simulated.ts
const late = start.clock !== null && 'behindMs' in start.clock ? lateClock(start.clock.behindMs) : null
const product = (await import(pathToFileURL(start.entry).href)) as Product // what packages/errata exports
const errata = await product.startErrata({
  data: start.data,
  port: 0,
  host: '127.0.0.1',
  logLevel: 'warn',
  ...(start.clock === null ? {} : { clock: late ?? start.clock }),
  ...(start.maxDisk === undefined ? {} : { maxDisk: start.maxDisk }),
})
process.on('disconnect', () => process.exit(1))
process.on('message', (message: string | { readonly catchUp: number }) => {
  if (typeof message === 'object') {
    if (late !== null) catchUp(late, message.catchUp)
    return
  }
  void errata.close().then(
    () => process.exit(0),
    (cause: unknown) => {
      console.error(cause)
      process.exit(1)
    },
  )
})
process.send?.({ port: errata.port, setupCode: errata.setupCode })
