/** All stages of a commit, in their order. */
import { WATCH_STAGE } from '../alerts/alert-counting.ts'
import { DIGEST_STAGE } from '../ingest/digests-of-batch.ts'
import { GROUP_STAGE, TAG_STAGE } from '../ingest/groups-of-batch.ts'
import { ISSUE_STAGE, TEXT_STAGE } from '../ingest/issues-of-batch.ts'
import { FUNCTION_NAME_STAGE } from '../issues/function-names.ts'
import { FORMER_GROUP_STAGE, MIRROR_STAGE, MIRROR_WAIT_STAGE } from '../issues/mirrors-of-batch.ts'
import { SPAN_ERROR_STAGE } from '../issues/span-errors.ts'
import { RETURN_STAGE } from '../notices/tellings.ts'
import { OWNER_STAGE } from '../ownership/owners-of-begun.ts'
import { SESSION_STAGE } from '../releases/health-write.ts'
import { RELEASE_STAGE } from '../releases/seen-releases.ts'
import { REQUEST_STAGE } from '../requests/requests-of-batch.ts'
import { SKEW_STEP } from '../skew/counting.ts'
import { asStep, asWritingStep, type StageStep } from '../stage.ts'
import type { BatchAtHand, Told } from './batch-at-hand.ts'
import { ATTACHMENT_STAGE, FIRST_EVENT_STAGE, KEY_STAGE, OUTCOME_STAGE, QUARANTINE_STAGE } from './ledger.ts'

/** Each may use what those before it wrote and told. */
// biome-ignore lint/suspicious/noConfusingVoidType: most tell nothing
export const STAGES: readonly StageStep<BatchAtHand, Told | void>[] = [
  asStep(RELEASE_STAGE),
  // Which issues there are, and what they are called.
  asStep(GROUP_STAGE),
  asWritingStep(TAG_STAGE),
  asWritingStep(DIGEST_STAGE),
  asStep(ISSUE_STAGE),
  asWritingStep(TEXT_STAGE),
  // Issues that become part of others; owners are given to those that begin in truth.
  asStep(FORMER_GROUP_STAGE),
  asStep(OWNER_STAGE),
  asStep(MIRROR_STAGE),
  asStep(SPAN_ERROR_STAGE),
  SKEW_STEP,
  asStep(RETURN_STAGE),
  // Figures, and what they say of issues.
  asWritingStep(REQUEST_STAGE),
  asWritingStep(MIRROR_WAIT_STAGE),
  asStep(FUNCTION_NAME_STAGE),
  asStep(WATCH_STAGE),
  asStep(SESSION_STAGE),
  // What is noted beside issues and figures.
  asWritingStep(FIRST_EVENT_STAGE),
  asStep(OUTCOME_STAGE),
  asWritingStep(ATTACHMENT_STAGE),
  asWritingStep(KEY_STAGE),
  asWritingStep(QUARANTINE_STAGE),
]
