/** Names the device in a User-Agent header. */
import { deviceName } from '#model/device-name.ts'
import { readUserAgent } from '#normalize/user-agent.ts'

export function deviceOf(userAgent: string | null): string {
  const { browser, os } = readUserAgent(userAgent ?? '')
  return deviceName({ browser: browser?.name ?? null, system: os?.name ?? null })
}
