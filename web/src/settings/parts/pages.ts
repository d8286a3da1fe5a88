import type { Role } from '../../../../src/model/access.ts'
import type { texts } from './texts.ts'

export type PageName = keyof typeof texts.pages

export interface SettingsPage {
  name: PageName
  group: keyof typeof texts.groups
  /** Who can see it. */
  roles: readonly Role[]
}

const admins: readonly Role[] = ['admin']
const writers: readonly Role[] = ['admin', 'member']
const everyone: readonly Role[] = ['admin', 'member', 'viewer']

export const settingsPages: readonly SettingsPage[] = [
  { name: 'guide', group: 'team', roles: admins },
  { name: 'inboxes', group: 'team', roles: admins },
  { name: 'people', group: 'team', roles: admins },
  { name: 'numbers', group: 'team', roles: writers },
  { name: 'agents', group: 'programs', roles: everyone },
  { name: 'tokens', group: 'programs', roles: everyone },
  { name: 'webhooks', group: 'programs', roles: writers },
  { name: 'profile', group: 'you', roles: everyone },
  { name: 'notices', group: 'you', roles: everyone },
  { name: 'shortcuts', group: 'you', roles: everyone },
]

export function pagesFor(role: Role): SettingsPage[] {
  return settingsPages.filter(({ roles }) => roles.includes(role))
}
