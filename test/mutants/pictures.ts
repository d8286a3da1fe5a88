import type { Mutant } from './mutant.ts'

/** Where remote pictures come from, and what of them is shown. */
export const pictures: readonly Mutant[] = [
  {
    rule: 'a picture is told by its bytes',
    file: 'src/fetch/pictures.ts',
    find: 'const type = rasterType(bytes)\n',
    put: "const type = rasterType(bytes) ?? 'image/png'\n",
    tests: ['test/stories/remote-pictures.test.ts'],
    only: 'by message and number',
  },
  {
    rule: 'a picture has at most 10 MB',
    file: 'src/fetch/get.ts',
    find: 'if (size > mostBytes) throw',
    put: 'if (size < 0) throw',
    tests: ['test/faults/picture-guard.test.ts'],
    only: 'no picture comes from',
  },
  {
    rule: 'pictures come from ports of the web',
    file: 'src/webhook/guard.ts',
    find: "ports: ['', '80', '443'],",
    put: "ports: ['', '80', '443', '25', '6379'],",
    tests: ['test/faults/picture-guard.test.ts'],
    only: 'no picture comes from',
  },
  {
    rule: 'what webhooks may reach, pictures may not',
    file: 'src/app/open.ts',
    find: "{ for: 'fetch', allow }",
    put: "{ for: 'fetch', allow: config.webhookAllow }",
    tests: ['test/stories/remote-pictures.test.ts'],
    only: 'without SPOOL_FETCH_ALLOW',
  },
  {
    rule: 'the pictures that are kept are bounded',
    file: 'src/fetch/pictures.ts',
    find: 'const mostKeptBytes = 32_000_000',
    put: 'const mostKeptBytes = 320_000_000',
    tests: ['test/faults/picture-guard.test.ts'],
    only: 'pictures are kept',
  },
  {
    rule: 'a picture is counted among the remote ones of its mail',
    file: 'src/core/threads/message-files.ts',
    find: 'found[Number(number)]?.[1]',
    put: 'found[0]?.[1]',
    tests: ['test/stories/remote-pictures.test.ts'],
    only: 'by message and number',
  },
  {
    rule: 'a file that is no picture is not part of the text',
    file: 'src/mail/parse/attachments.ts',
    find: 'rasterType(attachment.content) === null',
    put: "rasterType(attachment.content) === ''",
    tests: ['test/stories/attachments.test.ts'],
    only: 'an inline image',
  },
  {
    rule: 'a picture that nobody can see in the text is listed with the attachments',
    file: 'src/mail/normal-form/picture.ts',
    find: 'width >= leastSeen',
    put: 'width >= 0',
    tests: ['test/stories/attachments.test.ts'],
    only: 'too small to see',
  },
]
