import type { Mutant } from './mutant.ts'

/** Agents by consent: who may be let in, by whom, where to, and for how long. */
export const grants: readonly Mutant[] = [
  {
    rule: 'a token by consent opens no REST route',
    file: 'src/http/door.ts',
    find: "new Admission(context, ['pat'])",
    put: "new Admission(context, ['pat', 'mcp'])",
    tests: ['test/stories/consent.test.ts'],
  },
  {
    rule: 'a grant is for one address',
    file: 'src/core/tokens/authentication.ts',
    find: 'grant.resource !== agentResource(this.#spool)',
    put: 'grant.resource === null',
    tests: ['test/faults/consent-attacks.test.ts'],
  },
  {
    rule: 'an access token ends after an hour',
    file: 'src/core/grants/grants.ts',
    find: 'const accessLife = 3_600_000',
    put: 'const accessLife = 7_200_000',
    tests: ['test/stories/consent.test.ts'],
  },
  {
    rule: 'a second use ends the grant',
    file: 'src/core/grants/grants.ts',
    find: '      await endGrant(db, grant.id, now)\n      await tellOf',
    put: '      await tellOf',
    tests: ['test/faults/consent-attacks.test.ts'],
  },
  {
    rule: 'a code needs its proof',
    file: 'src/core/grants/grants.ts',
    find: "if (!proved) throw oauthError('invalid_grant', 'code_verifier",
    put: "if (proof === '') throw oauthError('invalid_grant', 'code_verifier",
    tests: ['test/faults/consent-attacks.test.ts'],
  },
  {
    rule: 'a code is of one client',
    file: 'src/core/grants/grants.ts',
    find: ' || grant.clientId !== clientId || ',
    put: ' || clientId === "" || ',
    tests: ['test/faults/consent-attacks.test.ts'],
  },
  {
    rule: 'a ticket is of one session',
    file: 'src/core/grants/authorization-request.ts',
    find: 'session !== actor.session || ',
    put: "session === '' || ",
    tests: ['test/faults/consent-attacks.test.ts'],
  },
  {
    rule: 'only S256 is a challenge',
    file: 'src/core/grants/authorization-request.ts',
    find: "given.code_challenge_method !== 'S256' || ",
    put: '',
    tests: ['test/faults/consent-attacks.test.ts'],
  },
  {
    rule: 'a redirect matches exactly',
    file: 'src/core/grants/redirects.ts',
    find: 'registered.includes(given)',
    put: 'registered.some((address) => given.startsWith(address))',
    tests: ['test/faults/consent-attacks.test.ts'],
  },
  {
    rule: 'a document speaks for its own address',
    file: 'src/core/grants/clients.ts',
    find: 'if (document.client_id !== id)',
    put: "if (document.client_id === '')",
    tests: ['test/faults/client-documents.test.ts'],
  },
  {
    rule: 'a document is small',
    file: 'src/fetch/client-documents.ts',
    find: 'const mostBytes = 32_000',
    put: 'const mostBytes = 32_000_000',
    tests: ['test/faults/client-documents.test.ts'],
  },
]
