/** Projects and keys for tests of ingest: one organisation with two projects, one with another. */
import { keyId, orgId, projectId } from '#base/ids.ts'
import {
  type IngestDirectory,
  PROJECT_OPTIONS_DEFAULT,
  type Project,
  type ProjectKey,
} from '#ports/projects.ts'

export const SHOP_KEY = 'a'.repeat(32)
export const SHOP_DISABLED_KEY = 'd'.repeat(32)
export const BLOG_KEY = 'b'.repeat(32)
export const OTHER_KEY = 'c'.repeat(32)
export const SAMPLE_SHOP = 42
export const SAMPLE_BLOG = 43
const OTHER = 77

export interface SampleChange {
  readonly shop?: Partial<Project>
  readonly shopKey?: Partial<ProjectKey>
}

export function sampleDirectory(change: SampleChange = {}): IngestDirectory {
  return {
    organisations: [
      { id: orgId(1), slug: 'acme' },
      { id: orgId(2), slug: 'rival' },
    ],
    projects: [
      { ...project(SAMPLE_SHOP, 1, 'shop'), ...change.shop },
      project(SAMPLE_BLOG, 1, 'blog'),
      project(OTHER, 2, 'shop'),
    ],
    keys: [
      { ...key(1, SAMPLE_SHOP, SHOP_KEY), ...change.shopKey },
      { ...key(2, SAMPLE_SHOP, SHOP_DISABLED_KEY), isActive: false },
      key(3, SAMPLE_BLOG, BLOG_KEY),
      key(4, OTHER, OTHER_KEY),
    ],
  }
}

function project(id: number, org: number, slug: string): Project {
  return {
    id: projectId(id),
    orgId: orgId(org),
    slug,
    name: slug,
    platform: null,
    teams: [],
    options: PROJECT_OPTIONS_DEFAULT,
    formerSlugs: [],
    isSelf: false,
    createdMs: 0,
    firstEventMs: null,
  }
}

function key(id: number, projectOf: number, publicKey: string): ProjectKey {
  return {
    id: keyId(id),
    projectId: projectId(projectOf),
    public: publicKey,
    name: 'Default',
    isActive: true,
    rateLimit: null,
    createdMs: 0,
    usedMs: null,
  }
}
