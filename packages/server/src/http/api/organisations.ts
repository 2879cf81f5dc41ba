/** The installation and organisations. */
import * as v from 'valibot'
import { SCOPES } from '#access/permissions.ts'
import type { Viewer } from '#access/viewer.ts'
import { ARTIFACT_QUOTA_BODY } from '#commands/artifact-quota.ts'
import type { ArtifactQuotaView } from '#queries/uploads.ts'
import { ARTIFACT_QUOTA, ORGANISATION, REGIONS, SELF, VERSION } from './answers/organisation.ts'
import { type ApiRoute, answerOk, type OrgCall, orgRoute } from './call.ts'
import { PAGE, pageOf, readPage } from './pages.ts'
import { isNamed, NAMED_PARAMETER } from './params.ts'
import { picks } from './pick.ts'
import { grantedOrThrow } from './refusals.ts'
import { organisationShape, userShape } from './shape/organisation.ts'

const QUOTA = '/organizations/{org}/artifact-quota/'
/** Sentry's number of this API. */
const API_VERSION = '0'

export const ORGANISATION_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/',
    permission: 'anyone',
    what: 'version, scopes of the token, user',
    answer: VERSION,
    async run({ viewer }) {
      return answerOk({
        version: API_VERSION,
        auth: viewer === null ? null : { scopes: viewerScopes(viewer) },
        user: viewer === null || viewer.user === null ? null : userShape(viewer.user),
      })
    },
  },
  {
    method: 'GET',
    pattern: '/auth/',
    permission: 'signed-in',
    what: 'who the token or session is',
    answer: SELF,
    async run({ viewer }) {
      const user = viewer.user === null ? null : userShape(viewer.user)
      const self = user ?? tokenSelf(viewer)
      return answerOk({
        ...self,
        isAuthenticated: true,
        version: API_VERSION,
        scopes: viewerScopes(viewer),
        user,
      })
    },
  },
  {
    method: 'GET',
    pattern: '/users/me/regions/',
    permission: 'signed-in',
    what: 'this installation, as the one region that there is',
    answer: REGIONS,
    run: async ({ askedAt }) => answerOk({ regions: [{ name: 'errata', url: askedAt }] }),
  },
  {
    method: 'GET',
    pattern: '/organizations/',
    permission: 'signed-in',
    what: 'organisations of the viewer',
    query: [NAMED_PARAMETER, ...PAGE],
    answer: v.array(ORGANISATION),
    async run({ queries, viewer, url, askedAt }) {
      const query = NAMED_PARAMETER.read(url)
      const named = (await queries.organisations(viewer)).filter((one) => isNamed(one, query))
      const { rows, page } = pageOf(named, readPage(url))
      return answerOk(
        rows.map((organisation) => organisationShape(organisation, askedAt)),
        page,
      )
    },
  },
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/',
    permission: 'org.read',
    what: 'one organisation',
    answer: ORGANISATION,
    async run({ queries, scope, askedAt }) {
      return answerOk(organisationShape(await queries.organisation(scope), askedAt))
    },
  }),
  orgRoute({
    method: 'GET',
    pattern: QUOTA,
    permission: 'quota.write',
    what: 'how much of what build tools upload is kept, and what is used of it',
    answer: ARTIFACT_QUOTA,
    run: async (call) => answerOk(await quotaOf(call)),
  }),
  orgRoute({
    method: 'PUT',
    pattern: QUOTA,
    permission: 'quota.write',
    what: 'sets it; what is beyond it goes at once',
    body: ARTIFACT_QUOTA_BODY,
    answer: ARTIFACT_QUOTA,
    async run(call) {
      // `null` stands for the default elsewhere; here DELETE does.
      grantedOrThrow(await call.commands.run('setArtifactQuota', call, (await call.json()) ?? {}))
      return answerOk(await quotaOf(call))
    },
  }),
  orgRoute({
    method: 'DELETE',
    pattern: QUOTA,
    permission: 'quota.write',
    what: 'sets it to what it is by default',
    answer: ARTIFACT_QUOTA,
    async run(call) {
      grantedOrThrow(await call.commands.run('setArtifactQuota', call, null))
      return answerOk(await quotaOf(call))
    },
  }),
]

const quotaShape = picks(ARTIFACT_QUOTA).from<ArtifactQuotaView>({
  bundlesMax: ({ quota }) => quota.bundlesMax,
  bytesMax: ({ quota }) => quota.bytesMax,
  unusedDaysMax: ({ quota }) => quota.unusedDaysMax,
  used: ({ used: { bundles, bytes } }) => ({ bundles, bytes }),
})

async function quotaOf({ queries, scope }: OrgCall) {
  return quotaShape(await queries.artifactQuota(scope))
}

/** A session may do what its role may: it is bounded by no scopes. */
function viewerScopes(viewer: Viewer): readonly string[] {
  return viewer.kind === 'token' ? viewer.token.scopes : SCOPES
}

/** An organisation token is nobody; tools print what it is called. */
function tokenSelf(viewer: Viewer) {
  const name = viewer.kind === 'token' ? viewer.token.name : ''
  const id = viewer.kind === 'token' ? `token-${viewer.token.id}` : ''
  return { id, name, username: name, email: '' }
}
