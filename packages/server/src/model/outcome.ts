/**
 * Outcome of an item. Nothing disappears uncounted: whoever leaves an item out returns one. Sources of the
 * names: docs/wire.md, sections "Categories" and "Client reports".
 */
import type { KeyId, ProjectId } from '#base/ids.ts'

/**
 * The web API's list, which calls `unsupported` `invalid` (http/api/stats.ts); no item gets `abuse`. `unsupported`: nothing is wrong with the item, this version has no store for its kind.
 */
export const OUTCOME_NAMES = [
  'accepted',
  'unsupported',
  'filtered',
  'rate_limited',
  'invalid',
  'abuse',
  'client_discard',
  'cardinality_limited',
] as const
export type OutcomeName = (typeof OUTCOME_NAMES)[number]

/** True if an item is missing that this version could have stored: what stored shares and warnings go by. */
export function isLeftOut(outcome: OutcomeName): boolean {
  return outcome !== 'accepted' && outcome !== 'unsupported'
}

/** Why an item was not stored; `null` for what was accepted. SDK reasons of `client_discard` are any token. */
export type OutcomeReason = string

/** Reasons Errata itself gives, each with what happened and the next step, as /outcomes shows them. */
export const REASONS: Readonly<Record<string, { readonly what: string; readonly next: string }>> = {
  unsupported_kind: {
    what: 'this version stores no items of this kind',
    next: 'Nothing to do; the SDK can be configured not to send it',
  },
  duplicate: {
    what: 'an event id already stored within 7 days',
    next: 'Nothing to do: the SDK sent it twice',
  },
  invalid_json: { what: 'the item is not JSON', next: 'Check the SDK or a proxy that changes bodies' },
  invalid_protobuf: {
    what: 'the body is not an OTLP message',
    next: 'Check the exporter, or a proxy that changes bodies',
  },
  media_type: {
    what: 'OTLP in a form that is neither protobuf nor JSON',
    next: 'Choose `http/protobuf` or `http/json` as the exporter’s protocol',
  },
  not_an_object: { what: 'the event is not a JSON object', next: 'Check the SDK' },
  no_release: {
    what: 'the session names no release, or an invalid one',
    next: 'Set `release` in the SDK',
  },
  no_spans: {
    what: 'an OpenTelemetry export in which no spans were found',
    next: 'Check the version of the exporter: its fields are not known',
  },
  missing_ids: {
    what: 'a span or transaction without a trace id or a span id',
    next: 'Check the exporter or SDK',
  },
  no_sessions: { what: 'the item contains no sessions', next: 'Nothing to do' },
  invalid_time: {
    what: 'the session’s start is not a time, or too far in the past or future',
    next: 'Check the clock of the machine that sent it',
  },
  too_many_releases: {
    what: 'more releases and environments had sessions in an hour than are counted separately',
    next: 'Give builds of one version one release name',
  },
  too_many_sessions: {
    what: 'more sessions were open or ended recently than are tracked',
    next: 'Send sessions of fewer users',
  },
  too_deep: { what: 'the JSON is nested beyond the limit', next: 'Look at the extra data the app attaches' },
  too_large: { what: 'the item or body exceeds a limit', next: 'Attach less; see the limits' },
  invalid_envelope: {
    what: 'the envelope is malformed',
    next: 'Check the SDK or a proxy that changes bodies',
  },
  invalid_encoding: {
    what: 'the body could not be decompressed',
    next: 'Check proxies between the app and Errata',
  },
  broken_off: {
    what: 'the connection ended before the body was complete',
    next: 'Check the network and proxies between the app and Errata',
  },
  malformed_dsn: {
    what: 'the project or the key of the address is not well-formed',
    next: 'Copy the DSN from the project settings',
  },
  missing_key: { what: 'no key was sent', next: 'Check the DSN' },
  unknown_key: {
    what: 'the key is unknown or disabled',
    next: 'Check the DSN; a disabled key can be enabled',
  },
  dsn_mismatch: { what: 'the DSN in the envelope names another project or key', next: 'Use one DSN' },
  origin: { what: 'the origin is not an allowed domain', next: 'Add the domain in the project settings' },
  cors: { what: 'the origin is not an allowed domain', next: 'Add the domain in the project settings' },
  'browser-extensions': {
    what: 'an extension in the visitor’s browser failed, not the page',
    next: 'Nothing to do: the project filters them',
  },
  localhost: { what: 'an event of a local machine', next: 'Nothing to do: the project filters them' },
  'web-crawlers': { what: 'a crawler’s user agent', next: 'Nothing to do: the project filters them' },
  control_flow: {
    what: 'a redirect, “not found” or other control flow of the framework, not a failure',
    next: 'Nothing to do; the project settings can turn this filter off',
  },
  aborted: {
    what: 'a request or navigation that the visitor or the page itself ended',
    next: 'Nothing to do; the project settings can turn this filter off',
  },
  'release-version': {
    what: 'the project filters this release',
    next: 'See the patterns in the settings',
  },
  'error-message': {
    what: 'the project filters this message',
    next: 'See the patterns in the settings',
  },
  'ip-address': {
    what: 'the project filters this client address',
    next: 'See the list in the settings',
  },
  spike_protection: {
    what: 'a spike beyond the project’s usual volume, capped until the next hour',
    next: 'Find what fails so often; the cap is in the project settings',
  },
  key_limit: { what: 'the key’s rate limit was reached', next: 'Raise the limit of the key' },
  project_limit: { what: 'the project’s rate limit was reached', next: 'Raise the limit of the project' },
  attachment_quota: {
    what: 'the project’s daily size of attachments was reached',
    next: 'Raise the daily size of attachments in the project’s retention settings',
  },
  attachments_off: {
    what: 'the project keeps no attachments',
    next: 'Nothing to do, or turn them on in the project’s retention settings',
  },
  too_many_attachments: {
    what: 'an envelope held more attachments than allowed',
    next: 'Attach fewer files to one event',
  },
  relay_limit: { what: 'one address sent more than the relay allows', next: 'Check who sends so much' },
  overloaded: { what: 'the disk refused, or too much was sent at once', next: 'See /system' },
  decompression: {
    what: 'one address sent too many bodies that decompress to more than the limit',
    next: 'Check who sends so much; it is refused for a minute',
  },
  overload_backlog: {
    what: 'more was sent than can be processed, and this key sent the most; beyond the hard limit, all keys wait',
    next: 'See /system; send less, or give Errata a faster machine',
  },
  overload_memory: {
    what: 'memory ran short, and this key sent the most; beyond the hard limit, all keys wait',
    next: 'See /system; give Errata more memory',
  },
  overload_disk: {
    what: 'the disk was nearly full, and this key sent the most; beyond the hard limit, all keys wait',
    next: 'See /system; free disk, or keep events for fewer days',
  },
  journal_damaged: {
    what: 'part of the journal failed its checksum; which projects it belonged to is unknown',
    next: 'Check the disk; see the log and /system',
  },
  quarantined: { what: 'processing failed three times', next: 'The operator can download it from /system' },
  other: { what: 'more kinds of refusal than are counted separately', next: 'See the log' },
}

export interface Outcome {
  readonly outcome: OutcomeName
  readonly reason: OutcomeReason | null
  /** Data category such as `error`, `transaction`, `span`, `session`, `attachment`. */
  readonly category: string
  readonly quantity: number
  /** Example in words, shortened, never payload text. */
  readonly example?: string
}

/** An outcome with the project it belongs to and when it happened (milliseconds, time of receipt). */
export interface CountedOutcome extends Outcome {
  /** `null` when no existing project was named: counted for the installation, shown on /system. */
  readonly projectId: ProjectId | null
  readonly keyId: KeyId | null
  /** 0 where nobody knows: it is counted when it is stored. */
  readonly atMs: number
}
