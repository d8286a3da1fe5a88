import type { Mutant } from './mutant.ts'

/** The door of agents: fences, scopes, arguments, place. */
export const agents: readonly Mutant[] = [
  {
    rule: 'nothing inside a fence looks like one',
    file: 'src/mcp/fence.ts',
    find: "text.replace(lookalike, '‹')",
    put: 'text',
    tests: ['test/mcp/hostile.test.ts'],
  },
  {
    rule: 'each answer has a nonce of its own',
    file: 'src/mcp/rendition.ts',
    find: 'drawn: string = drawNonce(),',
    put: "drawn: string = 'aaaabbbbcccc',",
    tests: ['test/mcp/reading.test.ts'],
  },
  {
    rule: 'a subject is fenced',
    file: 'src/mcp/fenced-thread.ts',
    find: 'subject: fence.wrapPart(thread.subject, most)',
    put: 'subject: thread.subject',
    tests: ['test/mcp/hostile.test.ts'],
  },
  {
    rule: 'a sender’s name is fenced',
    file: 'src/mcp/fenced-thread.ts',
    find: 'name === null ? null : fence.wrapPart(name, most)',
    put: 'name',
    tests: ['test/mcp/hostile.test.ts'],
  },
  {
    rule: 'an agent is given no HTML',
    file: 'src/mcp/fenced-history.ts',
    find: 'html: null,',
    put: 'html: message.html as null,',
    tests: ['test/mcp/tools.test.ts'],
  },
  {
    rule: 'a tool needs its scope',
    file: 'src/mcp/scope.ts',
    find: 'return !token.scopes.includes(scope)',
    put: 'return token.scopes.length === 0',
    tests: ['test/mcp/tools.test.ts'],
  },
  {
    rule: 'a tool whose scope is missing is not listed',
    file: 'src/mcp/tool-list.ts',
    find: 'token.scopes.includes(tool.scope)',
    put: 'token.scopes.length > 0',
    tests: ['test/mcp/tools.test.ts'],
  },
  {
    rule: 'an unknown argument is refused',
    file: 'src/mcp/tools/notes.ts',
    find: 'z.strictObject({',
    put: 'z.object({',
    tests: ['test/mcp/tools.test.ts'],
  },
  {
    rule: 'no fence mark gets into a draft',
    file: 'src/mcp/tools/drafts.ts',
    find: 'fenceMark.test(each)',
    put: "each === ''",
    tests: ['test/mcp/drafts.test.ts'],
  },
  {
    rule: 'the Host must be this server',
    file: 'src/http/place.ts',
    find: 'if (!own.has(hostnameOf(`http://${host}`))) {',
    put: "if (host === '') {",
    tests: ['test/mcp/protocol.test.ts'],
  },
  {
    rule: 'the Origin must be this server',
    file: 'src/http/place.ts',
    find: 'origin !== undefined && !own.has(hostnameOf(origin))',
    put: "origin === ''",
    tests: ['test/mcp/protocol.test.ts'],
  },
  {
    rule: 'a request holds one message',
    file: 'src/mcp/door.ts',
    find: "body.trimStart().startsWith('[')",
    put: "body === ''",
    tests: ['test/mcp/protocol.test.ts'],
  },
]
