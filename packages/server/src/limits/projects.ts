/** Projects, and what a project sets. */
import { type Limit, limit } from './limit.ts'

export const PROJECT_LIMITS = {
  slugCharsMax: limit(50, 'chars', 'Slugs are read aloud.'),
  nameCharsMax: limit(100, 'chars', 'Names of organisations, projects, teams, keys, people.'),
  projectsPerOrgMax: limit(
    10_000,
    'count',
    'Projects of an organisation: what may be read is a list of their ids.',
  ),
  directoryChangesMax: limit(
    2_000,
    'count',
    'Changes of projects that are read one by one; after more, all that ingest knows is read anew. 10,000 are kept.',
  ),
  projectsShownMax: limit(
    50,
    'count',
    'Rows of one page of the list of projects: more would render for too long.',
  ),
  quietProjectsRemembered: limit(
    5_000,
    'count',
    'Quiet projects whose usual gaps are remembered for the list of projects.',
  ),
  keysPerProjectMax: limit(50, 'count', 'A list that is read whole.'),
  furtherNumbersMax: limit(20, 'count', 'Numbers beside its own that a project answers under.'),
  environmentsPerProjectMax: limit(
    1_000,
    'count',
    'As many as are suggested: those that people hide or order.',
  ),
  scrubKeysMax: limit(100, 'count', 'Extra scrubbing keys of a project.'),
  allowedDomainsMax: limit(100, 'count', 'Allowed domains of a project.'),
  filterPatternsMax: limit(100, 'count', 'Release patterns of a project; message patterns likewise.'),
  filterPatternCharsMax: limit(200, 'chars', 'One release or message pattern.'),
  filterPatternStarsMax: limit(10, 'count', 'Asterisks of one pattern: each may cost a walk over the text.'),
  filterStepsMax: limit(
    1_000_000,
    'count',
    'Characters that release and message patterns look at in one event; it stays where they are used up.',
  ),
  filterAddressesMax: limit(
    500,
    'count',
    'Client addresses and ranges of a project whose events are filtered.',
  ),
  groupingRulesMax: limit(
    100,
    'count',
    'Fingerprint rules of one project: each event is held against them in turn.',
  ),
  groupingRuleCharsMax: limit(1_000, 'chars', 'One fingerprint rule.'),
  groupingRulesCharsMax: limit(20_000, 'chars', 'All fingerprint rules of a project, comments included.'),
  groupingStepsMax: limit(
    2_000_000,
    'count',
    'Characters that fingerprint rules look at in one event; those that are left then do not apply to it.',
  ),
  groupingPreviewStepsMax: limit(
    100_000_000,
    'count',
    'Characters that the preview of fingerprint rules looks at in all.',
  ),
  groupingPreviewEvents: limit(
    1_000,
    'count',
    'Newest events of a project that a preview of its rules looks at.',
  ),
  splitPreviewEvents: limit(
    200,
    'count',
    'Newest events of an issue that the preview of _Split by message_ looks at.',
  ),
  splitPreviewIssues: limit(20, 'count', 'Issues that the preview of _Split by message_ names.'),
  codeMappingsMax: limit(50, 'count', 'Code mappings of one project.'),
  codePathCharsMax: limit(300, 'chars', 'A path, repository or branch of a code mapping.'),
  ownershipCharsMax: limit(100_000, 'chars', 'Ownership rules of a project.'),
  codeOwnersCharsMax: limit(250_000, 'chars', 'A CODEOWNERS file: 3,000 lines of 80 characters.'),
  ownershipRulesMax: limit(5_000, 'count', 'Lines of each that are rules.'),
  ownershipLineCharsMax: limit(
    8_000,
    'chars',
    'A line of either: a pattern and as many owners as it may name.',
  ),
  ownershipStepsMax: limit(
    1_000_000,
    'count',
    'Characters that ownership rules look at for one event: the files nearest to the failure first.',
  ),
  ownershipBatchStepsMax: limit(
    3_000_000,
    'count',
    'The same for all new issues that a project has in one commit.',
  ),
  ownershipKeptMax: limit(1_000, 'count', 'Paths that it is remembered of which entries hold them.'),
  ownershipCompiledMax: limit(
    16,
    'count',
    'Rules and files of ownership that are kept compiled in a thread.',
  ),
  ownershipPatternCharsMax: limit(512, 'chars', 'Pattern of an ownership rule.'),
  ownersPerRuleMax: limit(20, 'count', 'Owners that one rule names.'),
  ownershipPathsMax: limit(50, 'count', 'Paths of one event that ownership rules are asked of.'),
  suggestedOwnersMax: limit(10, 'count', 'Owners suggested for an issue.'),
} satisfies Readonly<Record<string, Limit>>
