/** Runs `run` with the first call; every later one does nothing. */
export function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    run()
  }
}
