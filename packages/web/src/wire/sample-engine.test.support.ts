/** Engine for the wire's tests: who is signed in, and a record of reports. */
import type { Permission, PersonViewer } from '@errata/server/access'
import {
  type Engine,
  PublicAddress,
  type SelfFailure,
  type SelfRequest,
  type SelfTarget,
} from '@errata/server/http'
import { orgId, projectId, sessionId, userId } from '@errata/server/ids'
import type { ReadScope } from '@errata/server/queries'

export const SAMPLE_URL = 'http://errata.test'
/** Value of the cookie that signs in. */
export const SAMPLE_SESSION = 'session-of-ada'

export interface SampleEngine {
  readonly engine: Engine
  readonly reported: SelfFailure[]
  readonly traced: SelfRequest[]
}

export interface SampleOptions {
  /** `null`: none was set. */
  readonly url?: string | null
  readonly permissions?: readonly Permission[]
  readonly isOperator?: boolean
  readonly selfTarget?: SelfTarget
  /** Makes the session store fail. */
  readonly brokenSessions?: true
}

function sampleViewer(options: SampleOptions = {}): PersonViewer {
  const organisation = { id: orgId(1), slug: 'acme', name: 'Acme', createdMs: 0 }
  return {
    kind: 'person',
    user: {
      id: userId(1),
      email: 'ada@example.com',
      name: 'Ada',
      isOperator: options.isOperator ?? false,
      theme: 'dark',
      landing: 'overview',
      orgIdLast: null,
      createdMs: 0,
    },
    session: {
      id: sessionId(1),
      userId: userId(1),
      createdMs: 0,
      seenMs: 0,
      confirmedMs: 0,
      ...{ address: null, userAgent: null },
    },
    memberships: [
      {
        ...{ organisation, role: 'owner', teams: [], projects: [projectId(7)] },
        ...{ leads: { teams: [], projects: [] }, requiresSecondFactor: false },
      },
    ],
    closed: [],
  }
}

/** An engine in which `SAMPLE_SESSION` is Ada's, member of `acme`. Everything else it has fails when used. */
export function sampleEngine(options: SampleOptions = {}): SampleEngine {
  const reported: SelfFailure[] = []
  const traced: SelfRequest[] = []
  const viewer = sampleViewer(options)
  const scope = { orgId: orgId(1), orgSlug: 'acme', projects: [projectId(7)] } as unknown as ReadScope // access alone can build one
  const engine: Partial<Engine> = {
    publicAddress: new PublicAddress({ url: options.url === undefined ? SAMPLE_URL : options.url, port: 0 }),
    access: {
      authenticateSession: async (cookie) => {
        if (options.brokenSessions === true) throw new Error('the control store is gone')
        return cookie === SAMPLE_SESSION ? viewer : null
      },
      authenticateToken: async () => null,
      authenticateAgent: async () => null,
      scope: (_viewer, organisation) => (organisation === 'acme' ? scope : null),
      scopes: () => [scope],
      ownScope: () => (options.isOperator === true ? scope : null),
      can: (_viewer, _scope, permission) => (options.permissions ?? []).includes(permission),
      canSomewhere: (_viewer, _scope, permission) => (options.permissions ?? []).includes(permission),
    },
    selfTarget: () => options.selfTarget ?? null,
    report: (failure) => void reported.push(failure),
    trace: (request) => void traced.push(request),
  }
  return { engine: engine as Engine, reported, traced } // the parts that the wire itself uses
}
