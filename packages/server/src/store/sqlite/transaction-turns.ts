/** Work as a transaction that may wait, in a turn of its own. */
import { ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import type { Connection } from './connection.ts'
import type { Turns } from './turns.ts'

/** Runs transactions; each statement of one calls `use` first, which throws once it has ended. */
export function transactionTurns(
  db: Connection,
  turns: Turns,
): <T>(work: (use: () => void) => Promise<T>) => Promise<T> {
  return (work) => turns.take(() => runInTransaction(db, work))
}

async function runInTransaction<T>(db: Connection, work: (use: () => void) => Promise<T>): Promise<T> {
  let ended: string | null = null
  const use = () => {
    if (ended !== null) throw new ErrataError('internal', `a statement ${ended} its transaction`)
  }
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    const mostMs = max('controlTurnMs')
    timer = setTimeout(() => {
      ended = 'came too late for'
      reject(new ErrataError('store_timeout', `a transaction did not end within ${mostMs} ms, and is undone`))
    }, mostMs)
  })
  try {
    return await db.transactionOf(async () => {
      const value = await Promise.race([work(use), tooLong])
      ended = 'came behind'
      return value
    })
  } finally {
    ended ??= 'came behind'
    clearTimeout(timer)
  }
}
