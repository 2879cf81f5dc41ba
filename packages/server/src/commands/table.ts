/** Every command that runs by its name. */
import { changeRule, createRule, deleteRule, muteRule, setQuietHours, testRule } from './alerts.ts'
import { setArtifactQuota } from './artifact-quota.ts'
import { deleteAttachment } from './attachments.ts'
import { changeChannel, createChannel, deleteChannel } from './channel-set-up.ts'
import { putDirectoryGroup, removeDirectoryGroup } from './directory.ts'
import { putDirectoryUser, removeDirectoryUser } from './directory-people.ts'
import { hideEnvironment, moveEnvironment, orderEnvironments } from './environments.ts'
import { tellFlagChanges } from './flags.ts'
import { changeInvitation, invite, renewInvitation, revokeInvitation } from './invitations.ts'
import { keepMirrorsApart, mergeIssues, undoMerges, unmergeIssue } from './issue-grouping.ts'
import {
  bookmarkIssues,
  commentIssue,
  deleteComment,
  editComment,
  muteIssue,
  subscribeToIssues,
} from './issue-people.ts'
import { shareIssue, unshareIssue } from './issue-sharing.ts'
import {
  archiveIssues,
  assignIssues,
  deleteIssues,
  prioritiseIssues,
  resolveIssues,
  undoChoices,
  undoIssues,
  unresolveIssues,
} from './issues.ts'
import { removeMember, setRole } from './members.ts'
import { removeWebhook, renewWebhookSecret, setNotices, setWebhook } from './notice-settings.ts'
import { renameOrganisation, requireSecondFactor, setRoleDefault } from './organisation-settings.ts'
import { setOwnership } from './ownership.ts'
import { createKey, deleteKey, rotateKey, updateKey } from './project-keys.ts'
import { createProject, deleteProject, updateProject } from './projects.ts'
import { proveDomain, removeProvider, saveProvider } from './provider-changes.ts'
import { addDeploy, changeRelease, createRelease, deleteRelease } from './releases.ts'
import { changeSearch, createSearch, deleteSearch, setListPreferences } from './searches.ts'
import { sendIssue, sendMessageAgain } from './sent-issues.ts'
import { setTeamChannel } from './team-channels.ts'
import { createTeam, deleteTeam, setTeam } from './teams.ts'
import {
  changeTracker,
  createTracker,
  createTrackerIssue,
  deleteTracker,
  linkTrackerIssue,
  unlinkTrackerIssue,
} from './trackers.ts'

export const COMMANDS = {
  deleteAttachment,
  ...{ createRelease, changeRelease, addDeploy, deleteRelease, tellFlagChanges },
  ...{ createRule, changeRule, deleteRule, muteRule, testRule, setQuietHours },
  ...{ createChannel, changeChannel, deleteChannel },
  ...{ resolveIssues, unresolveIssues, undoIssues, archiveIssues, assignIssues, prioritiseIssues },
  ...{ undoChoices, deleteIssues, mergeIssues, undoMerges, unmergeIssue, keepMirrorsApart },
  ...{ commentIssue, editComment, deleteComment, subscribeToIssues, bookmarkIssues },
  ...{ shareIssue, unshareIssue },
  ...{ hideEnvironment, moveEnvironment, orderEnvironments },
  ...{ createProject, updateProject, deleteProject, setOwnership },
  ...{ createKey, updateKey, rotateKey, deleteKey },
  ...{ createTeam, setTeam, deleteTeam, putDirectoryGroup, removeDirectoryGroup },
  ...{ setRole, removeMember, renameOrganisation, setRoleDefault },
  ...{ requireSecondFactor, setArtifactQuota },
  ...{ putDirectoryUser, removeDirectoryUser, saveProvider, removeProvider, proveDomain },
  ...{ invite, renewInvitation, revokeInvitation, changeInvitation },
  ...{ muteIssue, setTeamChannel, sendIssue, sendMessageAgain },
  ...{ setNotices, setWebhook, renewWebhookSecret, removeWebhook },
  ...{ createSearch, changeSearch, deleteSearch, setListPreferences },
  ...{
    createTracker,
    changeTracker,
    deleteTracker,
    createTrackerIssue,
    linkTrackerIssue,
    unlinkTrackerIssue,
  },
}

type Table = typeof COMMANDS
export type CommandName = keyof Table
export type GivenOf<N extends CommandName> = Parameters<Table[N]['input']>[0]
export type PreparedOf<N extends CommandName> = Parameters<Table[N]['change']>[1]
type ResultOf<N extends CommandName> = Awaited<ReturnType<Table[N]['change']>>
export type ValueOf<N extends CommandName> = Extract<ResultOf<N>, { readonly ok: true }>['value']
