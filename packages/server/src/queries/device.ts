/** What a User-Agent header tells of the device, as people call it. */
import { deviceName } from '#model/device-name.ts'
import { readUserAgent } from '#normalize/user-agent.ts'

export function deviceOf(userAgent: string | null): string {
  const { browser, os } = readUserAgent(userAgent ?? '')
  return deviceName({ browser: browser?.name ?? null, system: os?.name ?? null })
}
