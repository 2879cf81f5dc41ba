/** How often somebody or something may come: rate limits, spikes, the relay, own failures. */
import { type Limit, limit } from './limit.ts'

export const RATE_LIMITS = {
  rateWindowsMax: limit(100_000, 'count', 'Rate limit windows held in memory; ended ones go first.'),
  spikeBaselineDays: limit(
    7,
    'days',
    'A project’s own volume is known after so long; spikes are capped from then.',
  ),
  spikeEventsPerHourMin: limit(500, 'count', 'Errors an hour that no project’s spike protection caps.'),
  spikeGrowthMax: limit(
    5,
    'count',
    'Times a project’s typical hour that an hour may have before it is capped.',
  ),
  relayAddressesMax: limit(
    10_000,
    'count',
    'Client addresses of /monitoring remembered; the oldest go first.',
  ),
  relayRequestsPerMinute: limit(6_000, 'count', 'Per client address at /monitoring.'),
  selfReportPerMinutePerDigest: limit(
    1,
    'count',
    'Errata records one of its own failures at most this often.',
  ),
  selfRequestsPerBatch: limit(
    20,
    'count',
    'Of its own requests of five seconds, Errata records at most so many; its figures count the others too.',
  ),
} satisfies Readonly<Record<string, Limit>>
