/** Values that each form of a project's settings was filled with: saving is refused if they changed since. */
import type { Project, ProjectKey } from '@errata/server/queries'

export function seenGeneral({ name, slug, platform }: Project) {
  return JSON.stringify({ name, slug, platform })
}

export function seenKey({ name, rateLimit }: Pick<ProjectKey, 'name' | 'rateLimit'>) {
  return JSON.stringify({ name, rateLimit })
}

export function seenNotices({ mail, quietHours }: { readonly mail: boolean; readonly quietHours: number }) {
  return JSON.stringify({ mail, quietHours })
}

/** The texts are long: when they were written stands for them. */
export function seenOwnership({ changedMs }: { readonly changedMs: number | null }) {
  return JSON.stringify({ changedMs })
}

/** `null` where there is none. */
export function seenWebhook(url: string | null) {
  return JSON.stringify({ url })
}
