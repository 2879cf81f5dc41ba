/** Fingerprint rules of a project before they are saved; they are set with the project's options. */
import * as v from 'valibot'
import { max } from '#limits/limits.ts'
import type { GroupingPreview } from '#queries/types.ts'
import { GROUPING_PREVIEW } from './answers/organisation.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerOk, orgRoute } from './call.ts'
import { picks } from './pick.ts'
import { existing } from './refusals.ts'

const CHARS_MAX = max('groupingRulesCharsMax')
const PREVIEW = v.strictObject({
  fingerprintingRules: v.pipe(
    v.string('Rules must be text, one a line.'),
    v.maxLength(CHARS_MAX, `At most ${CHARS_MAX} characters.`),
  ),
})

export const GROUPING_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'POST',
    pattern: '/projects/{org}/{project}/fingerprinting-preview/',
    permission: 'project.write',
    what: 'what fingerprint rules would change of the newest events; changes nothing',
    body: PREVIEW,
    answer: GROUPING_PREVIEW,
    async run(call) {
      const project = call.params.project ?? ''
      const { fingerprintingRules: rules } = readBody(PREVIEW, await call.json())
      const preview = () => call.queries.groupingPreview(call.scope, { project, rules })
      return answerOk(
        previewShape(existing(await (call.aside === undefined ? preview() : call.aside(preview)))),
      )
    },
  }),
]

const previewShape = picks(GROUPING_PREVIEW).from<GroupingPreview>({})
