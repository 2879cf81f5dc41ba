/** Relay for plain `node:http`, and for frameworks that expose its requests. */
import { createCore } from '../exchange.ts'
import { peerOf, respondNode } from '../node-exchange.ts'
import type { NodeRequest, NodeResponse } from '../node-types.ts'
import type { RelayOptions } from '../options.ts'
import { readOptions } from '../settings.ts'

export type { RelayDrop, RelayOptions } from '../options.ts'
export type { RelayRefusal } from '../refusals.ts'

/** Answers a request to one of the relay's paths and says `true`; leaves any other to the app and says `false`. */
export function relay(options: RelayOptions): (request: NodeRequest, response: NodeResponse) => boolean {
  const core = createCore(readOptions(options))
  return (request, response) => {
    if (!core.matches(request.url ?? '')) return false
    void respondNode(core, { request, response }, peerOf(request))
    return true
  }
}
