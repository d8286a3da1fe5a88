import type { Migration } from './migration.ts'

/** A client may ask for an access token with fewer scopes than its grant has. Null: those of the grant. */
export const scopesOfAccess: Migration = {
  name: '0024-scopes-of-access',
  statements: () => [`ALTER TABLE grant_secrets ADD COLUMN scopes TEXT`],
}
