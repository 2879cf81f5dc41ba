/** A process that commits traffic and kills itself at one step boundary: `node commit-kill.ts STEP BATCH WORLD`. */
import { isCommitStep } from '#commit/commit.ts'
import { openHouse } from './stores.ts'
import { bring, mirroredTraffic, readWorld } from './traffic.ts'

const [step = '', batch = '', world = ''] = process.argv.slice(2)
const { directory, shop, blog } = readWorld(world)
if (!isCommitStep(step)) throw new Error(`no such step: ${step}`)
let begun = 0
const house = await openHouse(directory, () => ({
  onStep(at) {
    if (at === 'begin') begun++
    if (at === step && begun === Number(batch)) process.kill(process.pid, 'SIGKILL')
  },
}))
await bring(house, mirroredTraffic(shop, blog), 6)
throw new Error('was not killed')
