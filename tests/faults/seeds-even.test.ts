import { describeSeeds } from './suite.ts'

describeSeeds('a failing disk, clock, thread or process (even seeds)', (seed) => seed % 2 === 0)
