/** Title of an issue wherever people read of it: lists, emails, chat and trackers alike. */
import { SKEW_TITLE, SKEW_TITLE_OF } from '#model/recognised.ts'

/** Release whose deploy stale tabs outlived, of `issues i`; NULL if unknown. groups_by_issue. */
export const ISSUE_DEPLOY = `(SELECT s.release FROM groups sg JOIN skew_groups s ON s.group_id = sg.id
    WHERE i.category = 'skew' AND sg.issue_id = i.id ORDER BY sg.id LIMIT 1)`

/**
 * Title of `issues i`: what its events say, and of stale tabs the deploy that they outlived. The texts hold
 * no quotes.
 */
export const ISSUE_TITLE = `iif(i.category = 'skew' AND i.title = '${SKEW_TITLE}',
    coalesce('${SKEW_TITLE_OF}' || ${ISSUE_DEPLOY}, i.title), i.title)`
