/** Work of a thread that nobody waits for, now and then. */

/**
 * Runs `work` every so often, never twice at once; a run that fails is told to `failed`. Keeps no process alive. What it answers
 * ends it, and resolves once nothing of it is under way: native code that finishes after its thread takes the process with it.
 */
export function nowAndThen(
  work: () => Promise<void>,
  { everyMs, failed }: { readonly everyMs: number; readonly failed: (cause: unknown) => void },
): () => Promise<void> {
  let running: Promise<void> | null = null
  const run = async () => {
    try {
      await work()
    } catch (cause) {
      failed(cause)
    } finally {
      running = null
    }
  }
  const timer = setInterval(() => {
    running ??= run()
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
