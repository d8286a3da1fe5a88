import { writeAgentGuide, type ToolSummary } from './agent-guide.ts'
import { viewTable, type Chapter } from './chapter.ts'
import { viewCode, viewExample, viewSnippets } from './code-view.ts'
import { endpointsOf, type ApiDocument } from './document.ts'
import type { ApiAddress } from './endpoint-view.ts'
import { makeExample } from './example.ts'
import { html, inline } from './html.ts'
import { writeSnippets, writeWalk } from './snippets.ts'
import { writeWebhookGuide } from './webhook-guide.ts'

/** The guide chapters, in the order a reader needs them. */
export function writeGuide(document: ApiDocument, api: ApiAddress, tools: readonly ToolSummary[]): Chapter[] {
  return [
    gettingStarted(document, api),
    authentication(),
    pagination(api),
    caching(api),
    errors(document),
    rateLimit(),
    client(api),
    ...writeWebhookGuide(document),
    writeAgentGuide(api.base.slice(0, -api.path.length), tools),
    versions(),
  ]
}

function gettingStarted(document: ApiDocument, { base }: ApiAddress): Chapter {
  const me = endpointsOf(document).find(({ operationId }) => operationId === 'getMe')!
  return {
    anchor: 'getting-started',
    title: 'Getting started',
    text: html`<ol>
        <li>Create a personal access token, or ask your admin for one. It is shown only once.</li>
        <li>
          Put it in the environment as <code>SPOOL_TOKEN</code>: every example on this page reads it from
          there.
        </li>
        <li>Call <code>/me</code> to check that the token works.</li>
      </ol>
      <p>
        The base URL is <code class="address">${base}</code>. Answers are JSON in UTF-8 with camelCase names.
        Ids are opaque strings. Times are RFC 3339 in UTC with milliseconds. <code>HEAD</code> works wherever
        <code>GET</code> does; there are no other methods. The API is read-only, and reading changes nothing,
        not even what is unread.
      </p>`,
    sample: html`${viewCode(
      `spool token create \\
  --user you@example.com --name "My script" \\
  --scope threads:read notes:read

export SPOOL_TOKEN=YOUR_TOKEN`,
      'curl',
      'Where Spool runs',
    )}
    ${viewSnippets(writeSnippets(me, base), 'Who am I', 'first-request')}`,
  }
}

const scopes = [
  ['threads:read', 'Threads, their messages and their attachments'],
  ['notes:read', "The team's notes on a thread"],
  ['events:read', 'The event log'],
  ['sources:read', 'The source of a message, with all that it hides from people'],
  ['drafts:propose', 'Propose a draft, for agents; no endpoint of this API asks for it'],
] as const

function authentication(): Chapter {
  return {
    anchor: 'authentication',
    title: 'Authentication',
    text: html`<p>
        Send the token in the <code>Authorization</code> header with every request, never in the URL. A token
        acts as its user and never sees more: that person's inboxes, narrowed by the token's own list if it
        has one. Everything else is a <code>404</code>, exactly as if it did not exist.
      </p>
      ${viewTable(
        ['Scope', 'Gives access to'],
        scopes.map(([scope, what]) => [html`<code>${scope}</code>`, what]),
      )}
      <p>
        There is no scope that sends. Programs read, agents propose, and a person sends. A token lasts 90 days
        unless another expiry was chosen, and is rejected within a second of being revoked.
      </p>`,
    sample: viewCode(
      `GET /api/v1/me HTTP/1.1
Authorization: Bearer YOUR_TOKEN

HTTP/1.1 401 Unauthorized
WWW-Authenticate: Bearer realm="spool", error="invalid_token"`,
      'HTTP',
      'With a token that is not valid',
    ),
  }
}

function pagination({ base }: ApiAddress): Chapter {
  return {
    anchor: 'pagination',
    title: 'Pagination',
    text: html`<p>
        A list answers <code>{"data": […], "nextCursor": "…"}</code> with at most <code>limit</code> entries:
        1 to 100, by default 50. Pass <code>nextCursor</code> back as <code>cursor</code>, with the same
        filters, until it is <code>null</code>; or follow the <code>Link</code> header with
        <code>rel="next"</code>.
      </p>
      <p>
        Threads are sorted by newest activity. Walking the pages while mail arrives never skips or repeats a
        thread that did not itself change. A cursor that was truncated, altered or issued for other filters is
        a
        <code>400</code>.
      </p>
      <p>
        A misspelt filter is a <code>400</code> that names it, so that a typo never returns the whole inbox.
      </p>`,
    sample: viewSnippets(writeWalk(base), 'Every page', 'every-page'),
  }
}

