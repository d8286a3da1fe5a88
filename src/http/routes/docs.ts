import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Spool } from '../../core/spool.ts'
import type { ToolSummary } from '../docs/agent-guide.ts'
import type { ApiDocument } from '../docs/document.ts'
import { renderPage } from '../docs/page.ts'
import { MemoryFile } from '../content/file.ts'
import { describeApi } from '../openapi.ts'

/** Nothing from any other host, nothing inline. */
const pagePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  // For the requests that readers send from the page.
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const caching = ['Cache-Control', 'public, no-cache'] as const

/** The API reference and its OpenAPI document; public, because they contain no data. */
export function registerDocs(
  app: FastifyInstance,
  spool: Spool,
  agents: { listTools(): Promise<ToolSummary[]> },
): void {
  // Built on first request: describing every route takes a tenth of the start-up time.
  const document = once(() => describeApi(packageJson.version))
  const files: Record<string, () => MemoryFile> = {
    '/openapi.json': once(() => makeFile('application/json', `${JSON.stringify(document(), null, 2)}\n`)),
    '/docs.css': once(() =>
      makeFile('text/css', ['page.css', 'parts.css', 'forms.css'].map(readBeside).join('')),
    ),
    '/docs.js': once(() => makeFile('text/javascript', readBeside('page-script.js'))),
  }
  for (const [path, file] of Object.entries(files))
    app.get(path, async (request, reply) => {
      // Tools of any origin may read the document; it contains no data.
      if (path === '/openapi.json') reply.header('Access-Control-Allow-Origin', '*')
      return file().send(request, reply.header(...caching))
    })

  // The public URL may not be known until the server listens.
  let page: { address: string; file: MemoryFile } | null = null
  app.get('/docs', async (request, reply) => {
    const { url: address } = spool
    if (page?.address !== address) {
      const text = renderPage(document() as unknown as ApiDocument, address, await agents.listTools())
      page = { address, file: makeFile('text/html', text) }
    }
    reply.header('Content-Security-Policy', pagePolicy)
    return page.file.send(request, reply.header(...caching))
  })
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => (made ??= { value: make() }).value
}

function readBeside(name: string): string {
  return readFileSync(join(import.meta.dirname, '../docs', name), 'utf8')
}

function makeFile(type: string, body: string): MemoryFile {
  return new MemoryFile(`${type}; charset=utf-8`, Buffer.from(body))
}
