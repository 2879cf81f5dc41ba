import { describeSeeds } from './suite.ts'

describeSeeds('a failing disk, clock, thread or process (odd seeds)', (seed) => seed % 2 === 1)
