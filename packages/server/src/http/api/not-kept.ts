/**
 * Answers for Sentry features that Errata does not have: the tool is told what is missing, not that the
 * address is wrong.
 */

import { byWord } from '#base/by-word.ts'

/** By a part of the address, and what to say of it. */
const SENTENCES: readonly (readonly [part: RegExp, sentence: string])[] = [
  [/^(?:replays|replay-selectors|replay-count)$/, 'This version stores no session replays.'],
  [
    /^(?:monitors|crons|checkins|processing-errors)$/,
    'This version stores no cron check-ins and has no monitors.',
  ],
  [/^(?:feedback|user-feedback|userfeedback)$/, 'This version stores no user feedback.'],
  [/^(?:org-auth-tokens|api-tokens)$/, 'Tokens are made, listed and revoked in the web app, by people.'],
  [/^(?:logs|ourlogs|trace-logs)$/, 'This version stores no logs.'],
  [/^(?:profiling|profiles|profile_functions)$/, 'This version stores no profiles.'],
  [/^(?:preprodartifacts|preprod)$/, 'This version stores no mobile builds.'],
  [
    /^(?:dashboards)$/,
    'Errata has no dashboards of its own; its API has the figures for those of other tools.',
  ],
  [/^(?:customers|product-trial|subscriptions?)$/, 'Errata has no plans: there is nothing to try or to pay.'],
  [/^(?:conversations|agents)$/, 'This version has no conversations of agents.'],
  [
    /^(?:autofix|seer|autofix-setup|solution)$/,
    'Errata has no analysis by an AI model of its own; its MCP server gives agents what they need.',
  ],
  [/^(?:uptime|uptime-summary)$/, 'This version has no uptime checks.'],
  [
    /^(?:symbol-sources|dsyms|proguard|dif)$/,
    'This version reads source maps alone; it has no debug files of native code.',
  ],
  [
    /^(?:sentry-apps|sentry-app-installations|integrations|hooks|forwarding|external-users|external-teams)$/,
    'Errata has no apps of Sentry’s kind; channels of alerts and issue trackers have calls of their own.',
  ],
  [
    /^(?:discover|saved)$/,
    'Saved queries of Discover do not exist here; searches of issues are saved at searches/.',
  ],
]

/** Names that people choose stand behind these, and say nothing. */
const SLUGS: Readonly<Record<string, number>> = byWord({ organizations: 1, projects: 2, teams: 2 })

/** The sentence for an address that is not served; `null` where nothing is known of it. */
export function notKept(path: string): string | null {
  const [first = '', ...others] = path.split('/').filter((part) => part !== '')
  const parts = [first, ...others.slice(SLUGS[first] ?? 0)]
  return SENTENCES.find(([part]) => parts.some((each) => part.test(each)))?.[1] ?? null
}
