import { exampleAnswer, exampleLines } from './answer.ts'
import { viewChapter } from './chapter.ts'
import { viewCode, viewExample, viewSnippets } from './code-view.ts'
import type { ApiDocument, Endpoint, Schema } from './document.ts'
import { html, inline, prose, type Markup } from './html.ts'
import { linkObject, viewFields, viewParameters } from './schema-view.ts'
import { variablesOf, writeSnippets } from './snippets.ts'
import { viewTrial } from './trial-view.ts'

export interface ApiAddress {
  /** The base URL of the API: `https://…/api/v1`. */
  base: string
  /** The path of `base`. */
  path: string
}

export function viewEndpoint(document: ApiDocument, endpoint: Endpoint, api: ApiAddress): Markup {
  const { anchor, summary, description, parameters, responses } = endpoint
  const content = responses['200']?.content
  const schema = (content?.['application/json'] ?? content?.['application/x-ndjson'])?.schema ?? null
  return viewChapter({
    anchor,
    title: summary,
    text: html`<p class="route">
        <span class="method">GET</span> <code>${api.path}${splitPath(endpoint.path)}</code>
      </p>
      ${prose(description)} ${viewScope(endpoint)}
      ${
        parameters.length > 0
          ? html`<h4>Parameters</h4>
              ${viewParameters(document, parameters, anchor)}`
          : null
      }
      <h4>Response ${schema ? linkObject(document, schema) : null}</h4>
      ${schema ? viewFields(document, schema) : html`<p>The bytes of the file, as a download.</p>`}
      <h4>Errors</h4>
      ${viewFaults(endpoint)}`,
    sample: html`${viewSnippets(writeSnippets(endpoint, api.base), summary, anchor)}
    ${viewVariables(endpoint)} ${viewAnswer(document, endpoint, schema)} ${viewTrial(endpoint)}`,
  })
}

function viewAnswer(document: ApiDocument, endpoint: Endpoint, schema: Schema | null): Markup {
  const content = endpoint.responses['200']!.content!
  if (!schema) return viewCode('message/rfc822' in content ? source : download, 'HTTP', '200 OK')
  if ('application/x-ndjson' in content) return viewCode(exampleLines(document), 'JSON', '200 OK')
  return viewExample(exampleAnswer(document, endpoint, schema), '200 OK')
}

const download = `HTTP/1.1 200 OK
Content-Type: application/pdf
Content-Length: 48213
Content-Disposition: attachment; filename="receipt.pdf"; filename*=UTF-8''receipt.pdf`

const source = `HTTP/1.1 200 OK
Content-Type: message/rfc822
Content-Length: 65904
Content-Disposition: attachment; filename="Order 4711 has not arrived.eml"`

/** Lets long paths break before a slash. */
function splitPath(path: string): Markup {
  return html`${path.split(/(?=\/)/).map((part) => html`<wbr />${part}`)}`
}

function viewScope({ security }: Endpoint): Markup {
  const [scope] = security[0]?.token ?? []
  return scope
    ? html`<p class="scope">Needs the scope <code>${scope}</code></p>`
    : html`<p class="scope">Any valid token</p>`
}

function viewFaults({ responses }: Endpoint): Markup {
  const faults = Object.entries(responses).filter(([status]) => Number(status) > 200)
  return html`<ul class="faults">
    ${faults.map(
      ([status, { description }]) =>
        html`<li><code>${status}</code> <span>${inline(description)}</span></li>`,
    )}
  </ul>`
}

function viewVariables({ path }: Endpoint): Markup {
  const names = ['SPOOL_TOKEN', ...variablesOf(path)].map((name) => html`<code>${name}</code>`)
  return html`<p class="variables">
    Read from the environment: ${names.flatMap((name, index) => (index > 0 ? [' and ', name] : [name]))}
  </p>`
}
