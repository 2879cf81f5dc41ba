import * as Sentry from '@sentry/nextjs'

/** Stands for a database: each question takes a few milliseconds and sends the span that a driver's would. */
export async function ask(sql: string, tookMs = 6): Promise<void> {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql }
  await Sentry.startSpan({ op: 'db', name: sql, attributes }, () => pause(tookMs))
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
