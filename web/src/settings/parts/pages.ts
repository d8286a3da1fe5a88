import type { Role } from '../../../../src/model/access.ts'

const admins: readonly Role[] = ['admin']
const writers: readonly Role[] = ['admin', 'member']
const everyone: readonly Role[] = ['admin', 'member', 'viewer']

/** Each with its group, and the roles that can see it. */
export const settingsPages = [
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
] as const
export type SettingsPage = (typeof settingsPages)[number]
export type PageName = SettingsPage['name']

export function pagesFor(role: Role): SettingsPage[] {
  return settingsPages.filter(({ roles }) => roles.includes(role))
}
