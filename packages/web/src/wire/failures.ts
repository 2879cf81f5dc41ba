/** Failures of a page or action in the browser, as error boundaries tell them apart. */
import type { WireError } from './answers.ts'

/** The server failed unexpectedly: the error page with its digest. It is recorded there, not again here. */
export class ServerFailure extends Error {
  readonly answer: WireError
  constructor(answer: WireError) {
    super(answer.message)
    this.name = 'ServerFailure'
    this.answer = answer
  }
}

/** An expected refusal: not there, not allowed, or a store that was too slow. */
export class PageRefusal extends Error {
  readonly answer: WireError
  constructor(answer: WireError) {
    super(answer.message)
    this.name = 'PageRefusal'
    this.answer = answer
  }
}

export function asFailure(answer: WireError): ServerFailure | PageRefusal {
  return answer.code === 'internal' ? new ServerFailure(answer) : new PageRefusal(answer)
}

/** Error shown if no answer came at all. */
export const UNREACHABLE: WireError = {
  code: 'overloaded',
  message: 'Errata didn’t respond. Check your connection, then try again.',
}
