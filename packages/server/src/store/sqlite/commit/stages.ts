/** All stages of a commit, in their order. */
import { WATCHES } from '../alerts/alert-counting.ts'
import { DIGESTS } from '../ingest/digests-of-batch.ts'
import { GROUPS, TAGS } from '../ingest/groups-of-batch.ts'
import { ISSUES, TEXTS } from '../ingest/issues-of-batch.ts'
import { FUNCTION_NAMES } from '../issues/function-names.ts'
import { FORMER_GROUPS, MIRROR_WAITS, MIRRORS } from '../issues/mirrors-of-batch.ts'
import { SPAN_ERRORS } from '../issues/span-errors.ts'
import { RETURNED } from '../notices/tellings.ts'
import { OWNERS } from '../ownership/owners-of-begun.ts'
import { SESSION_STAGE } from '../releases/health-write.ts'
import { RELEASES } from '../releases/seen-releases.ts'
import { REQUESTS } from '../requests/requests-of-batch.ts'
import { SKEW } from '../skew/counting.ts'
import { asStep, type Step } from '../stage.ts'
import type { BatchAtHand, Told } from './batch-at-hand.ts'
import { ATTACHMENT_STAGE, FIRST_EVENTS, KEYS, OUTCOME_STAGE, QUARANTINE } from './ledger.ts'

/** Each may use what those before it wrote and told. */
// biome-ignore lint/suspicious/noConfusingVoidType: most tell nothing
export const STAGES: readonly Step<BatchAtHand, Told | void>[] = [
  asStep(RELEASES),
  // Which issues there are, and what they are called.
  asStep(GROUPS),
  asStep(TAGS),
  asStep(DIGESTS),
  asStep(ISSUES),
  asStep(TEXTS),
  // Issues that become part of others; owners are given to those that begin in truth.
  asStep(FORMER_GROUPS),
  asStep(OWNERS),
  asStep(MIRRORS),
  asStep(SPAN_ERRORS),
  SKEW,
  asStep(RETURNED),
  // Figures, and what they say of issues.
  asStep(REQUESTS),
  asStep(MIRROR_WAITS),
  asStep(FUNCTION_NAMES),
  asStep(WATCHES),
  asStep(SESSION_STAGE),
  // What is noted beside issues and figures.
  asStep(FIRST_EVENTS),
  asStep(OUTCOME_STAGE),
  asStep(ATTACHMENT_STAGE),
  asStep(KEYS),
  asStep(QUARANTINE),
]
