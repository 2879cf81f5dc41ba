/**
 * Answers that cost next to nothing: refusals, preflights, what does not exist. Anybody can ask for them, and no queue
 * holds them, so that whoever asks again at once would have the thread for himself: of one address so many a second are
 * sent at once, further ones later.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { addressKey } from '#base/address-key.ts'
import type { Clock } from '#base/clock.ts'
import { AddressPace } from './address-pace.ts'
import type { ClientAddresses } from './client-address.ts'
import { type HttpAnswer, sendAnswer } from './respond.ts'

export interface PaceOptions {
  readonly addresses: Pick<ClientAddresses, 'client'>
  readonly clock: Clock
  readonly perSecond: number
  /** How long an answer waits that is one too many. */
  readonly heldMs: number
}

export class PacedAnswers {
  readonly #options: PaceOptions
  readonly #pace: AddressPace

  constructor(options: PaceOptions) {
    this.#options = options
    this.#pace = new AddressPace(options.perSecond)
  }

  send(request: IncomingMessage, response: ServerResponse, answer: HttpAnswer): void {
    this.tell(request, response, () => sendAnswer(request, response, answer))
  }

  /** Counts an answer to an address; false if it has to wait for `heldMs`. */
  takes(address: string): boolean {
    return this.#pace.takes(address, this.#options.clock.elapsed())
  }

  /** `tell` is called once, unless the client goes away before. */
  tell(request: IncomingMessage, response: ServerResponse, tell: () => void): void {
    const { addresses, heldMs } = this.#options
    if (this.takes(addressKey(addresses.client(request)))) {
      tell()
      return
    }
    const held = setTimeout(tell, heldMs)
    response.once('close', () => clearTimeout(held))
  }
}
