/**
 * Name of the control store until everything else of a backup is restored. Whoever asks only for the name, as every thread
 * does that opens a data directory, loads nothing of restoring with it.
 */
export const RESTORING = 'control.sqlite.restoring'
