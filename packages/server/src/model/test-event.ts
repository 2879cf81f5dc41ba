/** Logger of events that Errata sent to itself when somebody pressed the button: no sign of the app. */
export const TEST_LOGGER = 'errata.test'
