/** Branded ids: a number or string that says what it identifies, so that two of them cannot be swapped. */
import { DAY_MS } from './durations.ts'

declare const brand: unique symbol
type Branded<T, Name extends string> = T & { readonly [brand]: Name }

export type OrgId = Branded<number, 'OrgId'>
export type ProjectId = Branded<number, 'ProjectId'>
export type TeamId = Branded<number, 'TeamId'>
export type KeyId = Branded<number, 'KeyId'>
export type UserId = Branded<number, 'UserId'>
export type TokenId = Branded<number, 'TokenId'>
export type SessionId = Branded<number, 'SessionId'>
export type IssueId = Branded<number, 'IssueId'>

/** 32 lower-case hex characters, no dashes. */
export type EventId = Branded<string, 'EventId'>
/** 32 lower-case hex characters: the hash of what makes events the same, unique within its project. */
export type GroupHash = Branded<string, 'GroupHash'>
/** The number an error page shows, as text: 1 to 20 decimal digits (a suffix such as `@E394` is removed). */
export type Digest = Branded<string, 'Digest'>
/** Position of an envelope in the journal: monotone, starts at 1, kept as u64 on disk, below 2^53 in memory. */
export type Seq = Branded<number, 'Seq'>
/** Days since 1970-01-01 UTC, of receipt. */
export type Day = Branded<number, 'Day'>

// The one place where a plain value becomes an id: each call site has checked the value or read it from a store.
export const orgId = (value: number): OrgId => value as OrgId
export const projectId = (value: number): ProjectId => value as ProjectId
export const teamId = (value: number): TeamId => value as TeamId
export const keyId = (value: number): KeyId => value as KeyId
export const userId = (value: number): UserId => value as UserId
export const tokenId = (value: number): TokenId => value as TokenId
export const sessionId = (value: number): SessionId => value as SessionId
export const issueId = (value: number): IssueId => value as IssueId
/** Casts text known to be an event id. */
export const eventId = (value: string): EventId => value as EventId
export const groupHash = (value: string): GroupHash => value as GroupHash
export const digest = (value: string): Digest => value as Digest
export const seq = (value: number): Seq => value as Seq
export const day = (value: number): Day => value as Day

const EVENT_ID = /^[0-9a-f]{32}$/
const NIL_EVENT_ID = '0'.repeat(32)

/** Reads 32 hex characters, dashed or not, in any case; the nil id and anything else give `null`. */
export function readEventId(value: unknown): EventId | null {
  if (typeof value !== 'string' || value.length > 36) return null
  const plain = value.replaceAll('-', '').toLowerCase()
  return EVENT_ID.test(plain) && plain !== NIL_EVENT_ID ? (plain as EventId) : null
}

/** The day (UTC) that a time in milliseconds since 1970 falls on. */
export function dayOf(timeMs: number): Day {
  return day(Math.floor(timeMs / DAY_MS))
}

/** First millisecond of a day. */
export function dayStartMs(value: Day): number {
  return value * DAY_MS
}
