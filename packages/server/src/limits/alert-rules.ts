/** Alert rules: how many, how far they look back, and what of a storm is told. */
import { type Limit, limit } from './limit.ts'

export const ALERT_RULE_LIMITS = {
  alertRulesPerOrgMax: limit(1_000, 'count', 'Rules of an organisation: each is looked at every minute.'),
  alertCountingRulesMax: limit(
    100,
    'count',
    'Rules looking at one project that count for themselves: of metrics, and how often issues meet conditions.',
  ),
  alertConditionsMax: limit(20, 'count', 'Conditions of a rule, and moments that fire it.'),
  alertTargetsMax: limit(20, 'count', 'Receivers of a rule.'),
  alertNameCharsMax: limit(100, 'chars', 'Name of a rule.'),
  alertTextCharsMax: limit(200, 'chars', 'A text that a condition of a rule compares with.'),
  alertWindowMinutesMax: limit(10_080, 'count', 'Minutes that a rule looks back: a week.'),
  alertBeatMs: limit(60_000, 'ms', 'How often metric rules are evaluated.'),
  alertLookMs: limit(15_000, 'ms', 'How often issues that events came to are looked at.'),
  alertWakeMs: limit(
    1_000,
    'ms',
    'Between two looks at what events made of issues, however often they are announced.',
  ),
  alertCandidatesMax: limit(500, 'count', 'Issues that one transaction looks at for rules.'),
  alertTurnStepsMax: limit(
    2_000,
    'count',
    'Steps of evaluating rules in one transaction, but for one issue or metric: a rule looked at is one, a firing twenty.',
  ),
  alertTurnPauses: limit(
    2,
    'count',
    'So many times as long as a transaction of evaluating rules took the next one waits, if more is to be evaluated.',
  ),
  alertTurnPauseMsMax: limit(500, 'ms', 'The longest of these pauses.'),
  alertCandidatesWaitingMax: limit(
    20_000,
    'count',
    'Moments of issues that wait to be looked at; beyond it the oldest of the project with most go at the next look, counted as dropped where rules or own alerts look at them.',
  ),
  alertCandidatesDroppedMax: limit(5_000, 'count', 'Moments beyond it that one look drops.'),
  alertActiveDays: limit(30, 'days', 'Who used Errata within so long is an active member.'),
  alertStormFirings: limit(
    10,
    'count',
    'Firings of a rule in alertStormMs; what comes beyond is one message.',
  ),
  alertStormMs: limit(5 * 60_000, 'ms', 'A storm is told of once in so long.'),
  alertFiringDays: limit(90, 'days', 'Firings are kept so long.'),
  alertFiringsPerRuleMax: limit(1_000, 'count', 'Firings kept of a rule, the newest.'),
  alertFiringRows: limit(50, 'count', 'Firings on one page of a rule’s history.'),
  alertPreviewDays: limit(14, 'days', 'How far back the preview of a rule looks.'),
  alertPreviewMomentsMax: limit(
    5_000,
    'count',
    'Moments of issues that a preview looks at; more are said to be more.',
  ),
  alertEscalationEventsMin: limit(10, 'count', 'Events in an hour below which no issue escalates.'),
  alertForecastHoursMin: limit(24, 'count', 'Hours of history without which there is no forecast.'),
  alertLookUpsWaitingMax: limit(
    600,
    'count',
    'Look-ups of digests counted with one look; more count as none.',
  ),
  alertPauseMs: limit(
    5_000,
    'ms',
    'After the store failed to evaluate rules; doubled for each failure in a row.',
  ),
} satisfies Readonly<Record<string, Limit>>
