/** Accept threads on the thread of the test: everything but the messages between them. */
import type { MainAccept } from '#accept/accept.ts'
import { createAcceptApart, HeldSenders } from '#accept/accept-apart.ts'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { systemRandom } from '#base/random.ts'
import { type AcceptServer, startAcceptServer } from '#http/accept-server.ts'
import type { HttpTimeouts } from '#http/guarded-server.ts'
import { SharedBytes } from '#http/shared-bytes.ts'
import type { AcceptThreads } from '#http/types.ts'
import { max } from '#limits/limits.ts'
import type { IngestDirectory } from '#ports/projects.ts'

export interface ThreadsInPlaceOptions {
  readonly accept: MainAccept
  readonly directory: IngestDirectory
  readonly socketDirectory: string
  readonly count?: number
  readonly timeouts?: HttpTimeouts | undefined
}

export function threadsInPlace(options: ThreadsInPlaceOptions): AcceptThreads {
  const { accept, directory, socketDirectory, count = 1, timeouts } = options
  const cells = new Int32Array(new SharedArrayBuffer((count + 1) * Int32Array.BYTES_PER_ELEMENT))
  const bodiesOf = (own: number) => new SharedBytes(cells, own, max('bodiesInFlightBytesMax'))
  let servers: readonly AcceptServer[] = []
  const apart = () =>
    createAcceptApart({
      desk: {
        admit: ({ who, taken, request }) =>
          accept.admitRead({ publicKey: who.sender.key.public, client: who.client, taken, request }),
        accept: (request) => accept.accept(request),
        count: (outcome) => accept.count(outcome),
        countRefusal: (refusal) => accept.countRefusal(refusal),
      },
      ...{ directory, clock: systemClock, random: systemRandom, held: new HeldSenders(systemClock) },
      isCurrent: () => true,
      closedBy: () => null,
    })
  return {
    bodies: bodiesOf(count),
    socketDirectory,
    async listen({ port, settings, desk, hop, publicAddress }) {
      const begun = await Promise.all(
        Array.from({ length: count }, (_, own) =>
          startAcceptServer({
            ...{ accept: apart(), limiter: desk.limiter, settings, port, hop, publicAddress, timeouts },
            ...{ parts: count, bodies: bodiesOf(own), log: silentLog },
            takesAnswer: async (address) => desk.paced.takes(address),
          }),
        ),
      )
      servers = begun.map((server) => {
        if (server instanceof Error) throw server
        return server
      })
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}