function caching({ base }: ApiAddress): Chapter {
  return {
    anchor: 'caching',
    title: 'Caching',
    text: html`<p>
        Threads and lists carry an <code>ETag</code>. Send it back in <code>If-None-Match</code>: if nothing
        has changed, the answer is an empty <code>304</code>.
      </p>
      <p>
        To follow changes, long-poll <a href="#list-events">the events</a> with <code>wait</code>, or list
        threads with <code>updatedSince</code>.
      </p>`,
    sample: viewCode(
      `curl -i "${base}/threads" \\
  -H "Authorization: Bearer $SPOOL_TOKEN" \\
  -H 'If-None-Match: "nJ6yZ0c1rXQ4b8sT2uVw3k5m7p9"'`,
      'curl',
      'Only if it changed',
    ),
  }
}

const faults = [
  [400, '`bad_parameter`, `bad_cursor`, `bad_request`', 'Fix what the message names.'],
  [401, '`unauthorized`', 'The token is missing, malformed, unknown, expired or revoked.'],
  [403, '`insufficient_scope`', 'Create a token with the scope that `WWW-Authenticate` names.'],
  [404, '`not_found`', 'It does not exist, or is not in your view.'],
  [405, '`method_not_allowed`', 'Use GET or HEAD.'],
  [410, '`resync`', 'These events have expired: read the threads again.'],
  [416, '`range_not_satisfiable`', 'The file has no such bytes.'],
  [429, '`rate_limited`', 'Wait for `Retry-After` seconds.'],
  [500, '`internal`', 'An internal error: report the `requestId`.'],
  [503, '`store_unavailable`, `not_ready`', 'Try again after `Retry-After` seconds.'],
] as const

function errors(document: ApiDocument): Chapter {
  return {
    anchor: 'errors',
    title: 'Errors',
    text: html`<p>
        Every error has the same shape, on every path: <code>statusCode</code>, a <code>message</code> that
        says what to do, a <code>code</code> for programs, and the <code>requestId</code> to look up in the
        log.
      </p>
      ${viewTable(
        ['Status', 'Code and what to do'],
        faults.map(([status, code, what]) => [
          status,
          html`${inline(code)}
            <p>${inline(what)}</p>`,
        ]),
      )}
      <p>
        Checks run in this order, and the first failure answers: token, rate limit, route and method, scope,
        parameters, resource.
      </p>`,
    sample: viewExample(makeExample(document, document.components.schemas['Error']!), '400 Bad Request'),
  }
}

function rateLimit(): Chapter {
  return {
    anchor: 'rate-limit',
    title: 'Rate limit',
    text: html`<p>
        The default is 300 requests per token in 60 seconds. Every answer states the limit in
        <code>RateLimit-Policy</code>, and in <code>RateLimit</code> how many requests are left
        (<code>r</code>) and in how many seconds the window resets (<code>t</code>).
      </p>
      <p>
        Over the limit the answer is a <code>429</code> with <code>Retry-After</code>. Rejected requests count
        too, so wait before you retry.
      </p>`,
    sample: viewCode(
      `HTTP/1.1 429 Too Many Requests
RateLimit-Policy: "default";q=300;w=60
RateLimit: "default";r=0;t=41
Retry-After: 41`,
      'HTTP',
      'Over the limit',
    ),
  }
}

function client({ base, path }: ApiAddress): Chapter {
  return {
    anchor: 'client',
    title: 'TypeScript client',
    text: html`<p>
        <code>@spool-inbox/client</code> has every endpoint with types from the OpenAPI document, lists as
        async iterators over all pages, retries by <code>Retry-After</code>, an event stream that leaves no
        holes, and exports that go on after a cut. It runs on Node 20 and newer and in browsers, where
        <code>SPOOL_CORS_ORIGINS</code> must list the page's origin.
      </p>
      <p>
        Whole programs come with Spool under <code>examples/recipes</code>, in TypeScript and Python: tell a
        chat of new mail, export every night, mirror everything into a database.
      </p>`,
    sample: viewCode(
      `import { Spool } from '@spool-inbox/client'

const spool = new Spool({ url: '${base.slice(0, -path.length)}', token })

for await (const thread of spool.threads({ unread: true }))
  console.log(thread.subject)

const after = await spool.newest()
for await (const event of spool.follow({ after, type: ['message.received'] }))
  console.log(await spool.message(event.data.messageId))`,
      'TypeScript',
      'With the client',
    ),
  }
}

function versions(): Chapter {
  return {
    anchor: 'versions',
    title: 'Versions',
    text: html`<p>
        Fields, event kinds and history entry types may be added within v1, so ignore those you do not know.
        None is removed or renamed. A breaking change gets a new path, and anything deprecated says so with
        <code>Deprecation</code> and <code>Sunset</code> headers at least 12 months ahead.
      </p>
      <p>
        This page is generated from <a href="openapi.json">the OpenAPI 3.1 document</a>, which code generators
        and API clients can use as well.
      </p>`,
    sample: html``,
  }
}
