// Loaded into a running product with `--import`: ends the process with SIGKILL when the step of a commit or a recovery
// that ERRATA_TEST_KILL names (`columns:2`: the second time) is done. It sees what the commit thread publishes; the
// product knows nothing of it.
import { subscribe } from 'node:diagnostics_channel'

const [step = '', times = '1'] = (process.env.ERRATA_TEST_KILL ?? '').split(':')
let left = Number(times)
subscribe('errata.commit.step', (done) => {
  if (done === step && --left === 0) process.kill(process.pid, 'SIGKILL')
})
