/** A device as people call it: "Chrome on macOS". */
export function deviceName(device: {
  readonly browser: string | null
  readonly system: string | null
}): string {
  const browser = device.browser === null ? null : plainBrowserName(device.browser)
  const { system } = device
  if (browser === null) return system === null ? 'Unknown browser' : `A browser on ${system}`
  return system === null ? browser : `${browser} on ${system}`
}

/** Returns the browser's name without the system it runs on, which is shown behind it. */
function plainBrowserName(browser: string): string {
  if (browser === 'Mobile Safari') return 'Safari'
  if (browser === 'HeadlessChrome') return 'Headless Chrome'
  return browser.replace(/ (?:Mobile(?: iOS)?|iOS)$/, '')
}
