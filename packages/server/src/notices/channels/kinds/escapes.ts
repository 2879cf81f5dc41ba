/** Hostile text in the markup of each service: no mention, no link, no formatting of its own. */

/** Slack: three characters are enough; `<!channel>` cannot be written without them. */
export function slackText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

/** HTML as Telegram and Google Chat read it. */
export function htmlText(text: string): string {
  return slackText(text)
}

/** Markdown of Discord, Mattermost and Teams; an `@` is parted from its name, so that nobody is called. */
export function markdownText(text: string): string {
  return text.replace(/[\\`*_~|[\](){}<>#+!-]/g, '\\$&').replace(/@/g, '@\u200b')
}

/** Returns text that may stand between backticks. */
export function codeText(text: string): string {
  return `\`${text.replace(/`/g, 'ˋ').replace(/@/g, '@\u200b')}\``
}
