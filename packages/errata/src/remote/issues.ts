import * as v from 'valibot'
import { countText, readWords, type Subcommand, textOption } from '../command-line.ts'
import { columns, ISSUE, type Issue, printable, printableJson, stateOf } from './answers.ts'
import { connect, LIST_HELP, LIST_OPTIONS, limitFrom } from './connection.ts'

const LIMIT_DEFAULT = 25
const SEARCH_DEFAULT = 'is:unresolved'

export const issuesCommand: Subcommand = {
  name: ['issues'],
  summary: 'lists issues of an Errata server',
  help: `errata issues [SEARCH…] [--project SLUG] [--limit N] [--json] [--url URL] [--token TOKEN] [--org SLUG]

Lists issues that match a search, last seen first: words, a digest, or terms as in the search field.
Default: ${SEARCH_DEFAULT}

${LIST_HELP}
  --limit          default ${LIMIT_DEFAULT}, at most 100
  --json           as the web API answers them`,
  async run(args) {
    const { values, words } = readWords(args, LIST_OPTIONS)
    const limit = limitFrom(values, LIMIT_DEFAULT)
    const { calls, org } = await connect(values, process.env)
    const query = new URLSearchParams({
      query: words.length === 0 ? SEARCH_DEFAULT : words.join(' '),
      limit: String(limit),
      ...(textOption(values, 'project') === undefined
        ? {}
        : { project: textOption(values, 'project') ?? '' }),
    })
    const issues = await calls.get(`/organizations/${org}/issues/?${query}`, v.array(ISSUE))
    if (values.json === true) console.log(printableJson(issues, 2))
    else console.log(issues.length === 0 ? 'No issue matches.' : columns(issues.map(issueCells)))
    return 0
  },
}

function issueCells(issue: Issue): readonly string[] {
  const { shortId, lastSeen, count, userCount, title, culprit } = issue
  const place = culprit === '' ? '' : ` — ${printable(culprit)}`
  return [
    shortId,
    lastSeen,
    countText(Number(count), 'event'),
    countText(userCount, 'user'),
    stateOf(issue),
    `${printable(title)}${place}`,
  ]
}
