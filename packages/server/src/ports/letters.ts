/**
 * Letters: mails to one person. They carry a link to choose a new password or to join an organisation, tell a follower
 * what somebody did to an issue, or tell of a sign-in. They wait for the same loop as notices and are claimed, tried again
 * and settled by the same rules. A link's code is made when its
 * letter is sent: of codes only hashes are kept.
 *
 *     waiting ──claim──▶ sending ──open──▶ (the link works) ──settle──▶ sent | failed | waiting (again, later)
 *
 * A reset is queued for an address whether anybody has it or not; one that nobody has goes when it is claimed. So
 * whoever asks can tell neither by the answer nor by its time.
 */
import type { Role } from './accounts.ts'
import type { Activity, ActivityKind, Issue } from './issues.ts'

export interface ClaimedLetter {
  readonly id: number
  /** The same for every try. */
  readonly key: string
  readonly lease: string
  /** This one included. */
  readonly tries: number
  readonly to: { readonly email: string; readonly name: string }
  readonly expiresMs: number
  /** Device and address of the sign-in, in a letter about a new device. */
  readonly signIn: { readonly device: string; readonly address: string | null } | null
  /** `null`: a reset, or what tells of a sign-in. */
  readonly invitation: {
    readonly organisation: string
    readonly role: Role
    /** Whoever sent it, as they are called. */
    readonly by: string
  } | null
  /** `null`: a reset or an invitation. What there is to tell is read when it is sent. */
  readonly telling: IssueTelling | null
  /** Lines that waited for the end of the receiver's quiet hours; `null`: another sort of letter. */
  readonly held: HeldLines | null
}

/** Lines that a person gets after their quiet hours: of what they may read still, oldest first. */
export interface HeldLines {
  readonly lines: readonly HeldLine[]
  /** All of them, counted up to a bound. */
  readonly total: number
}

/** Line of that email. Texts come from people and hostile payloads, and are bounded. */
export interface HeldLine {
  /** Slug. */
  readonly organisation: string
  readonly issue: Pick<Issue, 'shortId' | 'title'> | null
  /** `null` of an alert. */
  readonly telling: IssueTelling | null
  /** Headline of an alert; empty for a change. */
  readonly headline: string
  readonly ruleId: number | null
}

/**
 * A change that followers of an issue are told. Texts come from people and hostile payloads, and are bounded.
 */
export interface IssueTelling {
  readonly organisation: string
  readonly issue: Pick<Issue, 'shortId' | 'title'>
  readonly kind: ActivityKind
  readonly detail: Activity['detail']
  /** Whoever did it, as they are called. */
  readonly by: string
  /** It names the receiver. */
  readonly isMention: boolean
  /** It is the receiver who was assigned. */
  readonly isToReceiver: boolean
}

/** Each method is one transaction. */
export interface Letters {
  /** From now on the link with this code works. False, and nothing changed, when the lease is another's by now. */
  openLetter(letter: Pick<ClaimedLetter, 'id' | 'lease'>, codeHash: string, nowMs: number): Promise<boolean>
}
