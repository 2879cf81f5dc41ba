import { accountsContract } from '#testing/contract/control/accounts-contract.ts'
import { actionFiguresContract } from '#testing/contract/control/action-figures-contract.ts'
import { agentClientsContract } from '#testing/contract/control/agent-clients-contract.ts'
import { alertConcernsContract } from '#testing/contract/control/alert-concerns-contract.ts'
import { alertMeaningsContract } from '#testing/contract/control/alert-meanings-contract.ts'
import { alertMessagesContract } from '#testing/contract/control/alert-messages-contract.ts'
import { alertMetricsContract } from '#testing/contract/control/alert-metrics-contract.ts'
import { alertOnceContract } from '#testing/contract/control/alert-once-contract.ts'
import { alertRulesContract } from '#testing/contract/control/alert-rules-contract.ts'
import { auditContract } from '#testing/contract/control/audit-contract.ts'
import { deliveryLogContract } from '#testing/contract/control/delivery-log-contract.ts'
import { environmentsContract } from '#testing/contract/control/environments-contract.ts'
import { failedBatchContract } from '#testing/contract/control/failed-batch-contract.ts'
import { flagsContract } from '#testing/contract/control/flags-contract.ts'
import { groupingContract } from '#testing/contract/control/grouping-contract.ts'
import { guestsContract } from '#testing/contract/control/guests-contract.ts'
import { healthContract } from '#testing/contract/control/health-contract.ts'
import { inboxContract } from '#testing/contract/control/inbox-contract.ts'
import { ingestContract } from '#testing/contract/control/ingest-contract.ts'
import { issueBesideContract } from '#testing/contract/control/issue-beside-contract.ts'
import { issueChoicesContract } from '#testing/contract/control/issue-choices-contract.ts'
import { issueListContract } from '#testing/contract/control/issue-list-contract.ts'
import { issuePeopleContract } from '#testing/contract/control/issue-people-contract.ts'
import { issueSearchContract } from '#testing/contract/control/issue-search-contract.ts'
import { issueTotalsContract } from '#testing/contract/control/issue-totals-contract.ts'
import { issueTriageContract } from '#testing/contract/control/issue-triage-contract.ts'
import { issuesContract } from '#testing/contract/control/issues-contract.ts'
import { jobsContract } from '#testing/contract/control/jobs-contract.ts'
import { joiningContract } from '#testing/contract/control/joining-contract.ts'
import { knownRoutesContract } from '#testing/contract/control/known-routes-contract.ts'
import { lettersContract } from '#testing/contract/control/letters-contract.ts'
import { mergeUndoContract } from '#testing/contract/control/merge-undo-contract.ts'
import { mirroredPeopleContract } from '#testing/contract/control/mirrored-people-contract.ts'
import { mirrorsContract } from '#testing/contract/control/mirrors-contract.ts'
import { noticeLogContract } from '#testing/contract/control/notice-log-contract.ts'
import { noticeTestsContract } from '#testing/contract/control/notice-tests-contract.ts'
import { noticesContract } from '#testing/contract/control/notices-contract.ts'
import { openControlStores } from '#testing/contract/control/open.ts'
import { outboxContract } from '#testing/contract/control/outbox-contract.ts'
import { outcomesContract } from '#testing/contract/control/outcomes-contract.ts'
import { ownershipContract } from '#testing/contract/control/ownership-contract.ts'
import { projectsContract } from '#testing/contract/control/projects-contract.ts'
import { releasePartsContract } from '#testing/contract/control/release-parts-contract.ts'
import { releasesContract } from '#testing/contract/control/releases-contract.ts'
import { requestCountsContract } from '#testing/contract/control/request-counts-contract.ts'
import { requestsContract } from '#testing/contract/control/requests-contract.ts'
import { scopeContract } from '#testing/contract/control/scope-contract.ts'
import { searchesContract } from '#testing/contract/control/searches-contract.ts'
import { secondFactorsContract } from '#testing/contract/control/second-factors-contract.ts'
import { segmentHintsContract } from '#testing/contract/control/segment-hints-contract.ts'
import { setupContract } from '#testing/contract/control/setup-contract.ts'
import { signedInContract } from '#testing/contract/control/signed-in-contract.ts'
import { singleSignOnContract } from '#testing/contract/control/single-sign-on-contract.ts'
import { skewContract } from '#testing/contract/control/skew-contract.ts'
import { spanCostsContract } from '#testing/contract/control/span-costs-contract.ts'
import { toldTwiceContract } from '#testing/contract/control/told-twice-contract.ts'
import { trackersContract } from '#testing/contract/control/trackers-contract.ts'
import { transactionsContract } from '#testing/contract/control/transactions-contract.ts'
import { upkeepContract } from '#testing/contract/control/upkeep-contract.ts'
import { waitingVitalsContract } from '#testing/contract/control/waiting-vitals-contract.ts'

setupContract(openControlStores)
accountsContract(openControlStores)
signedInContract(openControlStores)
agentClientsContract(openControlStores)
secondFactorsContract(openControlStores)
guestsContract(openControlStores)
auditContract(openControlStores)
projectsContract(openControlStores)
alertMessagesContract(openControlStores)
alertConcernsContract(openControlStores)
alertMeaningsContract(openControlStores)
alertOnceContract(openControlStores)
alertRulesContract(openControlStores)
alertMetricsContract(openControlStores)
deliveryLogContract(openControlStores)
environmentsContract(openControlStores)
flagsContract(openControlStores)
healthContract(openControlStores)
inboxContract(openControlStores)
ingestContract(openControlStores)
failedBatchContract(openControlStores)
issueBesideContract(openControlStores)
issueTotalsContract(openControlStores)
issueListContract(openControlStores)
issuePeopleContract(openControlStores)
issueSearchContract(openControlStores)
issueChoicesContract(openControlStores)
searchesContract(openControlStores)
issuesContract(openControlStores)
issueTriageContract(openControlStores)
joiningContract(openControlStores)
jobsContract(openControlStores)
lettersContract(openControlStores)
mirroredPeopleContract(openControlStores)
mirrorsContract(openControlStores)
groupingContract(openControlStores)
mergeUndoContract(openControlStores)
noticesContract(openControlStores)
noticeLogContract(openControlStores)
noticeTestsContract(openControlStores)
outcomesContract(openControlStores)
outboxContract(openControlStores)
ownershipContract(openControlStores)
releasePartsContract(openControlStores)
releasesContract(openControlStores)
requestCountsContract(openControlStores)
requestsContract(openControlStores)
spanCostsContract(openControlStores)
actionFiguresContract(openControlStores)
segmentHintsContract(openControlStores)
waitingVitalsContract(openControlStores)
knownRoutesContract(openControlStores)
toldTwiceContract(openControlStores)
skewContract(openControlStores)
scopeContract(openControlStores)
transactionsContract(openControlStores)
upkeepContract(openControlStores)
singleSignOnContract(openControlStores)
trackersContract(openControlStores)
