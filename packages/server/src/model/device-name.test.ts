import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deviceName } from './device-name.ts'

describe('the name of a device', () => {
  const NAMES: readonly (readonly [browser: string | null, system: string | null, name: string])[] = [
    ['Chrome', 'macOS', 'Chrome on macOS'],
    ['Mobile Safari', 'iOS', 'Safari on iOS'],
    ['Chrome Mobile', 'Android', 'Chrome on Android'],
    ['Chrome Mobile iOS', 'iOS', 'Chrome on iOS'],
    ['Firefox iOS', 'iOS', 'Firefox on iOS'],
    ['Firefox Mobile', 'Android', 'Firefox on Android'],
    ['HeadlessChrome', 'Linux', 'Headless Chrome on Linux'],
    ['Samsung Internet', 'Android', 'Samsung Internet on Android'],
    ['Edge', null, 'Edge'],
    [null, 'Windows', 'A browser on Windows'],
    [null, null, 'Unknown browser'],
  ]
  for (const [browser, system, name] of NAMES)
    it(`is ${name}`, () => assert.equal(deviceName({ browser, system }), name))
})
