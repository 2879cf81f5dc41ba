/** Every service that alerts go to, in the order people choose from. */
import type { ChannelKind } from '#ports/channels.ts'
import type { ChannelType } from '../channel-type.ts'
import { discord } from './discord.ts'
import { email } from './email.ts'
import { googleChat } from './google-chat.ts'
import { gotify } from './gotify.ts'
import { mattermost } from './mattermost.ts'
import { ntfy } from './ntfy.ts'
import { opsgenie } from './opsgenie.ts'
import { pagerduty } from './pagerduty.ts'
import { pushover } from './pushover.ts'
import { slack } from './slack.ts'
import { slackBot } from './slack-bot.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'
import { webhook } from './webhook.ts'

export const CHANNEL_TYPES: Readonly<Record<ChannelKind, ChannelType>> = {
  ...{ email, slack, 'slack-bot': slackBot, discord, teams, 'google-chat': googleChat, mattermost },
  ...{ telegram, ntfy, pushover, gotify, pagerduty, opsgenie, webhook },
}
