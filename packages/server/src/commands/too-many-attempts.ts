import { type Refusal, refuse } from '#base/result.ts'

export function tooManyAttempts(retryAfterSeconds: number): Refusal {
  const minutes = Math.max(1, Math.ceil(retryAfterSeconds / 60))
  const message = `Too many attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
  return { ...refuse('too_many_attempts', message), retryAfterSeconds }
}
