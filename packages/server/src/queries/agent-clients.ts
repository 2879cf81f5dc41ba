/** Apps that people connect: what one asks for, and what a person has connected. */
import { type AgentAsk, readAsk } from '#access/agent-authorization.ts'
import { agentIssuer, isAgentResource } from '#access/agent-resource.ts'
import type { PersonViewer } from '#access/viewer.ts'
import type { Clock } from '#base/clock.ts'
import type { PublicAddress } from '#base/public-address.ts'
import { answerAddress, redirectPlace } from '#model/agent-client-rules.ts'
import type { AgentClientsRead, AgentConnection } from '#ports/agent-clients.ts'

export interface AgentClientQueries {
  /** Reads what the query of /oauth/authorize asks for. */
  agentAsk(params: URLSearchParams): Promise<AgentAskView>
  /** Returns connections in organisations that the session opens. */
  agentConnections(viewer: PersonViewer): Promise<readonly AgentConnection[]>
}

type Place = ReturnType<typeof redirectPlace>

/** Addresses lead back to the app, and are only followed when a person says so. */
export type AgentAskView =
  | {
      readonly kind: 'asks'
      readonly ask: AgentAsk
      readonly place: Place
      readonly deniedAddress: string
    }
  | { readonly kind: 'wrong'; readonly message: string; readonly place: Place; readonly address: string }
  | { readonly kind: 'stopped'; readonly message: string }

interface Parts {
  readonly agentClients: AgentClientsRead
  readonly publicAddress: PublicAddress
  readonly clock: Clock
}

export function agentClientQueries(parts: Parts): AgentClientQueries {
  return {
    agentAsk: (params) => agentAsk(parts, params),
    async agentConnections({ user, memberships }) {
      const all = await parts.agentClients.agentConnections(user.id, parts.clock.now())
      return all.filter(({ organisation: { id } }) =>
        memberships.some(({ organisation }) => organisation.id === id),
      )
    },
  }
}

async function agentAsk(
  { agentClients, publicAddress }: Parts,
  params: URLSearchParams,
): Promise<AgentAskView> {
  const client = await agentClients.agentClient(params.get('client_id') ?? '')
  const asked = readAsk(params, client, (resource) => isAgentResource(publicAddress, resource))
  if (asked.kind === 'stopped') return asked
  const iss = agentIssuer(publicAddress, params.get('resource'))
  const back = (error: string, { redirectUri, state }: { redirectUri: string; state: string | null }) =>
    answerAddress(redirectUri, { error, state, iss })
  if (asked.kind === 'asks') {
    const { ask } = asked
    return { ...asked, place: redirectPlace(ask.redirectUri), deniedAddress: back('access_denied', ask) }
  }
  const { message, error, redirectUri } = asked
  return { kind: 'wrong', message, place: redirectPlace(redirectUri), address: back(error, asked) }
}
