import type { ReleaseCommit } from '#ports/releases.ts'
import { NOW } from './times.ts'

export const aCommit = (id: string, change: Partial<ReleaseCommit> = {}): ReleaseCommit => ({
  ...{
    id,
    repository: 'shop/web',
    message: `Change ${id}`,
    authorName: 'Ada',
    authorEmail: 'ADA@example.com',
  },
  ...{ atMs: NOW, files: [{ path: 'app/checkout.ts', type: 'M' }], ...change },
})
