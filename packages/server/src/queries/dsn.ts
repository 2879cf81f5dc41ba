import type { ProjectKey } from '#ports/projects.ts'

/** `http://KEY@host[:port][/path]/PROJECT` at the public address. */
export function dsnOf(url: string, key: Pick<ProjectKey, 'public' | 'projectId'>): string {
  return `${ingestBase(url, key)}/${key.projectId}`
}

function ingestBase(url: string, key: Pick<ProjectKey, 'public'>): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${key.public}@${host}${pathname.replace(/\/+$/, '')}`
}

/** The address a customer's app may send its browser's telemetry to. */
export function relayUrlOf(url: string, organisation: string, project: string): string {
  const query = new URLSearchParams({ o: organisation, p: project })
  return `${url}/monitoring?${query}`
}
