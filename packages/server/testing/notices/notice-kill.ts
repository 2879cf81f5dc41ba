/** A process that sends what is due and kills itself before it settles it: `node notice-kill.ts DATABASE NOW`. */
import { manualClock } from '#base/clock.ts'
import { silentLog as log } from '#base/log.ts'
import { createSend } from '#notices/deliver.ts'
import { NoticeLoop } from '#notices/notice-loop.ts'
import { openControlWriter } from '#store/sqlite/control-writer.ts'
import { noticeParts } from './store.ts'

const [path = '', now = ''] = process.argv.slice(2)
const clock = manualClock(Number(now))
const store = openControlWriter({ path, clock, log })
const outbox = {
  ...store,
  settleFor: async () => {
    process.kill(process.pid, 'SIGKILL')
    return new Promise<never>(() => {})
  },
}
const parts = noticeParts({ queue: store, outbox, clock })
await new NoticeLoop({
  ...parts,
  send: createSend(parts),
  mail: false,
  letterWork: null,
  messageWork: null,
}).runOnce()
throw new Error('was not killed')
