import { pageRoute } from '#wire/route.ts'

const view = async () => (await import('./digest-view.tsx')).DigestPage
const docs = 'digests'
const file = 'features/digest/digest-view.tsx'

export const digestRoutes = [
  pageRoute({ id: 'digest', path: '/digest', access: 'signed-in', docs, file, view }),
  pageRoute({ id: 'digest-number', path: '/digest/:number', access: 'signed-in', docs, file, view }),
]
