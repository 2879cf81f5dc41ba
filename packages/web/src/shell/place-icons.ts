/** Icons of the places, on the kit's grid of 16 px. */
export const PLACE_ICONS = {
  overview: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  issues: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-9v3.6m0 2.2v.01',
  performance: 'M2.6 11.5a6 6 0 1 1 10.8 0M8 9.5l2.6-3.2',
  traces: 'M2 4h6M5 8h7M9 12h5',
  releases: 'm8 1.8 5.4 3v6.4l-5.4 3-5.4-3V4.8Zm0 6.2 5.4-3.2M8 8 2.6 4.8M8 8v6.2',
  skew: 'M2.5 10.5v-8h8v2.5M5.5 5.5h8v8h-8Z',
  alerts: 'M4 11V7a4 4 0 0 1 8 0v4l1.2 1.5H2.8Zm2.8 3.2h2.4',
  digest: 'M6.2 2.5 4.8 13.5m6.4-11L9.8 13.5M3 5.8h10.5M2.5 10.2H13',
  outcomes: 'M8 2.5v11m-3 0h6M3 4.5h10M3 4.5 1.2 9a2 2 0 0 0 3.6 0ZM13 4.5 11.2 9a2 2 0 0 0 3.6 0Z',
  projects: 'M1.8 4.2c0-.6.4-1 1-1h3.4l1.5 1.6h5.5c.6 0 1 .4 1 1v6c0 .6-.4 1-1 1H2.8c-.6 0-1-.4-1-1Z',
  settings:
    'M2 4.5h6.2m3.2 0H14M2 11.5h2.6m3.2 0H14M9.8 6.1a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2ZM6.2 13.1a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2Z',
  system: 'M2.5 2.5h11v4.6h-11Zm0 6.4h11v4.6h-11ZM5 4.8h.01M5 11.2h.01',
  rail: 'M2.5 3h11v10h-11Zm4 0v10',
} as const

export type PlaceIcon = keyof typeof PLACE_ICONS
