/** Releases, their commits and deploys. */
import { type Limit, limit, MIB } from './limit.ts'

export const RELEASE_LIMITS = {
  releasesPerProjectMax: limit(
    5_000,
    'count',
    'Releases of one project; of more, those go that only events named, the ones whose last event is the oldest first.',
  ),
  releasesPerOrgMax: limit(
    20_000,
    'count',
    'Releases of all projects of an organisation together; beyond it those of the project that has most go.',
  ),
  releasesShownLetGoMax: limit(
    5,
    'count',
    'Projects that the list of releases names as having more than are kept.',
  ),
  releasesOfProjectsMax: limit(
    20_000,
    'count',
    'Releases of projects, one counted in each, that a search, a suggestion or a latest release is looked for among; the newest of each project first.',
  ),
  releasesMeantMax: limit(
    10_000,
    'count',
    'Of them, those that the terms of a search may mean together, such as `release:>=1.2`; beyond it people narrow it.',
  ),
  releasesRememberedMax: limit(10_000, 'count', 'Releases that the commit knows without asking the store.'),
  commitsPerReleaseMax: limit(1_000, 'count', 'Commits of one release; the newest are kept.'),
  commitFilesMax: limit(500, 'count', 'Files of one commit that are kept.'),
  commitIdCharsMax: limit(64, 'chars', 'Name of a commit.'),
  commitMessageCharsMax: limit(4_096, 'chars', 'Message of a commit; longer ones are cut.'),
  commitPathCharsMax: limit(512, 'chars', 'Path of a file in a commit; a longer one is left out.'),
  authorCharsMax: limit(254, 'chars', 'Name or address of an author; longer ones are cut.'),
  deploysPerReleaseMax: limit(200, 'count', 'Deploys of one release; beyond it the oldest goes.'),
  releaseEnvironmentsMax: limit(
    50,
    'count',
    'Environments of a release that are counted, in each of its projects.',
  ),
  releaseUrlCharsMax: limit(2_000, 'chars', 'Address or ref of a release or deploy.'),
  releaseBodyBytesMax: limit(8 * MIB, 'bytes', 'A call that brings the commits of a release.'),
  releaseIssuesShownMax: limit(25, 'count', 'New, regressed or resolved issues on the page of a release.'),
  releaseAuthorsShownMax: limit(20, 'count', 'Authors of a release that are named in lists.'),
  adoptionReleasesShownMax: limit(
    8,
    'count',
    'Releases that the chart of adoption tells apart; further ones are drawn as one.',
  ),
  failingRoutesShownMax: limit(
    5,
    'count',
    'Routes that fail with a release, and that the one before has too few requests of to compare.',
  ),
  adoptionProjectsShownMax: limit(
    4,
    'count',
    'Projects whose adoption is drawn above the releases of all of them.',
  ),
  suspectFilesMax: limit(100_000, 'count', 'Files of commits that are looked through for a suspect.'),
  suspectStackFilesMax: limit(100, 'count', 'Files of a stack that commits are held against.'),
  suspectBatchFilesMax: limit(
    400_000,
    'count',
    'The same for all issues of an organisation in one commit, or one look at its alert rules.',
  ),
  suspectCommitsMax: limit(3, 'count', 'Suspect commits on the page of an issue.'),
  releasesComparedMax: limit(20, 'count', 'Releases whose commits are looked through for a suspect.'),
} satisfies Readonly<Record<string, Limit>>
