// Property tests of `npm test` draw the same cases in every run, so that a change fails for what it changed alone.
// ERRATA_PROPERTY_SEED=N draws others; without this file, as in `node --test FILE`, they differ from run to run.
import fc from 'fast-check'

const SEED = 20_261_122
const chosen = Number(process.env.ERRATA_PROPERTY_SEED ?? SEED)
if (!Number.isInteger(chosen)) throw new Error('ERRATA_PROPERTY_SEED takes a whole number')
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: chosen })
