/** Asks again until the answer is there. The deadline is a failure, not a pause. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  withinMs = 120_000,
): Promise<T> {
  const end = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== null && answer !== undefined && answer !== false) return answer
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
