// The runner ends with its last test, whatever that left open (`--test-force-exit`): a server or a client that a failed
// test did not close would keep it for ever, with nothing said. Processes would outlive it: they are ended here.
import { ChildProcess } from 'node:child_process'

process.on('exit', () => {
  // Node has no public way to ask for more than the names of what is open.
  for (const handle of process._getActiveHandles()) if (handle instanceof ChildProcess) handle.kill('SIGKILL')
})
