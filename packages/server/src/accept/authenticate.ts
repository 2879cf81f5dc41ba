/** Authenticates senders: the matrix of docs/wire.md, section "Authentication". */
import { type Auth, type AuthAnswer, type Dsn, isPublicKey, parseDsn, readAuth } from '@errata/protocol'
import type { ErrorCode } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import { hasNumber, withoutLeadingZeros } from '#ports/projects.ts'
import { isAllowedOrigin } from './allowed-domains.ts'
import type { Authenticated, DirectoryIndex, Sender } from './directory-index.ts'
import { authMissing, dsnMismatch, envelopeInvalid, keyUnknown, Refused, type RefusedFor } from './refusal.ts'
import type { AcceptRequest } from './types.ts'

const PROJECT = /^\d{1,20}$/

/** The project that the path names; `null` where it names none. @throws Refused for what is no number. */
export function readProject(projectRef: string | null): string | null {
  if (projectRef === null) return null
  if (PROJECT.test(projectRef)) return projectRef
  throw new Refused({
    code: 'project_malformed',
    detail: 'bad project path parameter',
    reason: 'malformed_dsn',
  })
}

/** Reads what a request says of its key; what an SDK sends with every envelope is read once. */
export class AuthReader {
  readonly #known = new Map<string, AuthAnswer>()

  read(request: AcceptRequest): AuthAnswer {
    const { sentryAuth, authorization, query } = request
    if (query.text === undefined) return readAuth(request)
    // No header can hold a line end; an empty one is not an absent one.
    const sent = `${query.text}\n${sentryAuth ?? '\r'}\n${authorization ?? '\r'}`
    const known = this.#known.get(sent)
    if (known !== undefined) return known
    const answer = readAuth(request)
    if (sent.length > max('requestMemoCharsMax')) return answer
    if (this.#known.size >= max('requestMemoMax')) this.#known.clear()
    this.#known.set(sent, answer)
    return answer
  }
}

/**
 * Authenticates by header or query. `null` when the request brings neither: then the envelope's own DSN may speak.
 * @throws Refused
 */
export function authenticateRequest(
  request: AcceptRequest,
  directory: DirectoryIndex,
  reader: AuthReader,
): Authenticated | null {
  const answer = reader.read(request)
  if (answer.ok) {
    return { sender: openSender(answer.auth.key, request, directory), client: answer.auth.client }
  }
  if (answer.reason === 'missing') return null
  const { code, detail, reason } = AUTH_REFUSALS[answer.reason]
  throw new Refused({ code, detail, reason })
}

/**
 * Authenticates by the DSN in the envelope's first line, as a tunnelled browser does. The DSN's host is not looked
 * at: tunnels and aliases change it, and nothing is ever sent there.
 * @throws Refused
 */
export function authenticateDsn(
  value: unknown,
  request: AcceptRequest,
  directory: DirectoryIndex,
): Authenticated {
  if (value === undefined || value === null) throw authMissing()
  const dsn = readDsn(value)
  if (!isPublicKey(dsn.publicKey)) {
    const { code, detail, reason } = AUTH_REFUSALS.bad_key
    throw new Refused({ code, detail, reason })
  }
  const project = readProject(request.projectRef)
  if (project !== null && withoutLeadingZeros(dsn.projectId) !== withoutLeadingZeros(project))
    throw dsnMismatch('project id')
  const sender = openSender(dsn.publicKey, request, directory)
  if (!hasNumber(sender.project, dsn.projectId))
    throw keyUnknown(`key ${senderText(sender)} of another project`)
  if (request.relay !== null) checkRelay(request.relay, sender)
  return { sender, client: null }
}

/** A DSN beside other authentication must name the same project and key. @throws Refused */
export function checkDsn(value: unknown, sender: Sender): void {
  if (value === undefined || value === null) return
  const dsn = readDsn(value)
  if (!hasNumber(sender.project, dsn.projectId)) throw dsnMismatch('project id')
  if (dsn.publicKey.toLowerCase() !== sender.key.public.toLowerCase()) throw dsnMismatch('public key')
}

const AUTH_REFUSALS = {
  malformed: { code: 'auth_malformed', detail: 'bad x-sentry-auth header', reason: 'missing_key' },
  multiple: {
    code: 'auth_multiple',
    detail: 'multiple authorization payloads detected',
    reason: 'missing_key',
  },
  bad_key: { code: 'key_malformed', detail: 'bad sentry DSN public key', reason: 'malformed_dsn' },
  bad_version: { code: 'bad_request', detail: 'unsupported protocol version', reason: 'malformed_dsn' },
} as const satisfies Readonly<
  Record<string, { readonly code: ErrorCode; readonly detail: string; readonly reason: string }>
>

/** The sender behind a key, if it may send here. */
function openSender(publicKey: Auth['key'], request: AcceptRequest, directory: DirectoryIndex): Sender {
  const sender = directory.sender(publicKey)
  const project = readProject(request.projectRef)
  if (sender === null) throw keyUnknown(`unknown key ${publicKey.slice(0, 8)}…`)
  if (project !== null && !hasNumber(sender.project, project))
    throw keyUnknown(`key ${senderText(sender)} of another project`)
  if (!sender.key.isActive) throw keyUnknown(`disabled key ${senderText(sender)}`, whose(sender))
  if (!isAllowedOrigin(request, sender.allowedDomains)) {
    throw new Refused({
      code: 'origin_refused',
      detail: 'event submission rejected with_reason: Cors',
      outcome: 'filtered',
      reason: 'cors',
      who: whose(sender),
    })
  }
  return sender
}

function readDsn(value: unknown): Dsn {
  const dsn = parseDsn(value)
  if (dsn === null) throw envelopeInvalid('invalid DSN in envelope header')
  return dsn
}

/** `o` and `p` name organisation and project by slug or id. */
function checkRelay(relay: NonNullable<AcceptRequest['relay']>, sender: Sender): void {
  const { organisation, project } = sender
  const isOrganisation =
    relay.organisation === organisation.slug || relay.organisation === String(organisation.id)
  const isProject = relay.project === project.slug || relay.project === String(project.id)
  if (isOrganisation && isProject) return
  // A number of where the project was before stands beside the organisation's of there, which nobody knows.
  if (hasNumber(project, relay.project) && !isProject) return
  // Numbers, not names: whoever has a key learns nothing of what it is called here.
  const address = `/monitoring?o=${organisation.id}&p=${project.id}`
  const isMissing = relay.organisation === '' || relay.project === ''
  throw new Refused({
    code: 'relay_mismatch',
    detail: isMissing
      ? `o and p are missing: write the tunnel as ${address}`
      : 'o and p do not name the project of the DSN',
    reason: 'dsn_mismatch',
    who: whose(sender),
  })
}

function whose({ project, key }: Sender): RefusedFor {
  return { projectId: project.id, keyId: key.id }
}

/** Enough of a key to recognise it in the settings. */
function senderText(sender: Sender): string {
  return `${sender.key.public.slice(0, 8)}…`
}
