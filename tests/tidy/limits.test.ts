/** Limits bound something: each stands in one area, and something that runs reads it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LIMIT_AREAS, LIMITS, type LimitName } from '../../packages/server/src/limits/limits.ts'
import { sourceFiles } from './sources.ts'

/** Bounds of everything that the control store's writers make for people. */
const BOUNDS_OF: Readonly<Record<string, readonly LimitName[]>> = {
  // Once: refused as soon as there is an owner.
  createFirstOwner: [],
  // The newest link of an account replaces the one before.
  createPasswordReset: [],
  createReset: ['lettersWaitingMax', 'resetsPerAccount'],
  createDeviceLetter: ['devicesPerPersonMax', 'lettersWaitingMax'],
  createOrganisation: ['organisationsMax'],
  createSession: ['sessionsPerUserMax'],
  invite: ['membersPerOrgMax', 'invitationsPerPersonMax'],
  createTeam: ['teamsPerOrgMax'],
  putDirectoryGroup: ['teamsPerOrgMax'],
  createToken: ['tokensPerOrgMax', 'tokensPerPersonMax'],
  createProject: ['projectsPerOrgMax'],
  createKey: ['keysPerProjectMax'],
  commentIssue: ['commentsPerIssueMax', 'mentionsPerCommentMax'],
  // One link an issue.
  shareIssue: [],
  createSearch: ['searchesPerPersonMax', 'searchesSharedMax'],
  createRule: ['alertRulesPerOrgMax'],
  createChannel: ['channelsPerOrgMax'],
  createTracker: ['trackersPerOrgMax'],
  createTrackerIssue: ['trackerLinksPerIssueMax'],
  linkTrackerIssue: ['trackerLinksPerIssueMax'],
  linkSlack: ['slackLinksPerPersonMax'],
  addPasskey: ['passkeysPerPersonMax'],
  registerAgentClient: ['agentClientsMax', 'agentClientsPerAddress'],
  connectAgent: ['agentConnectionsPerPersonMax'],
  putDirectoryUser: ['membersPerOrgMax', 'directoryUsersPerOrgMax'],
  createRelease: ['releasesPerProjectMax', 'releasesPerOrgMax'],
  putRelease: ['releasesPerProjectMax', 'releasesPerOrgMax'],
  addDeploy: ['deploysPerReleaseMax'],
  putChunks: ['chunksWaitingMax', 'chunkBytesWaitingMax'],
  putReleaseFile: ['bundlesPerOrgDefault', 'artifactBytesPerOrgDefault'],
  putDebugFile: ['bundlesPerOrgDefault', 'artifactBytesPerOrgDefault'],
  addBundle: ['bundlesPerOrgDefault', 'artifactBytesPerOrgDefault'],
  addProjects: ['uploadProjectsMax'],
  addFailure: ['failedUploadsMax'],
}

/** Ports whose writers are called for people and their programs. Others are called for telemetry. */
const PORTS = new RegExp(
  `^packages/server/src/(?:artifacts/artifact-work|ports/(?:${[
    ...['accounts', 'agent-clients', 'alerts', 'artifacts', 'channels', 'issue-people', 'issue-shares'],
    ...[
      'issues',
      'letters',
      'projects',
      'releases',
      'searches',
      'second-factors',
      'single-sign-on',
      'trackers',
    ],
  ].join('|')}))\\.ts$`,
)
const MAKES = /^ {2}((?:create|add|put|register|connect|share|link)[A-Z]\w+)\(/gm
/** As `MAKES`, of what runs by its name. */
const COMMANDS =
  /^export const (invite|(?:create|add|put|register|connect|share|link|comment)[A-Z]\w+) = (?:preparedC|c)ommand\(/gm
/** The same of changes that no role is asked for. */
const OWN_CHANGES =
  /^export async function ((?:create|add|put|register|connect|share|link)[A-Z]\w+)\(\s*tx: Tx,/gm

describe('the limits', () => {
  it('stand in one area each', () => {
    const inAreas = Object.values(LIMIT_AREAS).flatMap((area) => Object.keys(area))
    assert.deepEqual(inAreas, Object.keys(LIMITS))
  })

  it('bound whatever people make', () => {
    const named = (files: RegExp, makes: RegExp) =>
      sourceFiles()
        .filter(({ path }) => files.test(path))
        .flatMap(({ text }) => [...text.matchAll(makes)].map(([, name = '']) => name))
    const commands = /^packages\/server\/src\/commands\//
    const made = [...named(PORTS, MAKES), ...named(commands, COMMANDS), ...named(commands, OWN_CHANGES)]
    assert.deepEqual(made.toSorted(), Object.keys(BOUNDS_OF).toSorted())
    const known = new Set(Object.keys(LIMITS))
    const unknown = Object.values(BOUNDS_OF)
      .flat()
      .filter((name) => !known.has(name))
    assert.deepEqual(unknown, [])
  })

  it('are read by what runs', () => {
    const product = sourceFiles().filter(
      ({ path }) => /^packages\/[^/]+\/src\//.test(path) && !path.includes('.test.'),
    )
    const unread = Object.keys(LIMITS).filter(
      (name) => !product.some(({ text }) => text.includes(`'${name}'`)),
    )
    assert.deepEqual(unread, [])
  })
})
