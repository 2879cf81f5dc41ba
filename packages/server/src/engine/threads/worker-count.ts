/** How many process threads an engine has. */
import { max } from '#limits/limits.ts'

/**
 * With two or three cores one: the main thread, the commit and V8's own threads fill the rest, and a second one would
 * only wait beside them, with its own heap and everything it remembers.
 */
export function workerCount(cores: number): number {
  return Math.min(max('workersMax'), Math.max(1, Math.floor(cores / 2)))
}
